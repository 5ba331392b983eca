"""Figures of a crawl, iteration by iteration (KU 4.1.2, tables 3-6).

Definitions and formulas are in docs/figures.md.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from taxocrawl.evaluate.confusion import Confusion, ratio
from taxocrawl.evaluate.truth import Label
from taxocrawl.items import is_passed, is_unchanged

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from taxocrawl.evaluate.truth import Truth

FILTERED = "non-taxonomic"
"""The reason of a download that the page filter rejected without giving another one."""


@dataclass(slots=True)
class IterationFigures:
    """Counts of one iteration, or of all iterations up to one (the sum of their counts)."""

    downloaded: int = 0
    """Answers with a 2xx status."""
    passed: int = 0
    """Downloads that the page filter called taxonomic."""
    rejected_by_kind: Counter[str] = field(default_factory=Counter)
    rejected_by_reason: Counter[str] = field(default_factory=Counter)
    withheld_by_reason: Counter[str] = field(default_factory=Counter)
    """Downloads that passed and were not exported all the same, such as repeats."""
    failed_by_reason: Counter[str] = field(default_factory=Counter)
    """Requests that brought no document (no answer, or a status other than 2xx)."""
    confusion: Confusion = field(default_factory=Confusion)
    """Filter against truth, over the downloads that have a truth; all zero without a truth."""
    borderline: int = 0
    """Downloads left out of `confusion` because their label is borderline."""
    unlisted: int = 0
    """Downloads that the truth does not list."""

    @property
    def rejected(self) -> int:
        return self.downloaded - self.passed

    @property
    def failed(self) -> int:
        return self.failed_by_reason.total()

    @property
    def before(self) -> Confusion:
        """The confusion of collecting every download, that is, before filtering."""
        return self.confusion.accepting_all()

    def __add__(self, other: IterationFigures) -> IterationFigures:
        return IterationFigures(
            downloaded=self.downloaded + other.downloaded,
            passed=self.passed + other.passed,
            rejected_by_kind=self.rejected_by_kind + other.rejected_by_kind,
            rejected_by_reason=self.rejected_by_reason + other.rejected_by_reason,
            withheld_by_reason=self.withheld_by_reason + other.withheld_by_reason,
            failed_by_reason=self.failed_by_reason + other.failed_by_reason,
            confusion=self.confusion + other.confusion,
            borderline=self.borderline + other.borderline,
            unlisted=self.unlisted + other.unlisted,
        )


@dataclass(frozen=True, slots=True)
class CrawlFigures:
    """The figures of iterations 0, 1, 2, … of one crawl, or of several crawls pooled."""

    iterations: tuple[IterationFigures, ...]
    judged: bool
    """Whether a truth was given."""

    @property
    def cumulative(self) -> tuple[IterationFigures, ...]:
        """For each iteration, the counts of all iterations up to it (as KU tables 3-6 print)."""
        return tuple(accumulate(self.iterations))

    @property
    def total(self) -> IterationFigures:
        return sum(self.iterations, IterationFigures())

    @property
    def relative_recall_before(self) -> list[float | None]:
        """Relevant documents downloaded up to each iteration / up to the last (KU "Recall*")."""
        whole = self.total.confusion.positives
        return [ratio(figures.confusion.positives, whole) for figures in self.cumulative]

    @property
    def relative_recall_after(self) -> list[float | None]:
        """Relevant documents that passed up to each iteration / up to the last (KU "Recall*")."""
        whole = self.total.confusion.tp
        return [ratio(figures.confusion.tp, whole) for figures in self.cumulative]

    def harvest_rate(self, figures: IterationFigures) -> float | None:
        """Relevant downloads / downloads; without a truth, what passed stands for relevant."""
        found = figures.confusion.positives if self.judged else figures.passed
        return ratio(found, figures.downloaded)

    def __add__(self, other: CrawlFigures) -> CrawlFigures:
        """Pool two crawls iteration by iteration; the shorter one adds nothing to later ones."""
        length = max(len(self.iterations), len(other.iterations))
        ours, theirs = self.padded(length).iterations, other.padded(length).iterations
        return CrawlFigures(
            tuple(a + b for a, b in zip(ours, theirs, strict=True)), self.judged and other.judged
        )

    def padded(self, length: int) -> CrawlFigures:
        """The same figures with empty iterations at the end, up to `length` of them."""
        missing = length - len(self.iterations)
        return CrawlFigures(self.iterations + (IterationFigures(),) * missing, self.judged)


class CrawlTally:
    """Adds up fetch records as they come; memory does not grow with their number.

    A record is a line of fetches.csv, as written or as read back: `status` and `iteration` may be
    strings. Each record counts once, but for second downloads that found nothing new, which do
    not count. A download that the truth does not list counts as `unlisted`: by default as not
    relevant, as unjudged documents do in TREC, so that a crawl is never flattered by what nobody
    looked at; with None it is left out.
    """

    def __init__(self, truth: Truth | None = None, *, unlisted: Label | None = Label.OTHER) -> None:
        self.truth = truth
        self.unlisted = unlisted
        self._iterations: dict[int, IterationFigures] = {}

    def add(self, record: Mapping[str, Any]) -> None:
        """Count one record. Raises ValueError for a status or iteration that is no number."""
        status, iteration = int(record["status"] or 0), int(record["iteration"])
        if iteration < 0:
            raise ValueError(f"iteration {iteration} is negative")
        counts = self._iterations.setdefault(iteration, IterationFigures())
        if is_unchanged(record):
            return
        reason = str(record.get("reason") or "")
        if not 200 <= status < 300:
            counts.failed_by_reason[reason or f"status {status}"] += 1
            return
        counts.downloaded += 1
        passed = is_passed(record)
        if not passed:
            counts.rejected_by_kind[str(record.get("kind") or "other")] += 1
            counts.rejected_by_reason[reason or FILTERED] += 1
        elif reason:
            counts.withheld_by_reason[reason] += 1
        counts.passed += passed
        if self.truth is not None:
            self._judge(counts, record, self.truth, passed=passed)

    def _judge(
        self, counts: IterationFigures, record: Mapping[str, Any], truth: Truth, *, passed: bool
    ) -> None:
        label = truth.of(record)
        if label is None:
            counts.unlisted += 1
            label = self.unlisted
        if label is Label.BORDERLINE:
            counts.borderline += 1
        elif label is not None:
            counts.confusion += Confusion.from_pairs([(label is Label.RELEVANT, passed)])

    def figures(self) -> CrawlFigures:
        """The figures of everything added so far, with no iteration missing in between."""
        nothing = IterationFigures()
        last = max(self._iterations, default=-1)
        # Sums are new objects: what is added later does not change the figures handed out.
        return CrawlFigures(
            tuple(nothing + self._iterations.get(n, nothing) for n in range(last + 1)),
            judged=self.truth is not None,
        )


def crawl_figures(
    records: Iterable[Mapping[str, Any]],
    truth: Truth | None = None,
    *,
    unlisted: Label | None = Label.OTHER,
) -> CrawlFigures:
    """The figures of all these fetch records; see `CrawlTally`."""
    tally = CrawlTally(truth, unlisted=unlisted)
    for record in records:
        tally.add(record)
    return tally.figures()
