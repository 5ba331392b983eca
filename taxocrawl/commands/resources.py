"""`scrapy resources SUBCOMMAND`."""

from __future__ import annotations

from typing import ClassVar

from scrapy.commands import ScrapyCommand

from taxocrawl.commands._subcommands import Subcommands


class Command(Subcommands, ScrapyCommand):
    """Hands over to the module of the subcommand."""

    modules: ClassVar = {
        "glove": "taxocrawl.commands._resources_glove",
        "minilm": "taxocrawl.commands._resources_minilm",
        "wordnet": "taxocrawl.commands._resources_wordnet",
    }

    def short_desc(self) -> str:
        return "Get data that some methods need and that is too large to ship"
