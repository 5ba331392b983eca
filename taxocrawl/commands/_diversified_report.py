"""The Markdown and the plots of `scrapy experiment diversified`."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from statistics import fmean
from typing import TYPE_CHECKING

from taxocrawl.evaluate.confusion import UNDEFINED
from taxocrawl.evaluate.coverage import learning_curve
from taxocrawl.evaluate.diversified_tables import (
    CrawlResult,
    against_baseline,
    by_label,
    by_topic,
    document_tables,
)
from taxocrawl.runs.charts import standalone_line_chart
from taxocrawl.runs.folder import write_atomically
from taxocrawl.spiders.runinfo import slug

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from taxocrawl.commands._diversified_crawls import ExperimentTopic

    Curve = list[tuple[int, float | None]]

_REPLAYED = "replayed over stored pages"
_CURVES = {"precision": "P-IA", "deviation": "Sample standard deviation of the shares"}


def write_report(
    report: Path,
    results: Sequence[CrawlResult],
    topics: Sequence[ExperimentTopic],
    options: argparse.Namespace,
) -> None:
    """Write the tables to `report`, and a plot of each curve and topic beside it."""
    names = {topic.name: topic.aspects for topic in topics}
    parts = ["# Diversified crawls", _made(results, options)]
    if any(result.coverage for result in results):
        parts += [
            "## By true label",
            "Means over topics and seed sets, ± half of the 95 % confidence interval over the seed "
            "sets (Student's t).",
            by_label(results),
            "As multiples of NoDiv, in each seed set:",
            against_baseline(results),
            by_topic(results, names),
        ]
    parts += [
        "Learning curves by batch, by true label where there is one; means over seed sets.",
        *_plots(report, results, names),
        "## By the crawl's own measure (METU tables 4.3-4.12)",
        "Cosine above the threshold; means over seed sets.",
        *(document_tables(results, topic, aspects) for topic, aspects in names.items()),
    ]
    write_atomically(report, ("\n\n".join(parts) + "\n").encode())


def _made(results: Sequence[CrawlResult], options: argparse.Namespace) -> str:
    crawled = ", ".join(
        f"{crawler} {len({(r.topic, r.seed_set) for r in results if r.crawler == crawler})}"
        for crawler in dict.fromkeys(result.crawler for result in results)
    )
    how = (
        f"from {options.seed_sets} seed set(s) of {options.seeds} (drawn by their number, from 0), "
        f"{_filtered(options)}, {_REPLAYED if options.replay else 'one request at a time'}"
        if options.web
        else "from the topic's seeds.txt"
    )
    return (
        f"The first {options.pages} pages of crawls in batches of {options.batch} by recent-half, "
        f"{how}. Number of crawls by crawler: {crawled}. Made on {datetime.now(UTC):%Y-%m-%d} by "
        f"`scrapy experiment diversified` with Python {platform.python_version()} on "
        f"{os.cpu_count()} cores ({platform.machine()})."
    )


def _filtered(options: argparse.Namespace) -> str:
    """Whether pages passed a filter: the shipped models have none of a link web's topics, and
    replays leave filters out."""
    if not options.replay and any(s.startswith("MODELS_DIR=") for s in options.set):
        return "with the topic's random forest as page filter (MODELS_DIR)"
    return "without a page filter"


def _plots(report: Path, results: Sequence[CrawlResult], names: dict[str, list[str]]) -> list[str]:
    """Write the plots; the lines that show them."""
    shown = []
    for topic, aspects in names.items():
        for kind, title in _CURVES.items():
            series = {
                crawler: _mean_curve(
                    [
                        _curve(result, kind, aspects)
                        for result in results
                        if (result.topic, result.crawler) == (topic, crawler)
                    ]
                )
                for crawler in dict.fromkeys(result.crawler for result in results)
            }
            drawn = {crawler: points for crawler, points in series.items() if points}
            path = report.with_name(f"{report.stem}-{slug(topic)}-{kind}.svg")
            svg = standalone_line_chart(f"{title}: {topic}", drawn, "pages downloaded")
            write_atomically(path, svg.encode())
            shown.append(f"![{title}: {topic}]({path.name})")
    return shown


def _curve(result: CrawlResult, kind: str, aspects: Sequence[str]) -> Curve:
    """Pages and figure after each batch: by true label, or by the crawl's own measure."""
    ends = [int(row["pages"]) for row in result.aspects]
    if not result.coverage:
        column = {"precision": "precision_ia", "deviation": "share_stdev"}[kind]
        cells = [row[column] for row in result.aspects]
        return [(n, None if c == UNDEFINED else float(c)) for n, c in zip(ends, cells, strict=True)]
    counts = learning_curve(result.order, aspects, ends)
    values = [c.precision_ia if kind == "precision" else c.share_deviation for c in counts]
    return list(zip(ends, values, strict=True))


def _mean_curve(curves: Sequence[Curve]) -> list[tuple[float, float]]:
    """The mean over seed sets after each batch, where all of them have the figure."""
    points = []
    for at in zip(*curves, strict=False):
        values = [value for _, value in at if value is not None]
        if len(values) == len(curves):
            points.append((fmean(pages for pages, _ in at), fmean(values)))
    return points
