"""How a classifier is trained: the document's two ways, and ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from taxocrawl.classify import ALGORITHMS, Rocchio, Svm
from taxocrawl.classify.examples import Examples
from taxocrawl.classify.features import FEATURES
from taxocrawl.classify.training import draw_per_category, with_views
from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from taxocrawl.classify.training import Sample

DOCUMENTS_PER_CATEGORY = {"rocchio": 50, "svm": 20}
"""Training documents of each category in the KU document (3.2.1.2 and 4.2.1)."""

MARKER_COSTS = (0.125, 0.5)
"""C for markers: beyond 0.5, accuracy on publishers that were left out of training falls."""

MARKER_FOLDS = 3
"""Folds to choose among so few; the training sets are large."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """An algorithm and its features, with all that follows from the choice.

    Features "document": the document's way, from `per_category` documents of each category.
    Features "best": markers, from all documents and passages of them (`with_views`).
    """

    algorithm: str
    features: str
    per_category: int | None = None
    stopwords: frozenset[str] = frozenset()
    seed: int = 0

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise ArgumentError(
                f"algorithm {self.algorithm!r}: expected one of {', '.join(ALGORITHMS)}"
            )
        if self.features not in FEATURES:
            raise ArgumentError(
                f"features {self.features!r}: expected one of {', '.join(FEATURES)}"
            )

    @classmethod
    def document(
        cls,
        algorithm: str,
        stopwords: Iterable[str],
        *,
        per_category: int | None = None,
        seed: int = 0,
    ) -> Recipe:
        """The KU document's recipe for an algorithm, with its number of training documents."""
        number = per_category or DOCUMENTS_PER_CATEGORY.get(algorithm)
        return cls(algorithm, "document", number, frozenset(stopwords), seed)

    @classmethod
    def best(cls, algorithm: str) -> Recipe:
        """Our recipe for an algorithm."""
        return cls(algorithm, "best")

    def training_samples(self, samples: Sequence[Sample]) -> list[Sample]:
        """What of the samples is learned from."""
        chosen = list(samples)
        if self.per_category is not None:
            chosen = draw_per_category(chosen, self.per_category, seed=self.seed)
        return with_views(chosen) if self.features == "best" else chosen

    def train(
        self, samples: Sequence[Sample], counted: dict[str, Any] | None = None
    ) -> Rocchio | Svm:
        """A classifier trained on samples. Raises TrainingError where a category is missing.

        `counted` keeps what was counted in each text from one call to the next.
        """
        chosen = self.training_samples(samples)
        classifier = self._classifier()
        known = {} if counted is None else counted

        def count(text: str) -> Any:
            if text not in known:
                known[text] = classifier.vectors_.count(text)
            return known[text]

        examples = Examples.of(
            [sample.text for sample in chosen],
            [sample.category for sample in chosen],
            [sample.group for sample in chosen],
            count,
        )
        return classifier.fit_examples(examples)

    def _classifier(self) -> Rocchio | Svm:
        if self.algorithm == Rocchio.algorithm:
            return Rocchio(self.features, stopwords=self.stopwords, random_state=self.seed)
        if self.features == "best":
            return Svm("best", costs=MARKER_COSTS, folds=MARKER_FOLDS, random_state=self.seed)
        return Svm("document", stopwords=self.stopwords, random_state=self.seed)
