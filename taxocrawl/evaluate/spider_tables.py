"""Tables 3-10 of the KU document, made from runs of a list of queries in two expansion styles.

Shapes and definitions are the document's where it has any that its own printed counts bear out
(tests/evaluate/test_ku_tables.py); docs/figures.md says what each table holds here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from statistics import fmean
from typing import TYPE_CHECKING

from taxocrawl.evaluate.confusion import percent, ratio
from taxocrawl.evaluate.crawl import crawl_figures
from taxocrawl.evaluate.tables import aligned, markdown
from taxocrawl.frontier.urls import canonicalize
from taxocrawl.items import is_passed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from taxocrawl.evaluate.confusion import Confusion
    from taxocrawl.evaluate.crawl import CrawlFigures
    from taxocrawl.evaluate.truth import Truth

STYLES = {"generic": "Generically expanded", "taxonomic": "Taxonomically expanded"}
"""The two expansion styles that are compared, and their column headings."""

_SHARES = ("Recall* (%)", "Precision (%)")


@dataclass(frozen=True, slots=True)
class QueryRun:
    """One query, crawled in one expansion style."""

    query: str
    style: str
    """A key of `STYLES`."""
    figures: CrawlFigures
    found: frozenset[str]
    """Canonical URLs of the relevant documents that passed the filter."""

    @property
    def name(self) -> str:
        return f"{self.query} ({self.style})"

    @property
    def after(self) -> Confusion:
        """The filter's confusion over all iterations."""
        return self.figures.total.confusion

    @classmethod
    def of(
        cls,
        query: str,
        style: str,
        fetches: Iterable[Mapping[str, str]],
        truth: Truth,
        *,
        iterations: int,
    ) -> QueryRun:
        """Read a run's fetch records; iterations up to `iterations` that it lacks are empty."""
        records = list(fetches)
        found = {
            canonicalize(record["final_url"] or record["url"])
            for record in records
            if is_passed(record) and truth.is_relevant(record)
        }
        figures = crawl_figures(records, truth).padded(iterations + 1)
        return cls(query, style, figures, frozenset(found))


@dataclass(frozen=True, slots=True)
class Table:
    """A numbered table of text cells."""

    number: int
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def text(self) -> str:
        """For a terminal."""
        return f"Table {self.number}: {self.caption}\n{aligned(self.header, self.rows)}"

    def markdown(self) -> str:
        """For a document."""
        return f"**Table {self.number}: {self.caption}**\n\n{markdown(self.header, self.rows)}"

    def cells(self) -> list[tuple[str, str, str, str]]:
        """One (table, row, column, value) per cell, for CSV."""
        return [
            (str(self.number), row[0], column, value)
            for row in self.rows
            for column, value in zip(self.header[1:], row[1:], strict=True)
        ]


def spider_tables(runs: Sequence[QueryRun]) -> list[Table]:
    """Tables 3 to 10 of at least one run; table 6 is that of the first one.

    The filter's figures are pooled: counts are added up over all runs, and ratios are of the sums,
    as in the document.
    """
    pooled = reduce(add, (run.figures for run in runs))
    every = f"over all {len(runs)} runs"
    return [
        _by_iteration(3, f"Pre-filtering performance {every}", pooled, before=True),
        _by_iteration(4, f"Post-filtering performance {every}", pooled, before=False),
        _before_and_after(pooled, every),
        _one_query(runs[0]),
        _styles(runs),
        *_ranked(runs),
        _style_averages(runs),
    ]


def _by_iteration(number: int, caption: str, figures: CrawlFigures, *, before: bool) -> Table:
    rows = [
        (
            str(iteration),
            *_good_and_bad(side),
            percent(recall),
            percent(side.precision),
            percent(side.accuracy),
        )
        for iteration, (side, recall) in enumerate(_so_far(figures, before=before))
    ]
    header = ("Iteration", "# Taxonomic documents", "# Bad documents")
    return Table(number, caption, (*header, *_SHARES, "Accuracy (%)"), tuple(rows))


