"""Similarity to a gold standard by term frequencies, as Nutch's document has it.

Seed document: "Similarity based Scoring", Implementation. docs/scorers.md says what the plugin
of that name does otherwise and how to have its numbers.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.text.analysis import Analysis

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from taxocrawl.topic import GoldStandard

Combine = Literal["max", "mean", "merged"]


@dataclass(frozen=True, slots=True)
class TermShare:
    """What one term adds to a score."""

    term: str
    text: float
    """Its weight in the text: how often it occurs, for term frequencies."""
    topic: float
    """Its weight in the topic."""
    share: float
    """Its part of the score; all shares of a text add up to the score."""


class GoldStandardScorer:
    """Cosine between the term-frequency vectors of a text and of one or more gold standards.

    Args:
        goldstandards: at least one.
        analysis: makes the terms of gold standards and texts.
        combine: of several gold standards, the best score (``max``), the ``mean`` of the scores,
            or the score against all taken together as one text (``merged``).

    Raises:
        InputFileError: a gold standard is empty, or has nothing but stop words.
        ArgumentError: no gold standard, or another way to combine.
    """

    name = "cosine"

    def __init__(
        self,
        goldstandards: Sequence[GoldStandard],
        analysis: Callable[[str], list[str]] = Analysis(),  # noqa: B008 - frozen
        combine: Combine = "max",
    ) -> None:
        if combine not in get_args(Combine):
            raise ArgumentError(f"combine {combine!r}: expected {', '.join(get_args(Combine))}")
        if not goldstandards:
            raise ArgumentError("no gold standard: expected at least one")
        self._analysis, self._mean = analysis, combine == "mean"
        vectors = [self._vector(goldstandard) for goldstandard in goldstandards]
        if combine == "merged":
            vectors = [sum(vectors, Counter())]
        self._vectors = [(vector, _square(vector)) for vector in vectors]

    def score(self, text: str) -> float:
        """In [0, 1]; 0 for a text without terms."""
        frequency = Counter(self._analysis(text))
        square = _square(frequency)
        if not square:
            return 0.0
        scores = [
            _dot(frequency, vector) / math.sqrt(square * vector_square)
            for vector, vector_square in self._vectors
        ]
        return min(1.0, sum(scores) / len(scores) if self._mean else max(scores))

    def score_many(self, texts: Sequence[str]) -> list[float]:
        return [self.score(text) for text in texts]

    def terms(self, text: str) -> list[TermShare]:
        """The terms that made a text's score, largest share first, then by alphabet.

        Of several gold standards the best one's, or for ``mean`` those of all.
        """
        frequency = Counter(self._analysis(text))
        square = _square(frequency)
        used = self._vectors if self._mean else [self._best(frequency)]
        topic: Counter[str] = Counter()
        shares: dict[str, float] = {}
        for vector, vector_square in used:
            for term in frequency.keys() & vector.keys():
                part = frequency[term] * vector[term] / math.sqrt(square * vector_square)
                shares[term] = shares.get(term, 0.0) + part / len(used)
                topic[term] += vector[term]
        found = [TermShare(term, frequency[term], topic[term], shares[term]) for term in shares]
        return sorted(found, key=lambda term: (-term.share, term.term))

    def _best(self, frequency: Counter[str]) -> tuple[Counter[str], int]:
        return max(self._vectors, key=lambda pair: _dot(frequency, pair[0]) / math.sqrt(pair[1]))

    def _vector(self, goldstandard: GoldStandard) -> Counter[str]:
        vector = Counter(self._analysis(goldstandard.text))
        if not vector:
            raise InputFileError(
                f"{goldstandard.name}: the gold standard has no terms, expected words that are "
                "no stop words"
            )
        return vector


def _dot(one: Counter[str], other: Counter[str]) -> int:
    if len(one) > len(other):
        one, other = other, one
    return sum(count * other[term] for term, count in one.items() if term in other)


def _square(vector: Counter[str]) -> int:
    # Kept as a whole number, so that a text equal to its gold standard scores exactly 1.
    return sum(count * count for count in vector.values())
