"""What classifiers have in common that decide by a margin between two categories."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Self

from taxocrawl.classify.examples import Examples
from taxocrawl.classify.margins import decision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taxocrawl.classify.features import Vectors
    from taxocrawl.items import Category, Decision


class MarginClassifier(ABC):
    """Learns from texts by counting them, and decides by the sign of a margin."""

    name: str
    vectors_: Vectors[Any]
    slope_: float
    """Of the logistic curve that makes a confidence of a margin."""

    def fit(
        self,
        texts: Sequence[str],
        labels: Sequence[Category],
        groups: Sequence[str] | None = None,
    ) -> Self:
        """Learn from texts; texts of one group (article) are held out together.

        Raises TrainingError for an empty or one-category training set.
        """
        return self.fit_examples(Examples.of(texts, labels, groups, self.vectors_.count))

    @abstractmethod
    def fit_examples(self, examples: Examples) -> Self:
        """Learn from texts that were counted before, by `vectors_.count` of an equal classifier."""

    @abstractmethod
    def margin(self, text: str) -> float:
        """Above 0 for a taxonomic text."""

    def decide(self, text: str) -> Decision:
        """Classify one text; an empty text is non-taxonomic with confidence 0.5."""
        margin = self.margin(text) if text.strip() else 0.0
        return decision(margin, self.slope_, self.name)

    def decide_many(self, texts: Sequence[str]) -> list[Decision]:
        return [self.decide(text) for text in texts]