def _before_and_after(figures: CrawlFigures, every: str) -> Table:
    sides = zip(_so_far(figures, before=True), _so_far(figures, before=False), strict=True)
    rows = [
        (
            f"iteration {number}, {name}",
            *_good_and_bad(side),
            percent(recall),
            percent(side.precision),
        )
        for number, pair in enumerate(sides)
        for name, (side, recall) in zip(("pre-filtering", "post-filtering"), pair, strict=True)
    ]
    caption = f"Pre- and post-filtering compared {every}"
    return Table(5, caption, ("", "# Good", "# Bad", *_SHARES), tuple(rows))


def _so_far(figures: CrawlFigures, *, before: bool) -> Iterator[tuple[Confusion, float | None]]:
    """Confusion up to each iteration and relative recall, before or after filtering."""
    recalls = figures.relative_recall_before if before else figures.relative_recall_after
    for part, recall in zip(figures.cumulative, recalls, strict=True):
        yield part.before if before else part.confusion, recall


def _good_and_bad(side: Confusion) -> tuple[str, str]:
    return str(side.tp), str(side.fp)


def _one_query(run: QueryRun) -> Table:
    parts = run.figures.cumulative
    rows = (
        ("Precision (%)", *(percent(part.confusion.precision) for part in parts)),
        ("Recall* (%)", *map(percent, run.figures.relative_recall_after)),
        ("Accuracy (%)", *(percent(part.confusion.accuracy) for part in parts)),
    )
    header = ("Metric", *(f"Iteration {number}" for number in range(len(parts))))
    return Table(6, f"Evaluation metrics by iteration: {run.name}", header, rows)


def _styles(runs: Sequence[QueryRun]) -> Table:
    everything = frozenset[str]().union(*(run.found for run in runs))
    precisions, recalls = [], []
    for style in STYLES:
        own = [run for run in runs if run.style == style]
        found = frozenset[str]().union(*(run.found for run in own))
        precisions.append(percent(_mean(run.after.precision for run in own)))
        recalls.append(percent(ratio(len(found), len(everything))))
    return Table(
        7,
        "Generically against taxonomically expanded queries, all iterations together",
        ("Measure", *STYLES.values()),
        (("Precision (%)", *precisions), ("Recall* (%)", *recalls)),
    )


def _ranked(runs: Sequence[QueryRun]) -> tuple[Table, Table]:
    def row(run: QueryRun) -> tuple[str, ...]:
        return run.name, percent(run.after.precision), str(run.after.tp)

    def falling_precision(run: QueryRun) -> tuple[float, int]:
        precision = run.after.precision
        return -1.0 if precision is None else precision, run.after.tp

    header = ("Query name", "Precision (%)", "# Taxonomic documents")
    average = (
        "AVERAGE",
        percent(_mean(run.after.precision for run in runs)),
        f"{fmean(run.after.tp for run in runs):.2f}",
    )
    by_precision = sorted(runs, key=falling_precision, reverse=True)
    by_documents = sorted(runs, key=lambda run: run.after.tp)
    return (
        Table(
            8,
            "Queries rank ordered by precision",
            header,
            (*map(row, by_precision), average),
        ),
        Table(
            9,
            "Queries rank ordered by number of taxonomic documents retrieved",
            header,
            tuple(map(row, by_documents)),
        ),
    )


def _style_averages(runs: Sequence[QueryRun]) -> Table:
    rows: list[list[str]] = [["Precision (%)"], ["Recall* (%)"]]
    for style in STYLES:
        own = [run.figures for run in runs if run.style == style]
        precisions = (part.confusion.precision for figures in own for part in figures.cumulative)
        recalls = (recall for figures in own for recall in figures.relative_recall_after)
        rows[0].append(percent(_mean(precisions)))
        rows[1].append(percent(_mean(recalls)))
    return Table(
        10,
        "Generically against taxonomically expanded queries, mean over queries and iterations",
        ("Measure", *STYLES.values()),
        tuple(map(tuple, rows)),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are defined; None when none is."""
    defined = [value for value in values if value is not None]
    return fmean(defined) if defined else None
