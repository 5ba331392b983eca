"""Sy: leave out what repeats a text ranked higher (METU 3.2.2, algorithms 2 and 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.diversify.checks import checked_length, checked_relevance, checked_size
from taxocrawl.diversify.ranking import TIE, Ranking, first_ranking
from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from taxocrawl.diversify.similarity import Similarity


def sy(
    relevance: ArrayLike,
    similarity: Similarity,
    threshold: float = 0.5,
    k: int | None = None,
    *,
    keep_duplicates: bool = False,
) -> Ranking:
    """Walk down the first ranking and take each text unless it repeats one already taken.

    Ends when `k` texts are taken or the ranking runs out. Only the rows of texts that are taken
    are asked of `similarity`; what it compares is the difference between Sy's variants (see
    `taxocrawl.diversify.features`). Raises ArgumentError.

    Args:
        relevance: one finite number an item; the score of each item in the result.
        similarity: of the items among themselves.
        threshold: similarity, in [0, 1], from which on two texts are duplicates.
        k: number of items to take; all by default.
        keep_duplicates: put the duplicates after the texts taken, in their first order, instead
            of leaving them out.
    """
    values = checked_relevance(relevance)
    if not 0 <= threshold <= 1:
        raise ArgumentError(f"the duplicate threshold must lie in [0, 1], not {threshold}")
    length = checked_length(k, len(values))
    checked_size(len(similarity), len(values), "similarities")
    repeats = np.full(len(values), -1)
    order: list[int] = []
    duplicates: list[tuple[int, int]] = []
    for index in map(int, first_ranking(values)):
        if len(order) == length:
            break
        if repeats[index] >= 0:
            duplicates.append((index, int(repeats[index])))
            continue
        order.append(index)
        near = similarity.row(index) >= threshold - TIE
        repeats[near & (repeats < 0)] = index
    if keep_duplicates:
        order.extend(index for index, _ in duplicates[: length - len(order)])
    scores = tuple(float(values[index]) for index in order)
    return Ranking("sy", tuple(order), scores, {"threshold": threshold}, tuple(duplicates))
