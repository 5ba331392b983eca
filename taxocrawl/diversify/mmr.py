"""Maximal marginal relevance (METU 3.2.1, eq. 3.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.diversify.checks import (
    checked_lambda,
    checked_length,
    checked_relevance,
    checked_size,
)
from taxocrawl.diversify.ranking import Ranking, best

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from taxocrawl.diversify.similarity import Similarity


def mmr(
    relevance: ArrayLike, similarity: Similarity, lambda_: float = 0.5, k: int | None = None
) -> Ranking:
    """Choose greedily by lambda * relevance - (1 - lambda) * highest similarity to any chosen one.

    Only the `k` rows of the chosen items are asked of `similarity`. The first penalty is 0.
    Equal values go to the more relevant item, then to the earlier one, so that lambda = 1 gives
    the first ranking and lambda = 0 begins with its head. Raises ArgumentError.

    Args:
        relevance: similarity to the query, one finite number an item.
        similarity: of the items among themselves, on the same scale as `relevance`.
        lambda_: in [0, 1]; 1 is relevance alone, 0 diversity alone.
        k: number of items to choose; all by default.
    """
    values = checked_relevance(relevance)
    weight = checked_lambda(lambda_)
    length = checked_length(k, len(values))
    checked_size(len(similarity), len(values), "similarities")
    gain = weight * values
    nearest = np.full(len(values), -np.inf)
    scores = gain.copy()
    order: list[int] = []
    chosen_at: list[float] = []
    while len(order) < length:
        index = best(scores, values)
        order.append(index)
        chosen_at.append(float(scores[index]))
        gain[index] = -np.inf
        if len(order) < length:
            np.maximum(nearest, similarity.row(index), out=nearest)
            scores = gain - (1 - weight) * nearest
    return Ranking("mmr", tuple(order), tuple(chosen_at), {"lambda": weight})
