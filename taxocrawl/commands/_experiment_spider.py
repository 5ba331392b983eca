"""`scrapy experiment spider`: crawl a list of queries in both expansion styles (KU 4.3).

Each run is a crawl of its own, in its own process and folder below --out. The tables go to the
terminal, to a Markdown file and, one cell a line, to a CSV file beside it.
"""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.evaluate.fetches import read_fetches
from taxocrawl.evaluate.spider_tables import STYLES, QueryRun, Table, spider_tables
from taxocrawl.evaluate.truth import Truth, read_truth
from taxocrawl.exceptions import ArgumentError, StorageError, TaxocrawlError
from taxocrawl.frontier.iterations import (
    FRONTIER_EMPTY,
    ITERATIONS_DONE,
    LIMITS_REACHED,
    PAGE_LIMIT,
)
from taxocrawl.queries.parse import parse_queries
from taxocrawl.runs.folder import RunFolder, write_atomically
from taxocrawl.spiders.focused import EXIT_NO_SEEDS
from taxocrawl.spiders.runinfo import slug

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from scrapy.settings import BaseSettings

SUMMARY = "crawl queries in both expansion styles and print tables 3-10 of the KU document"
_PASSED_ON = ("seeds", "max_pages", "allowed_hosts", "truth")
"""Options that are arguments of the spider under the same name."""

_ENDS = (FRONTIER_EMPTY, ITERATIONS_DONE, LIMITS_REACHED, PAGE_LIMIT)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--queries, --truth, --out and what is passed on to each crawl."""
    parser.add_argument("--queries", required=True, metavar="FILE", help="one query a line")
    parser.add_argument(
        "--truth", type=Path, required=True, metavar="FILE", help="CSV with the columns url, label"
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder for the runs' folders"
    )
    parser.add_argument(
        "--search-url",
        metavar="URL",
        help="search endpoint in Crossref's shape, instead of the setting CROSSREF_URL",
    )
    parser.add_argument(
        "--iterations", type=int, default=3, metavar="N", help="last iteration (default 3)"
    )
    parser.add_argument(
        "--seeds", default="crossref", metavar="NAMES", help="seed providers (default crossref)"
    )
    parser.add_argument("--max-pages", type=int, default=0, metavar="N", help="of each crawl")
    parser.add_argument("--allowed-hosts", metavar="HOSTS", help="of each crawl")
    parser.add_argument(
        "--report", type=Path, metavar="FILE.md", help="default: spider.md in the --out folder"
    )
    parser.add_argument(
        "--reuse",
        action="store_true",
        help="continue interrupted runs of an earlier call and read finished ones",
    )


def run(options: argparse.Namespace, settings: BaseSettings) -> int:
    """Crawl, print the tables and write them; a query without seeds counts as an empty run."""
    report = options.report or options.out / "spider.md"
    if options.report and not report.parent.is_dir():
        raise ArgumentError(f"--report {report}: the folder does not exist")
    truth = read_truth(options.truth)
    plans = list(planned_runs(parse_queries(f"@{options.queries}"), options.out))
    runs = []
    for number, plan in enumerate(plans, start=1):
        crawl(plan, options)
        runs.append(plan.result(truth, options.iterations))
        pages = runs[-1].figures.total.downloaded
        print(f"{number}/{len(plans)} {runs[-1].name}: {pages} pages", flush=True)
    tables = spider_tables(runs)
    print("\n\n".join(table.text() for table in tables))
    write_atomically(report, report_markdown(runs, tables, options.iterations).encode())
    write_atomically(report.with_suffix(".csv"), report_csv(tables).encode())
    return 0


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A query to crawl in one style."""

    query: str
    style: str
    folder: RunFolder
    log: Path

    def arguments(self, options: argparse.Namespace) -> list[str]:
        """The command line of the crawl."""
        given = {name: getattr(options, name) for name in _PASSED_ON}
        # As a JSON list, a query that begins with @ or [ stays a query.
        spider = {"query": json.dumps([self.query], ensure_ascii=False), "expand": self.style}
        spider |= {name: str(value) for name, value in given.items() if value not in (None, 0)}
        spider |= {"iterations": str(options.iterations), "out": str(self.folder.path)}
        if options.reuse and self.folder.info.exists():
            spider = {"resume": str(self.folder.path)}
        settings = list(options.set)
        if options.search_url:
            settings.append(f"CROSSREF_URL={options.search_url}")
        return [
            *(sys.executable, "-m", "scrapy", "crawl", "taxonomic"),
            *(part for name, value in spider.items() for part in ("-a", f"{name}={value}")),
            *(part for setting in settings for part in ("-s", setting)),
        ]

    @property
    def finished(self) -> bool:
        """Whether an earlier call crawled this to one of the ends that a crawl comes to itself."""
        return self.folder.info.exists() and self.folder.read_info().get("outcome") in _ENDS

    def result(self, truth: Truth, iterations: int) -> QueryRun:
        """What the crawl brought; nothing when it had no seeds."""
        fetches = read_fetches(self.folder.fetches) if self.folder.fetches.exists() else ()
        return QueryRun.of(self.query, self.style, fetches, truth, iterations=iterations)


def planned_runs(queries: Sequence[str], out: Path) -> Iterator[PlannedRun]:
    """Every query in every style, in folders named by number, query and style."""
    for number, query in enumerate(queries, start=1):
        for style in STYLES:
            name = f"{number:02}-{slug(query)}-{style}"
            yield PlannedRun(query, style, RunFolder(out / name), out / f"{name}.log")


def crawl(plan: PlannedRun, options: argparse.Namespace) -> None:
    """Run one crawl to its end, its output going to a log file.

    Raises TaxocrawlError when it ends otherwise than by itself or for want of seeds.
    """
    if options.reuse and plan.finished:
        return
    try:
        plan.log.parent.mkdir(parents=True, exist_ok=True)
        with plan.log.open("ab") as log:
            ended = subprocess.run(
                plan.arguments(options), stdout=log, stderr=subprocess.STDOUT, check=False
            )
    except OSError as error:
        raise StorageError(f"{plan.log}: cannot be written: {error.strerror}") from error
    if ended.returncode not in (0, EXIT_NO_SEEDS):
        raise TaxocrawlError(
            f"the crawl of {plan.query!r} ({plan.style}) ended with exit code "
            f"{ended.returncode}; see {plan.log}"
        )


def report_markdown(runs: Sequence[QueryRun], tables: Sequence[Table], iterations: int) -> str:
    """All tables as one Markdown document."""
    total = sum(run.figures.total.downloaded for run in runs)
    borderline = sum(run.figures.total.borderline for run in runs)
    unlisted = sum(run.figures.total.unlisted for run in runs)
    introduction = (
        "# The spider experiment\n\n"
        f"{len(runs)} crawls over iterations 0-{iterations}, {total} documents downloaded. "
        f"{borderline} borderline ones are left out; {unlisted} that the truth does not list "
        "count as bad. Recall* is relative recall; all figures by iteration include the "
        "iterations before. Definitions: docs/figures.md. Made by `scrapy experiment spider`.\n"
    )
    return "\n".join([introduction, "\n\n".join(table.markdown() for table in tables), ""])


def report_csv(tables: Sequence[Table]) -> str:
    """All tables as CSV with the columns table, row, column, value."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(("table", "row", "column", "value"))
    writer.writerows(cell for table in tables for cell in table.cells())
    return file.getvalue()
