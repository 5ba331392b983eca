"""Explicit query aspect diversification (METU 3.2.3, eq. 3.11, algorithm 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from taxocrawl.diversify.checks import (
    checked_aspects,
    checked_lambda,
    checked_length,
    checked_relevance,
    checked_weights,
)
from taxocrawl.diversify.ranking import Ranking, best
from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Scale = Literal["sum", "max", "minmax"]


def as_probabilities(scores: ArrayLike, scale: Scale = "sum") -> NDArray[np.float64]:
    """Scores of one list, or of each row, brought to [0, 1].

    Negative scores count as 0. `sum` makes the values of a list sum to 1 and so a distribution
    over its items; `max` makes the best item's value 1; `minmax` makes the worst one's 0 besides.
    A list without any positive score stays 0. Raises ArgumentError for values that are not
    finite.
    """
    values = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ArgumentError("scores must be finite to be made probabilities")
    if scale == "minmax" and values.size:
        values = values - values.min(axis=-1, keepdims=True)
    values = np.maximum(values, 0.0)
    if not values.size:
        return values
    # Divided by the largest first: the sum of huge scores would not be finite.
    values = _divided(values, values.max(axis=-1, keepdims=True))
    return _divided(values, values.sum(axis=-1, keepdims=True)) if scale == "sum" else values


def _divided(values: NDArray[np.float64], by: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(values, by, out=np.zeros_like(values), where=by > 0)


def xquad(
    relevance: ArrayLike,
    aspects: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    lambda_: float = 0.5,
    k: int | None = None,
) -> Ranking:
    """Choose greedily by (1 - lambda) P(d|q) + lambda P(d, not S|q).

    P(d, not S|q) = sum over aspects i of w_i P(d|q_i) * product over chosen d' of
    (1 - P(d'|q_i)): what the chosen documents already satisfy counts less and less. An aspect
    with a chosen document of P = 1 counts no more; then relevance decides, then input order.
    Raises ArgumentError.

    Args:
        relevance: P(d|q), one number an item; see `as_probabilities`.
        aspects: P(d|q_i) in [0, 1], of shape (aspects, items), at least one aspect.
        weights: w_i = P(q_i|q), scaled to sum 1; uniform by default.
        lambda_: in [0, 1]; 0 is relevance alone (unlike in MMR), 1 diversity alone.
        k: number of items to choose; all by default.
    """
    values = checked_relevance(relevance)
    share = checked_lambda(lambda_)
    length = checked_length(k, len(values))
    of_aspects = checked_aspects(aspects, len(values))
    # What of each aspect's weight no chosen document has satisfied yet.
    wanted = checked_weights(weights, len(of_aspects)).copy()
    base = (1 - share) * values
    order: list[int] = []
    scores: list[float] = []
    while len(order) < length:
        gains = base + share * (wanted @ of_aspects)
        index = best(gains, values)
        order.append(index)
        scores.append(float(gains[index]))
        base[index] = -np.inf
        wanted *= 1 - of_aspects[:, index]
    parameters = {"lambda": share, "aspects": len(of_aspects)}
    return Ranking("xquad", tuple(order), tuple(scores), parameters)
