"""`scrapy experiment SUBCOMMAND`."""

from __future__ import annotations

from typing import ClassVar

from scrapy.commands import ScrapyCommand

from taxocrawl.commands._subcommands import Subcommands


class Command(Subcommands, ScrapyCommand):
    """Hands over to the module of the subcommand."""

    modules: ClassVar = {
        "classifier": "taxocrawl.commands._experiment_classifier",
        "spider": "taxocrawl.commands._experiment_spider",
        "linkweb": "taxocrawl.commands._experiment_linkweb",
        "diversified": "taxocrawl.commands._experiment_diversified",
        "shorttext": "taxocrawl.commands._experiment_shorttext",
    }

    def short_desc(self) -> str:
        return "Run one of the documents' experiments and print its tables"
