"""What every topic scorer promises."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


class Scorer(Protocol):
    """Similarity of texts to one topic, fixed when the scorer is made."""

    name: str

    def score(self, text: str) -> float:
        """A finite number in [0, 1]; 0 for a text without any of the topic's terms."""

    def score_many(self, texts: Sequence[str]) -> list[float]:
        """The scores of several texts, in their order; equal to `score` of each."""


class NoScorer:
    """Scores nothing: links are followed in the order of their discovery (breadth-first)."""

    name = "none"

    def score(self, text: str) -> float:
        return 0.0

    def score_many(self, texts: Sequence[str]) -> list[float]:
        return [0.0] * len(texts)


def in_unit_interval(score: float) -> float:
    """A score held to [0, 1]; what is not a number counts as 0."""
    return 0.0 if math.isnan(score) else min(1.0, max(0.0, score))
