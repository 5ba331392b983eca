"""The Markdown and the plots of `scrapy experiment diversified`."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from statistics import fmean
from typing import TYPE_CHECKING

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
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from taxocrawl.commands._experiment_diversified import ExperimentTopic
    from taxocrawl.evaluate.aspects import AspectCounts

    Points = list[tuple[float, float]]

_CURVES: dict[str, tuple[str, Callable[[AspectCounts], float | None]]] = {
    "precision": ("P-IA by true label", lambda counts: counts.precision_ia),
    "deviation": ("Deviation of the shares by true label", lambda counts: counts.share_deviation),
}


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
            *_plots(report, results, names, options.batch),
        ]
    parts += [
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
    return (
        f"Crawls of {options.pages} pages in batches of {options.batch} by recent-half, from "
        f"{options.seeds} seeds, without a page filter, one request at a time. Number of crawls by "
        f"crawler: {crawled}. Made on {datetime.now(UTC):%Y-%m-%d} by `scrapy experiment "
        f"diversified` with Python {platform.python_version()} on {os.cpu_count()} cores "
        f"({platform.machine()})."
    )


def _plots(
    report: Path, results: Sequence[CrawlResult], names: dict[str, list[str]], batch: int
) -> list[str]:
    """Write the plots; the lines that show them."""
    shown = []
    for topic, aspects in names.items():
        for kind, (title, figure) in _CURVES.items():
            series = {
                crawler: _mean_curve(results, (topic, crawler), aspects, batch, figure)
                for crawler in dict.fromkeys(result.crawler for result in results)
            }
            drawn = {crawler: points for crawler, points in series.items() if points}
            path = report.with_name(f"{report.stem}-{slug(topic)}-{kind}.svg")
            svg = standalone_line_chart(f"{title}: {topic}", drawn, "pages downloaded")
            write_atomically(path, svg.encode())
            shown.append(f"![{title}: {topic}]({path.name})")
    return shown


def _mean_curve(
    results: Sequence[CrawlResult],
    which: tuple[str, str],
    aspects: Sequence[str],
    batch: int,
    figure: Callable[[AspectCounts], float | None],
) -> Points:
    """The mean over seed sets of a figure after each batch, where all of them have it."""
    curves = [
        learning_curve(result.order, aspects, batch)
        for result in results
        if (result.topic, result.crawler) == which and result.order
    ]
    points: Points = []
    for at in zip(*curves, strict=False):
        values = [value for _, counts in at if (value := figure(counts)) is not None]
        if len(values) == len(curves):
            points.append((float(at[0][0]), fmean(values)))
    return points
