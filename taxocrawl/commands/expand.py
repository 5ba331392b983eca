"""`scrapy expand`: shows the queries that a crawl would put to the seed providers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from taxocrawl.exceptions import TaxocrawlError
from taxocrawl.queries.expand import STYLES, expand, read_terms
from taxocrawl.queries.parse import parse_queries
from taxocrawl.queries.table import BATS, TableTaxonomy

if TYPE_CHECKING:
    import argparse

EXIT_USAGE = 2


class Command(ScrapyCommand):
    """Prints the expanded queries, one a line."""

    requires_crawler_process = False

    def syntax(self) -> str:
        return "[--style STYLE] QUERY"

    def short_desc(self) -> str:
        return "Show the queries that a query expands to"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--style", choices=STYLES, default="taxonomic")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError("expected one QUERY (in quotes when it has blanks)")
        try:
            self._print(args[0], opts.style)
        except TaxocrawlError as error:
            sys.stderr.write(f"taxocrawl: {error}\n")
            self.exitcode = EXIT_USAGE

    def _print(self, argument: str, style: str) -> None:
        assert self.settings is not None
        taxonomy = TableTaxonomy(self.settings.get("TAXONOMY_FILE") or BATS)
        terms = read_terms(self.settings.get("GENERIC_TERMS_FILE"))
        for query in parse_queries(argument):
            for expanded in expand(query, style, taxonomy=taxonomy, terms=terms):
                print(expanded.text)
                if expanded.note:
                    sys.stderr.write(f"taxocrawl: {expanded.note}\n")
