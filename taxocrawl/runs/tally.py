"""What a report says of the downloads, added up record by record: no list grows with them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from taxocrawl.items import Category, is_passed, is_unchanged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

CURVE_POINTS = 500
"""Points of a curve at most; beyond, every other one is dropped and the distance doubled."""


@dataclass(slots=True)
class HostCounts:
    """What one host contributed."""

    fetched: int = 0
    passed: int = 0
    dropped: int = 0
    failed: int = 0


@dataclass(slots=True)
class Curve:
    """A count that rises with the pages downloaded, as at most `CURVE_POINTS` points."""

    points: list[tuple[float, float]] = field(default_factory=lambda: [(0.0, 0.0)])
    stride: int = 1

    def add(self, pages: int, value: int) -> None:
        """The count's value after so many pages."""
        if pages % self.stride:
            return
        self.points.append((float(pages), float(value)))
        if len(self.points) > CURVE_POINTS:
            self.points = self.points[::2]
            self.stride *= 2

    def ending_at(self, pages: int, value: int) -> list[tuple[float, float]]:
        """The points, the last one exact."""
        last = (float(pages), float(value))
        return self.points if self.points[-1] == last else [*self.points, last]


@dataclass(slots=True)
class FetchTally:
    """The downloads of a run in sum.

    `relevant` counts what the caller's test says is relevant, `passed` what the page filter let
    through; both curves are over what was downloaded, as the harvest rate is.
    """

    fetched: int = 0
    """All fetch records, failures included."""
    downloaded: int = 0
    unchanged: int = 0
    """Second downloads that found nothing new; they count nowhere else."""
    passed: int = 0
    relevant: int = 0
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By (what became of it, reason), the first being dropped, withheld or failed."""
    kinds: Counter[str] = field(default_factory=Counter)
    """Dropped downloads by kind."""
    hosts: dict[str, HostCounts] = field(default_factory=dict)
    passed_curve: Curve = field(default_factory=Curve)
    relevant_curve: Curve = field(default_factory=Curve)

    @classmethod
    def of(
        cls,
        fetches: Iterable[Mapping[str, Any]],
        is_relevant: Callable[[Mapping[str, Any]], bool],
    ) -> FetchTally:
        """Add up all records in one pass."""
        tally = cls()
        for record in fetches:
            tally._add(record, is_relevant(record))
        return tally

    def _add(self, record: Mapping[str, Any], relevant: bool) -> None:
        self.fetched += 1
        host = self.hosts.setdefault(_host(record), HostCounts())
        host.fetched += 1
        if is_unchanged(record):
            self.unchanged += 1
            return
        status, reason = int(record.get("status") or 0), str(record.get("reason") or "")
        if not 200 <= status < 300:
            host.failed += 1
            self.reasons["failed", reason or f"status {status}"] += 1
            return
        self.downloaded += 1
        if is_passed(record):
            host.passed += 1
            self.passed += 1
            if reason:
                self.reasons["withheld", reason] += 1
        else:
            host.dropped += 1
            self.kinds[str(record.get("kind") or "other")] += 1
            self.reasons["dropped", reason or Category.NON_TAXONOMIC] += 1
        self.relevant += relevant
        self.passed_curve.add(self.downloaded, self.passed)
        self.relevant_curve.add(self.downloaded, self.relevant)


def _host(record: Mapping[str, Any]) -> str:
    for name in ("final_url", "url"):
        try:
            host = urlsplit(str(record.get(name) or "")).netloc
        except ValueError:
            continue
        if host:
            return host.rpartition("@")[2].lower()
    return "(no host)"
