"""From a margin to a decision and its confidence.

Every classifier here answers with a margin: positive for taxonomic. Category and confidence both
come from it alone, the confidence growing with its size, so that the two can never disagree (as
libsvm's probabilities and predictions may).
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from taxocrawl.items import Category, Decision

if TYPE_CHECKING:
    from collections.abc import Sequence

_SLOPES = [2 ** (step / 4) for step in range(-16, 33)]
DEFAULT_SLOPE = 1.0
"""Slope of a classifier trained on too few texts to hold any out."""


def decision(margin: float, slope: float, model: str) -> Decision:
    """Taxonomic for a margin above 0, else non-taxonomic, with its confidence."""
    category = Category.TAXONOMIC if margin > 0 else Category.NON_TAXONOMIC
    return Decision(category, confidence(margin, slope), model)


def confidence(margin: float, slope: float) -> float:
    """``1 / (1 + exp(-slope * |margin|))``, in [0.5, 1]: 0.5 on the border, whichever the side."""
    return 1.0 / (1.0 + math.exp(-min(slope * abs(margin), 700.0)))


def fit_slope(margins: Sequence[float], labels: Sequence[Category]) -> float:
    """The slope under which held-out decisions are most likely, from 1/16 to 256.

    Platt's calibration without its offset, which could turn a decision round; his corrected
    targets ``(n + 1) / (n + 2)`` keep a faultless classifier from claiming certainty. Ties go to
    the smaller slope.
    """
    signed = [
        margin if label is Category.TAXONOMIC else -margin
        for margin, label in zip(margins, labels, strict=True)
    ]
    if not signed:
        return DEFAULT_SLOPE
    target = (len(signed) + 1) / (len(signed) + 2)
    return min(_SLOPES, key=lambda slope: (_loss(signed, slope, target), slope))


def _loss(signed: Sequence[float], slope: float, target: float) -> float:
    return math.fsum(
        target * _softplus(-slope * margin) + (1 - target) * _softplus(slope * margin)
        for margin in signed
    )


def _softplus(x: float) -> float:
    """``log(1 + exp(x))`` without overflow."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def best_threshold(margins: Sequence[float], labels: Sequence[Category]) -> float:
    """The margin that best parts held-out categories, both counting alike.

    Maximises the mean of the two categories' accuracies over 0 and the midpoints between
    neighbouring margins; among equals, the one nearest to 0.
    """
    ordered = sorted(zip(margins, labels, strict=True))
    middles = [0.0, *((a[0] + b[0]) / 2 for a, b in pairwise(ordered) if a[0] < b[0])]
    positive = [m for m, label in ordered if label is Category.TAXONOMIC]
    negative = [m for m, label in ordered if label is not Category.TAXONOMIC]

    def quality(threshold: float) -> tuple[float, float, float]:
        hits = sum(m > threshold for m in positive) / max(len(positive), 1)
        rejections = sum(m <= threshold for m in negative) / max(len(negative), 1)
        return hits + rejections, -abs(threshold), threshold

    return max(middles, key=quality)
