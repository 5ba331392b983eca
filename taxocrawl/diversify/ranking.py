"""What a reranker answers, and the choice that every greedy one makes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeVar

    from numpy.typing import NDArray

    T = TypeVar("T")

TIE = 1e-12
"""Scores that differ by less are equal: 0.35 - 0.4 and 0.25 - 0.3 are both -0.05."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """A reranked list: which items in which order, by what scores, under which parameters."""

    method: str
    order: tuple[int, ...]
    """Positions in the input, best first, each at most once."""
    scores: tuple[float, ...]
    """The value by which each item of `order` was chosen at its turn; need not fall."""
    parameters: Mapping[str, object] = field(default_factory=dict)
    duplicates: tuple[tuple[int, int], ...] = ()
    """Items left out as duplicates, each with the chosen item that it repeats, in input order."""

    def apply(self, items: Sequence[T]) -> list[T]:
        """The items themselves in the new order."""
        return [items[index] for index in self.order]


def first_ranking(relevance: NDArray[np.float64]) -> NDArray[np.intp]:
    """Positions by falling relevance, equal ones in input order."""
    return np.argsort(-relevance, kind="stable")


def best(scores: NDArray[np.float64], relevance: NDArray[np.float64]) -> int:
    """Position of the highest score; ties go to the more relevant, then to the earlier item.

    Items that may not be chosen have the score -inf.
    """
    top = int(scores.argmax())
    tied = np.flatnonzero(scores >= scores[top] - TIE)
    return top if len(tied) == 1 else int(tied[relevance[tied].argmax()])
