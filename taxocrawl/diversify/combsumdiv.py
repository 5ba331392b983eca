"""CombSumDiv and its moving aspect weights (METU 4.3.2, eq. 4.6-4.10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.diversify.checks import (
    checked_aspects,
    checked_lambda,
    checked_length,
    checked_relevance,
)
from taxocrawl.diversify.ranking import Ranking, first_ranking
from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def aspect_weights(totals: ArrayLike, *, normalise: bool = True) -> NDArray[np.float64]:
    """The weight of each aspect: the less an aspect was scored so far, the more it weighs.

    (sum - total of the aspect) / sum (eq. 4.7). Those weights sum to |A| - 1; divided by that
    they sum to 1, as the equal weights of the first iteration do, so that scores of different
    iterations compare. Without any score yet, and for a single aspect, all weights are equal.

    Args:
        totals: sum of the scores of all pages so far, one number >= 0 an aspect.
        normalise: False gives the numbers as the document prints them.

    Raises ArgumentError for no aspects and for totals that are negative or not finite.
    """
    values = np.asarray(totals, dtype=np.float64)
    if values.ndim != 1 or not len(values):
        raise ArgumentError("no aspects given: weights need the total score of at least one")
    if not np.isfinite(values).all() or (values < 0).any():
        raise ArgumentError("total scores of aspects must be finite and 0 or more")
    total = float(values.sum())
    if not total or len(values) == 1:
        return np.full(len(values), 1 / len(values))
    weights = (total - values) / total
    return weights / (len(values) - 1) if normalise else weights


def combsumdiv_scores(
    relevance: ArrayLike, aspects: ArrayLike, weights: ArrayLike | None = None, lambda_: float = 0.5
) -> NDArray[np.float64]:
    """(1 - lambda) P(d|q) + lambda * sum over aspects of w_i P(d|q_i) for each item (eq. 4.6).

    In [0, 1] when `relevance` is and the weights sum to 1. Raises ArgumentError.

    Args:
        relevance: P(d|q), one number an item.
        aspects: P(d|q_i) in [0, 1], of shape (aspects, items).
        weights: w_i, taken as they are (see `aspect_weights`); equal ones that sum to 1 by default.
        lambda_: share of the aspects, in [0, 1].
    """
    values = checked_relevance(relevance)
    share = checked_lambda(lambda_)
    of_aspects = checked_aspects(aspects, len(values))
    if weights is None:
        used = np.full(len(of_aspects), 1 / len(of_aspects))
    else:
        used = np.asarray(weights, dtype=np.float64)
    if used.shape != (len(of_aspects),):
        raise ArgumentError(f"{used.size} weights given for {len(of_aspects)} aspects")
    if not np.isfinite(used).all() or (used < 0).any():
        raise ArgumentError("weights of aspects must be finite and 0 or more")
    combined: NDArray[np.float64] = (1 - share) * values + share * (used @ of_aspects)
    return combined


def combsumdiv(
    relevance: ArrayLike,
    aspects: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    lambda_: float = 0.5,
    k: int | None = None,
) -> Ranking:
    """The items by falling `combsumdiv_scores`; equal ones by relevance, then in input order."""
    values = checked_relevance(relevance)
    length = checked_length(k, len(values))
    scores = combsumdiv_scores(values, aspects, weights, lambda_)
    by_relevance = first_ranking(values)
    order = by_relevance[first_ranking(np.round(scores[by_relevance], 12))][:length]
    parameters = {"lambda": float(lambda_), "aspects": len(np.asarray(aspects))}
    chosen = tuple(float(scores[index]) for index in order)
    return Ranking("combsumdiv", tuple(int(index) for index in order), chosen, parameters)
