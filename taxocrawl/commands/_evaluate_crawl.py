"""`scrapy evaluate crawl RUN --truth F`: the figures of a run, judged by a truth file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.evaluate.crawl import crawl_figures
from taxocrawl.evaluate.fetches import read_fetches
from taxocrawl.evaluate.iterations import iteration_records, iteration_table
from taxocrawl.evaluate.truth import Label, read_truth
from taxocrawl.runs.folder import RunFolder

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

SUMMARY = "figures of a run by iteration, before and after filtering"
UNLISTED = {"other": Label.OTHER, "leave-out": None}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """RUN, --truth, --unlisted and --json."""
    parser.add_argument("folder", type=Path, metavar="RUN", help="the run's folder")
    parser.add_argument(
        "--truth",
        type=Path,
        required=True,
        metavar="FILE",
        help="CSV with the columns url and label (taxonomic, non-taxonomic or borderline; "
        "relevant or other)",
    )
    parser.add_argument(
        "--unlisted",
        choices=UNLISTED,
        default="other",
        help="downloads that the truth does not list: other (default) counts them as "
        "non-taxonomic, leave-out leaves them out of the figures",
    )
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")


def run(options: argparse.Namespace, settings: BaseSettings) -> int:
    """Print the table, or with --json a list of objects with the keys of iterations.csv."""
    truth = read_truth(options.truth)
    figures = crawl_figures(
        read_fetches(RunFolder(options.folder).fetches),
        truth,
        unlisted=UNLISTED[options.unlisted],
    )
    if options.json:
        print(json.dumps(iteration_records(figures), indent=2, ensure_ascii=False))
        return 0
    print(iteration_table(figures))
    print(f"relevant URLs in the truth: {truth.relevant}")
    return 0
