"""Tables of the experiment on diversified crawls: by true labels, and the document's 4.3-4.12."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from taxocrawl.evaluate.confusion import UNDEFINED
from taxocrawl.evaluate.coverage import CoverageFigures
from taxocrawl.evaluate.significance import confidence_interval
from taxocrawl.evaluate.tables import markdown

BASELINE = "NoDiv"
Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CrawlResult:
    """One crawl of the experiment."""

    crawler: str
    topic: str
    seed_set: int
    aspects: Sequence[Row]
    """The rows of its aspects.csv."""
    coverage: CoverageFigures | None = None
    """By true labels; None on a web without any."""
    order: Sequence[frozenset[str]] = ()
    """The aspects of each download by true label, in order."""


Figure = Callable[[CoverageFigures], float]
FIGURES: Mapping[str, Figure] = {
    "P-IA": lambda found: found.counts.precision_ia or 0.0,
    "deviation of shares": lambda found: found.counts.share_deviation or 0.0,
    "pages on the topic": lambda found: float(found.on_topic),
    "aspect recall": lambda found: found.aspect_recall,
    "alpha-nDCG": lambda found: found.alpha_ndcg,
}
"""Columns by true label; a deviation that is not defined, for want of any relevant page, is 0."""


def by_label(results: Sequence[CrawlResult]) -> str:
    """Mean and confidence interval of each figure and crawler, over topics and seed sets."""
    rows = [
        [crawler, *(_interval(_by_seed_set(results, crawler, f)) for f in FIGURES.values())]
        for crawler in _crawlers(results)
    ]
    return markdown(["crawler", *FIGURES], rows)


def against_baseline(results: Sequence[CrawlResult]) -> str:
    """Each figure as a multiple of the baseline's in the same seed set."""
    rows = []
    for crawler in _crawlers(results):
        if crawler == BASELINE:
            continue
        cells = []
        for figure in FIGURES.values():
            own = _by_seed_set(results, crawler, figure)
            base = _by_seed_set(results, BASELINE, figure)
            shared = sorted(own.keys() & base.keys())
            ratios = {n: own[n] / base[n] for n in shared if base[n]}
            cells.append(_interval(ratios))
        rows.append([crawler, *cells])
    return markdown(["crawler / NoDiv", *FIGURES], rows)


def by_topic(results: Sequence[CrawlResult], names: Mapping[str, Sequence[str]]) -> str:
    """The same for each topic, and the mean number of relevant pages of each aspect."""
    rows = []
    for topic in names:
        for crawler in _crawlers(results):
            found = [
                result.coverage
                for result in results
                if (result.topic, result.crawler) == (topic, crawler) and result.coverage
            ]
            if found:
                means = [fmean(map(figure, found)) for figure in FIGURES.values()]
                counts = zip(*(each.counts.relevant for each in found), strict=True)
                shown = [f"{n} {fmean(c):.1f}" for n, c in zip(names[topic], counts, strict=True)]
                rows.append([topic, crawler, *map(_number, means), ", ".join(shown)])
    return markdown(["topic", "crawler", *FIGURES, "relevant pages by aspect"], rows)


def document_tables(results: Sequence[CrawlResult], topic: str, names: Sequence[str]) -> str:
    """Tables 4.3-4.12 for a topic: means over seed sets, half-way and at the last batch."""
    parts = []
    for at, where in ((0.5, "half-way"), (1.0, "at the last batch")):
        rows = []
        for crawler in _crawlers(results):
            picked = [
                result.aspects[max(0, round(len(result.aspects) * at) - 1)]
                for result in results
                if (result.topic, result.crawler) == (topic, crawler) and result.aspects
            ]
            if picked:
                columns = ["pages", "precision_ia", "share_stdev"]
                columns += [f"{kind} {n}" for kind in ("relevant", "share", "zero") for n in names]
                rows.append([crawler, *(_mean_cell(picked, column) for column in columns)])
        header = ["crawler", "pages", "P-IA", "deviation"]
        header += [f"{kind} {n}" for kind in ("relevant", "share", "zero") for n in names]
        parts.append(f"{topic}, {where}:\n\n{markdown(header, rows)}")
    return "\n\n".join(parts)


def _crawlers(results: Sequence[CrawlResult]) -> list[str]:
    return list(dict.fromkeys(result.crawler for result in results))


def _by_seed_set(results: Sequence[CrawlResult], crawler: str, figure: Figure) -> dict[int, float]:
    """The mean over topics in each seed set."""
    values: dict[int, list[float]] = {}
    for result in results:
        if result.crawler == crawler and result.coverage:
            values.setdefault(result.seed_set, []).append(figure(result.coverage))
    return {number: fmean(found) for number, found in sorted(values.items())}


def _interval(values: Mapping[int, float]) -> str:
    if not values:
        return UNDEFINED
    mean, half = confidence_interval(list(values.values()))
    return _number(mean) if half is None else f"{_number(mean)} ± {_number(half)}"


def _number(value: float) -> str:
    return f"{value:.1f}" if value >= 10 else f"{value:.3f}"


def _mean_cell(rows: Sequence[Row], column: str) -> str:
    values = [float(row[column]) for row in rows if row[column] != UNDEFINED]
    counted = column == "pages" or column.startswith("relevant ")
    if not values:
        return UNDEFINED
    return f"{fmean(values):.1f}" if counted else f"{fmean(values):.3f}"
