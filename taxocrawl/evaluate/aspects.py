"""How evenly a crawl covers the aspects of its topic, batch by batch (METU 4.4.3).

Every figure is of all batches up to one, as the document prints them (tables 4.3-4.12, B.1-B.4).
A page is relevant to an aspect when its cosine to it exceeds a threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from statistics import stdev
from typing import TYPE_CHECKING, Any

from taxocrawl.evaluate.confusion import UNDEFINED, ratio
from taxocrawl.items import is_unchanged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class AspectCounts:
    """Pages of a crawl by aspect; the aspects in the order of their names."""

    downloaded: int
    """Answers with a 2xx status."""
    relevant: tuple[int, ...]
    """Downloads that are relevant to each aspect; a page may be relevant to several."""

    @property
    def shares(self) -> tuple[float | None, ...]:
        """Each aspect's part of the sum of relevant pages (table 4.6); None when that is 0."""
        return tuple(ratio(count, sum(self.relevant)) for count in self.relevant)

    @property
    def precision_ia(self) -> float | None:
        """Mean over aspects of relevant / downloaded (tables 4.5, 4.8), in [0, 1]."""
        return ratio(sum(self.relevant), self.downloaded * len(self.relevant))

    @property
    def share_deviation(self) -> float | None:
        """Sample standard deviation of `shares` (table 4.7); 0 for even coverage."""
        shares = [share for share in self.shares if share is not None]
        return stdev(shares) if len(shares) > 1 else None


@dataclass(frozen=True, slots=True)
class AspectFigures(AspectCounts):
    """The same, with the pages that have nothing to do with an aspect."""

    zero: tuple[int, ...]
    """Downloads whose cosine to each aspect is 0."""

    @property
    def zero_shares(self) -> tuple[float | None, ...]:
        """Part of the downloads whose cosine to each aspect is 0 (tables 4.11, 4.12)."""
        return tuple(ratio(count, self.downloaded) for count in self.zero)

    def __add__(self, other: AspectFigures) -> AspectFigures:
        return AspectFigures(
            self.downloaded + other.downloaded,
            tuple(a + b for a, b in zip(self.relevant, other.relevant, strict=True)),
            tuple(a + b for a, b in zip(self.zero, other.zero, strict=True)),
        )


class AspectTally:
    """Adds up fetch records as they come, by batch (iteration).

    Args:
        names: of the aspects.
        threshold: cosine above which a page is relevant to an aspect (METU: 0.1).
    """

    def __init__(self, names: Sequence[str], threshold: float = 0.1) -> None:
        self.names = tuple(names)
        self._threshold = threshold
        self._batches: dict[int, AspectFigures] = {}

    def add(self, record: Mapping[str, Any]) -> None:
        """Count a fetch record; its ``aspects`` are cosines by name, none for a page without text.

        Failed requests and second downloads that found nothing new do not count.
        """
        if is_unchanged(record) or not 200 <= int(record["status"] or 0) < 300:
            return
        cosines = record.get("aspects") or {}
        scores = [float(cosines.get(name, 0.0)) for name in self.names]
        page = AspectFigures(
            1,
            tuple(int(score > self._threshold) for score in scores),
            tuple(int(score == 0) for score in scores),
        )
        batch = int(record["iteration"])
        self._batches[batch] = self._batches.get(batch, self._nothing) + page

    @property
    def figures(self) -> list[AspectFigures]:
        """The figures up to each batch, from batch 0, with none missing in between."""
        last = max(self._batches, default=-1)
        return list(accumulate(self._batches.get(n, self._nothing) for n in range(last + 1)))

    @property
    def _nothing(self) -> AspectFigures:
        none = (0,) * len(self.names)
        return AspectFigures(0, none, none)


def aspect_fields(names: Sequence[str]) -> list[str]:
    """The columns of aspects.csv."""
    kinds = ("relevant", "share", "zero", "weight")
    return [
        *("batch", "pages", "precision_ia", "share_stdev"),
        *(f"{kind} {name}" for kind in kinds for name in names),
    ]


def aspect_rows(
    names: Sequence[str],
    figures: Sequence[AspectFigures],
    weights: Sequence[Sequence[float]] = (),
) -> list[dict[str, str]]:
    """The lines of aspects.csv: one for each batch, of all batches up to it.

    Args:
        names: of the aspects.
        figures: of `AspectTally`.
        weights: that aspects had in each batch; fewer, or none, when they did not count.
    """
    rows = []
    for batch, part in enumerate(figures):
        used = weights[batch] if batch < len(weights) else (None,) * len(names)
        row = {
            "batch": str(batch),
            "pages": str(part.downloaded),
            "precision_ia": _cell(part.precision_ia),
            "share_stdev": _cell(part.share_deviation),
        }
        columns = zip(names, part.relevant, part.shares, part.zero_shares, used, strict=True)
        for name, relevant, share, zero, weight in columns:
            row |= {
                f"relevant {name}": str(relevant),
                f"share {name}": _cell(share),
                f"zero {name}": _cell(zero),
                f"weight {name}": _cell(weight),
            }
        rows.append(row)
    return rows


def _cell(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.6f}"
