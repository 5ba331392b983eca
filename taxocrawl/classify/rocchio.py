"""Rocchio's classifier: one prototype vector per category, the nearer one wins (KU 3.2.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from taxocrawl.classify.features import (
    FEATURES,
    MarkerVectors,
    TermVectors,
    cosine,
    normalised,
    vectors_from_state,
    weights,
)
from taxocrawl.classify.margins import best_threshold, fit_slope
from taxocrawl.classify.stored import StoredClassifier
from taxocrawl.items import Category

if TYPE_CHECKING:
    from collections.abc import Iterable

    from taxocrawl.classify.examples import Examples
    from taxocrawl.classify.features import Vector, Vectors


class Rocchio(StoredClassifier):
    """Compares a text by cosine with the superdocument of either category.

    With ``features="document"`` this is KU 3.2.1 to the letter: the category's training documents
    merged into a superdocument, stop words out, no stemming, the `top_words` words of highest
    tf·idf of each document, cosine similarity to both. With ``features="best"`` the same rule works
    on markers (`MarkerVectors`), and the border between the categories is put where held-out texts
    part best instead of at equal similarity.

    The margin is the difference of the two similarities (minus the border), in [-2, 2]; the
    confidence is `taxocrawl.classify.margins.confidence` of it, in [0.5, 1], with a slope fitted on
    texts held out of training (`folds` folds, dealt by `random_state`).
    """

    algorithm = "rocchio"

    def __init__(
        self,
        features: str = "document",
        *,
        stopwords: Iterable[str] = (),
        top_words: int | None = 50,
        stem: bool = False,
        folds: int = 5,
        random_state: int = 0,
        name: str = "rocchio",
    ) -> None:
        if features not in FEATURES:
            raise ValueError(f"features must be one of {', '.join(FEATURES)}, not {features!r}")
        self.features = features
        self.folds = folds
        self.random_state = random_state
        self.name = name
        self.card: dict[str, object] = {}
        self.vectors_: Vectors[Any] = (
            TermVectors(stopwords, top_words=top_words, stem=stem)
            if features == TermVectors.name
            else MarkerVectors()
        )
        self.prototypes_: dict[Category, Vector] = {}
        self.threshold_ = 0.0
        self.slope_ = 1.0

    def fit_examples(self, examples: Examples) -> Self:
        margins: list[float] = []
        truth: list[Category] = []
        for rows in examples.folds(self.folds, self.random_state):
            self._learn(examples.without(rows))
            held_out = examples.select(rows)
            margins += [self._similarity_difference(counts) for counts in held_out.counts]
            truth += held_out.labels
        if self.features != TermVectors.name:
            self.threshold_ = best_threshold(margins, truth)
        self.slope_ = fit_slope([margin - self.threshold_ for margin in margins], truth)
        self._learn(examples)
        return self

    def margin(self, text: str) -> float:
        """Similarity to taxonomic minus similarity to non-taxonomic texts, minus the border."""
        counts = self.vectors_.count(text)
        return self.vectors_.bounded(counts, self._similarity_difference(counts) - self.threshold_)

    def _learn(self, examples: Examples) -> None:
        self.vectors_.fit(examples.counts)
        self.prototypes_ = {
            category: self.vectors_.superdocument(examples.of_category(category))
            for category in Category
        }

    def _similarity_difference(self, counts: object) -> float:
        vector = self.vectors_.vector(counts)
        return cosine(vector, self.prototypes_[Category.TAXONOMIC]) - cosine(
            vector, self.prototypes_[Category.NON_TAXONOMIC]
        )

    def _state(self) -> dict[str, object]:
        return {
            "algorithm": self.algorithm,
            "vectors": self.vectors_.state(),
            "prototypes": {category.value: self.prototypes_[category] for category in Category},
            "threshold": self.threshold_,
            "slope": self.slope_,
            "folds": self.folds,
            "random_state": self.random_state,
            "card": self.card,
        }

    @classmethod
    def _from_state(cls, model: dict[str, Any], name: str) -> Self:
        vectors = vectors_from_state(model["vectors"])
        classifier = cls(
            vectors.name,
            folds=int(model["folds"]),
            random_state=int(model["random_state"]),
            name=name,
        )
        classifier.vectors_ = vectors
        classifier.prototypes_ = {
            category: normalised(weights(model["prototypes"][category.value]))
            for category in Category
        }
        numbers = weights({"threshold": model["threshold"], "slope": model["slope"]})
        classifier.threshold_, classifier.slope_ = numbers["threshold"], numbers["slope"]
        classifier.card = dict(model["card"])
        return classifier
