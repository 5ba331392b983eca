"""Sweeps of a parameter over queries, and its choice by cross-validation (METU 5.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING

from taxocrawl.evaluate.ranking import REPORTED, RankingFigures, ranking_figures
from taxocrawl.rerank.representations import TextModel

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from taxocrawl.diversify.features import Post
    from taxocrawl.diversify.similarity import Similarity
    from taxocrawl.evaluate.collection import Collection
    from taxocrawl.rerank.reranker import Reranker

LAMBDAS = tuple(round(step / 20, 2) for step in range(1, 20))
"""0.05 to 0.95, as in METU table 5.4."""
TARGET = "alpha-nDCG@20"
"""The figure by which parameters are chosen."""


@dataclass(frozen=True)
class RememberingModel(TextModel):
    """A text model that computes nothing twice: a sweep asks the same of it for each value."""

    memory: dict[Hashable, object] = field(default_factory=dict, repr=False, compare=False)

    def relevance(self, method: str, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        key = ("relevance", method, query, tuple(texts))
        if key not in self.memory:
            self.memory[key] = super().relevance(method, query, texts)
        return self.memory[key]  # type: ignore[return-value]

    def similarity(self, method: str, posts: Sequence[Post], least: float = 0.0) -> Similarity:
        """As the text model's, but exact for every pair, whatever matters to this caller."""
        key = ("similarity", method, tuple(posts))
        if key not in self.memory:
            self.memory[key] = _RememberedRows(super().similarity(method, posts))
        return self.memory[key]  # type: ignore[return-value]


class _RememberedRows:
    def __init__(self, similarity: Similarity) -> None:
        self._similarity = similarity
        self._rows: dict[int, NDArray[np.float64]] = {}

    def __len__(self) -> int:
        return len(self._similarity)

    def row(self, index: int) -> NDArray[np.float64]:
        if index not in self._rows:
            self._rows[index] = self._similarity.row(index)
        return self._rows[index]


def figures_of(collection: Collection, reranker: Reranker, model: TextModel) -> RankingFigures:
    """The reported figures of one way to rerank every query of a collection."""
    rankings = {}
    for query, text in collection.queries.items():
        pool = collection.pools[query]
        ranking = reranker.rerank(pool, text, model, collection.aspects.get(query, ()))
        rankings[query] = [found.id for found in ranking.apply(pool)]
    return ranking_figures(collection.qrels, rankings, REPORTED)


@dataclass(frozen=True, slots=True)
class Choice:
    """What came of choosing one of several systems."""

    label: str
    """The system chosen, for cross-validation the one chosen most often."""
    figures: RankingFigures


def best_of(systems: Mapping[str, RankingFigures]) -> Choice:
    """The system with the highest mean on the very queries it is reported for.

    This is the document's habit, and flatters the more the more systems there are. Ties go to
    the earlier system.
    """
    label = max(systems, key=lambda name: systems[name].mean(TARGET))
    return Choice(label, systems[label])


def cross_validated(systems: Mapping[str, RankingFigures]) -> Choice:
    """For each query, the system that is best over all other queries (leave one out).

    No query's figures come from a choice that has seen it. Ties go to the earlier system. All
    systems must have the same queries.
    """
    names = list(systems)
    queries = list(systems[names[0]].queries)
    values = {name: systems[name].values(TARGET) for name in names}
    sums = {name: sum(values[name]) for name in names}
    chosen: list[str] = []
    figures: dict[str, Mapping[str, float]] = {}
    for place, query in enumerate(queries):
        # Rounded, so that sums in another order of addition still tie.
        pick = max(names, key=lambda name: round(sums[name] - values[name][place], 9))
        chosen.append(pick)
        figures[query] = systems[pick].queries[query]
    label = max(names, key=chosen.count)
    return Choice(label, RankingFigures(figures))


def mean_figures(figures: RankingFigures) -> tuple[float, ...]:
    """The means of `REPORTED`, in its order."""
    return tuple(fmean(figures.values(measure)) if figures.queries else 0.0 for measure in REPORTED)
