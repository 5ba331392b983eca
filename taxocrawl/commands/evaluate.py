"""`scrapy evaluate SUBCOMMAND`."""

from __future__ import annotations

from typing import ClassVar

from scrapy.commands import ScrapyCommand

from taxocrawl.commands._subcommands import Subcommands


class Command(Subcommands, ScrapyCommand):
    """Hands over to the module of the subcommand."""

    modules: ClassVar = {
        "classifier": "taxocrawl.commands._evaluate_classifier",
        "crawl": "taxocrawl.commands._evaluate_crawl",
    }

    def short_desc(self) -> str:
        return "Measure a finished run or a trained classifier"
