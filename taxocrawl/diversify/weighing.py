"""The aspects' weights of a crawl, which move by iteration and are kept with its frontier."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.frontier.base import Candidate, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from taxocrawl.diversify.aspects import AspectScorer
    from taxocrawl.diversify.weights import WeightFunction
    from taxocrawl.frontier.base import Entry, Frontier

TOTALS = "aspects"
"""Name of the running totals of the gathered pages' aspect scores."""
TOTALS_UNIT = 1e9
"""Totals are kept as whole billionths: they add up to the same in any order and on any store."""
WEIGHTS = "aspect weights"
"""Meta value: the weights of each iteration, from iteration 0."""
BY_ASPECT = "by_aspect"
"""Evidence of a link: what `AspectScorer.of_links` gives of it."""
_RESCORED_AT_ONCE = 1000


class AspectWeighing:
    """Gives a scorer the weights of an iteration.

    Args:
        aspects: whose weights are set.
        weigh: makes weights of totals.
    """

    def __init__(self, aspects: AspectScorer, weigh: WeightFunction) -> None:
        self._aspects, self._weigh = aspects, weigh
        self._number = len(aspects.weights)

    def begin(self, frontier: Frontier, iteration: int) -> None:
        """Score under the weights of an iteration from now on; equal ones when it has none."""
        history = frontier.get_meta(WEIGHTS) or ()
        if iteration < len(history):
            self._aspects.weights = np.array(history[iteration])
        else:
            self._aspects.weights = self._equal

    def reweigh(self, frontier: Frontier, iteration: int) -> int:
        """Weigh the aspects for the iteration after one, by the totals of all gathered pages, and
        score the waiting links again; return how many scores changed."""
        totals = np.array(frontier.totals(TOTALS) or [0.0] * self._number) / TOTALS_UNIT
        weights = self._weigh(totals)
        history = frontier.get_meta(WEIGHTS) or [self._equal.tolist()]
        frontier.set_meta(WEIGHTS, [*history[: iteration + 1], weights.tolist()])
        self._aspects.weights = weights
        waiting = (e for e in frontier.entries(State.KNOWN) if BY_ASPECT in e.evidence)
        return sum(
            frontier.rescore(self._rescored(entries))
            for entries in _pieces(waiting, _RESCORED_AT_ONCE)
        )

    def _rescored(self, entries: Sequence[Entry]) -> list[Candidate]:
        scores = self._aspects.combined(np.array([e.evidence[BY_ASPECT] for e in entries]).T)
        return [
            Candidate(entry.url, score, evidence={**entry.evidence, "score": score})
            for entry, score in zip(entries, scores.tolist(), strict=True)
        ]

    @property
    def _equal(self) -> NDArray[np.float64]:
        return np.full(self._number, 1 / self._number)


def _pieces(entries: Iterable[Entry], size: int) -> Iterator[list[Entry]]:
    piece: list[Entry] = []
    for entry in entries:
        piece.append(entry)
        if len(piece) == size:
            yield piece
            piece = []
    if piece:
        yield piece
