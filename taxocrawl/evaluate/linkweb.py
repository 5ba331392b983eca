"""Figures of a crawl for one topic by the order of its downloads, for the link-web experiment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class OrderFigures:
    """How early and how completely a crawl found what is relevant; each in [0, 1]."""

    recall: float
    """Share of all relevant pages among the downloads up to the page limit."""
    precision: float
    """Share of relevant pages among the first downloads, missing ones counting as irrelevant."""
    r_precision: float
    """Precision after as many downloads as there are relevant pages."""


def order_figures(
    relevant: Sequence[bool], total: int, *, pages: int = 300, first: int = 100
) -> OrderFigures:
    """The figures of one crawl.

    Args:
        relevant: whether each download is relevant, in their order.
        total: number of relevant pages that there are, at least 1.
        pages: downloads that count for recall.
        first: downloads that count for precision.

    Raises ValueError when there is nothing relevant to find.
    """
    if total < 1:
        raise ValueError("no relevant page to find")
    return OrderFigures(
        sum(relevant[:pages]) / total,
        sum(relevant[:first]) / first,
        sum(relevant[:total]) / total,
    )


def mean_figures(figures: Sequence[OrderFigures]) -> OrderFigures:
    """The mean over topics, each counting alike."""
    number = len(figures)
    return OrderFigures(
        sum(f.recall for f in figures) / number,
        sum(f.precision for f in figures) / number,
        sum(f.r_precision for f in figures) / number,
    )
