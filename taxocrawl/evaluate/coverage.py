"""How well a crawl covers the aspects of its topic by true labels, in the order of its downloads.

The document judges a diversified crawl by the scores it crawls with; these figures do not.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from taxocrawl.evaluate.aspects import AspectCounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Labels = frozenset[str]
    """The aspects that a page is about by its labels; empty for a page off the topic."""


@dataclass(frozen=True, slots=True)
class CoverageFigures:
    """Figures of one crawl by true labels."""

    counts: AspectCounts
    """Of all downloads."""
    on_topic: int
    """Downloads that are about any aspect."""
    aspect_recall: float
    """Mean over aspects of the part of its pages that was downloaded, in [0, 1]."""
    alpha_ndcg: float
    """alpha-nDCG of the order of the downloads, in [0, 1]."""


def coverage_figures(
    order: Sequence[Labels], pool: Sequence[Labels], names: Sequence[str], alpha: float = 0.5
) -> CoverageFigures:
    """The figures of one crawl.

    Args:
        order: labels of each download, in their order.
        pool: labels of each page that there is to find.
        names: of the aspects.
        alpha: how little a further page on the same aspect counts, in [0, 1].

    Raises ValueError for an aspect without any page to find.
    """
    there = Counter(name for labels in pool for name in labels)
    if missing := [name for name in names if not there[name]]:
        raise ValueError(f"no page about {missing[0]} to find")
    found = Counter(name for labels in order for name in labels)
    relevant = tuple(found[name] for name in names)
    return CoverageFigures(
        AspectCounts(len(order), relevant),
        sum(bool(labels) for labels in order),
        fmean(found[name] / there[name] for name in names),
        alpha_ndcg(order, pool, alpha),
    )


def alpha_ndcg(order: Sequence[Labels], pool: Iterable[Labels], alpha: float = 0.5) -> float:
    """alpha-DCG of an order by that of the best one (Clarke et al. 2008), in [0, 1].

    A page gains (1 - alpha) ^ (pages before it on the aspect) for each aspect, discounted by
    log2(1 + rank). The best order is the greedy one, as long as `order`; 0 without any gain.
    """
    there = Counter(labels for labels in pool if labels)
    best = _alpha_dcg(_greedy(there, len(order), alpha), alpha)
    return min(1.0, _alpha_dcg(order, alpha) / best) if best else 0.0


def learning_curve(
    order: Sequence[Labels], names: Sequence[str], ends: Sequence[int]
) -> list[AspectCounts]:
    """Counts up to each of some numbers of downloads, in rising order."""
    found: Counter[str] = Counter()
    points, before = [], 0
    for number in ends:
        found.update(name for labels in order[before:number] for name in labels)
        points.append(AspectCounts(number, tuple(found[name] for name in names)))
        before = number
    return points


def _alpha_dcg(order: Iterable[Labels], alpha: float) -> float:
    seen: Counter[str] = Counter()
    total = 0.0
    for rank, labels in enumerate(order, start=1):
        total += sum((1 - alpha) ** seen[name] for name in labels) / math.log2(1 + rank)
        seen.update(labels)
    return total


def _greedy(left: Counter[Labels], length: int, alpha: float) -> list[Labels]:
    """Pages picked one by one, each the one that gains most; equal ones by their labels."""
    seen: Counter[str] = Counter()
    kinds = sorted(left, key=sorted)
    order: list[Labels] = []
    while kinds and len(order) < length:
        best = max(kinds, key=lambda kind: sum((1 - alpha) ** seen[name] for name in kind))
        order.append(best)
        seen.update(best)
        left[best] -= 1
        if not left[best]:
            kinds.remove(best)
    return order
