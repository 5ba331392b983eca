"""Word Mover's Distance of short texts (METU 3.3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import block_diag, hstack, identity, vstack

from taxocrawl.diversify.similarity import unit_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

try:
    from ot import emd2
except ImportError:
    emd2 = None


def transport_cost(
    supply: NDArray[np.float64], demand: NDArray[np.float64], cost: NDArray[np.float64]
) -> float:
    """The least cost of moving masses `supply` to `demand`, which both sum to 1.

    By POT when it is installed (the extra `vectors`), else some thirty times slower by scipy's
    linear programming; both are exact.
    """
    if emd2 is not None:
        return float(emd2(supply, demand, cost))
    rows, columns = cost.shape
    leaving = block_diag([np.ones((1, columns))] * rows)
    arriving = hstack([identity(columns)] * rows)
    result = linprog(
        cost.ravel(), A_eq=vstack([leaving, arriving]), b_eq=np.concatenate([supply, demand])
    )
    return float(result.fun)


def relaxed_cost(
    supply: NDArray[np.float64], demand: NDArray[np.float64], cost: NDArray[np.float64]
) -> float:
    """A bound from below: every mass goes to where it is nearest, the better of both ways."""
    return float(max(supply @ cost.min(axis=1), demand @ cost.min(axis=0)))


class WordMoverSimilarity:
    """1 / (1 + Word Mover's Distance) of texts, in [0, 1].

    Word vectors are scaled to length 1, each word of a text has the same mass, distances are
    Euclidean. A text without a known word is infinitely far from others: similarity 0.

    Args:
        texts: the vectors of each text's words, shape (words, dimensions), repeats included.
        least: the smallest similarity that matters. A pair that its relaxed bound puts below has
            that bound's similarity instead, which is never too small and costs a tenth.
    """

    def __init__(self, texts: Sequence[ArrayLike], least: float = 0.0) -> None:
        self._bags = [_bag(text) for text in texts]
        self._least = least

    def __len__(self) -> int:
        return len(self._bags)

    def row(self, index: int) -> NDArray[np.float64]:
        values = np.array([self._pair(index, other) for other in range(len(self))])
        values[index] = 1.0
        return values

    def _pair(self, first: int, second: int) -> float:
        # The earlier one always supplies, so that both ways give the same last digit.
        one, two = self._bags[min(first, second)], self._bags[max(first, second)]
        if first == second or not len(one[1]) or not len(two[1]):
            return float(first == second)
        cost = np.sqrt(np.maximum(0.0, 2.0 - 2.0 * (one[0] @ two[0].T)))
        bound = 1 / (1 + relaxed_cost(one[1], two[1], cost))
        if bound < self._least:
            return bound
        return 1 / (1 + max(0.0, transport_cost(one[1], two[1], cost)))


def _bag(text: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The different vectors of a text, of length 1, and the share of its words that each has."""
    vectors = np.asarray(text, dtype=np.float64)
    if not len(vectors):
        return vectors, np.zeros(0)
    different, counts = np.unique(vectors, axis=0, return_counts=True)
    return unit_rows(different).astype(np.float64, copy=False), counts / counts.sum()
