"""A random forest on tf·idf features: the page filter of METU 4.2.1."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from taxocrawl.classify.examples import Examples
from taxocrawl.classify.features import TermVectors, vectors_from_state, weights
from taxocrawl.classify.margins import fit_slope
from taxocrawl.classify.stored import StoredClassifier
from taxocrawl.items import Category

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray


_LEAF = -1


class Forest(StoredClassifier):
    """Lets a text through when most trees of a random forest do.

    scikit-learn grows the trees; they are stored as numbers in model.json and walked by this class.
    The margin is twice the share of the trees' votes for taxonomic (the topic's texts, whatever the
    topic is) minus 1, in [-1, 1]; the confidence, in [0.5, 1], comes from the votes of those trees
    that had not seen a training text.

    Args:
        trees: how many, at least 10.
        max_terms: terms that features are made of, those in most training texts, at least 1.
        stopwords: words that are no terms.
        random_state: seed of the forest.
        name: for decisions.
    """

    algorithm = "forest"

    def __init__(
        self,
        *,
        trees: int = 100,
        max_terms: int = 2000,
        stopwords: Iterable[str] = (),
        random_state: int = 0,
        name: str = "forest",
    ) -> None:
        if trees < 10 or max_terms < 1:
            raise ValueError(f"expected 10 trees and a term at least, not {trees} and {max_terms}")
        self.trees, self.max_terms, self.random_state = trees, max_terms, random_state
        self.name = name
        self.card: dict[str, object] = {}
        self.vectors_: TermVectors = TermVectors(stopwords, top_words=None, stem=True)
        self.terms_: list[str] = []
        self.forest_: list[_Tree] = []
        self.slope_ = 1.0
        self.oob_accuracy_ = 0.0
        """Share of training texts that the trees which had not seen them judged right."""

    def fit_examples(self, examples: Examples) -> Self:
        # Loaded here: reading a model needs none of it.
        from sklearn.ensemble import RandomForestClassifier

        self.vectors_.fit(examples.counts)
        documents = Counter(term for counts in examples.counts for term in counts)
        useful = [term for term in documents if self.vectors_.idf_[term] > 0]
        useful.sort(key=lambda term: (-documents[term], term))
        self._keep(sorted(useful[: self.max_terms]))
        matrix = np.array([self._row(counts) for counts in examples.counts])
        positive = np.array([label is Category.TAXONOMIC for label in examples.labels])
        grown = RandomForestClassifier(
            self.trees,
            class_weight="balanced",
            oob_score=True,
            random_state=self.random_state,
            n_jobs=1,
        ).fit(matrix, positive)
        self.forest_ = [_Tree.of(estimator.tree_) for estimator in grown.estimators_]
        # A text that every tree has seen has no vote of others.
        votes = np.nan_to_num(grown.oob_decision_function_[:, 1], nan=0.5)
        self.oob_accuracy_ = float(np.mean((votes > 0.5) == positive))
        self.slope_ = fit_slope((2 * votes - 1).tolist(), examples.labels)
        return self

    def margin(self, text: str) -> float:
        """In [-1, 1], above 0 for the topic's texts."""
        return self.margin_of(self.vectors_.count(text))

    def margin_of(self, counts: Counter[str]) -> float:
        """The margin of a text that was counted before."""
        row = self._row(counts)
        return 2 * sum(tree.vote(row) for tree in self.forest_) / len(self.forest_) - 1

    def _keep(self, terms: list[str]) -> None:
        self.terms_ = terms
        self.vectors_.idf_ = {term: self.vectors_.idf_[term] for term in terms}

    def _row(self, counts: Counter[str]) -> NDArray[np.float32]:
        # As scikit-learn sees it: thresholds are compared with numbers of 32 bits.
        vector = self.vectors_.vector(counts)
        return np.array([vector.get(term, 0.0) for term in self.terms_], dtype=np.float32)

    def _state(self) -> dict[str, object]:
        return {
            "algorithm": self.algorithm,
            "vectors": self.vectors_.state(),
            "max_terms": self.max_terms,
            "random_state": self.random_state,
            "slope": self.slope_,
            "oob_accuracy": self.oob_accuracy_,
            "forest": [tree.state() for tree in self.forest_],
            "card": self.card,
        }

    @classmethod
    def _from_state(cls, model: dict[str, Any], name: str) -> Self:
        trees = [_Tree(**tree) for tree in model["forest"]]
        classifier = cls(
            trees=len(trees),
            max_terms=int(model["max_terms"]),
            random_state=int(model["random_state"]),
            name=name,
        )
        vectors = vectors_from_state(model["vectors"])
        if not isinstance(vectors, TermVectors):
            raise TypeError("a forest's features are terms")
        classifier.vectors_ = vectors
        classifier.terms_ = sorted(vectors.idf_)
        for tree in trees:
            tree.check(len(classifier.terms_))
        classifier.forest_ = trees
        numbers = weights({"slope": model["slope"], "oob": model["oob_accuracy"]})
        classifier.slope_, classifier.oob_accuracy_ = numbers["slope"], numbers["oob"]
        classifier.card = dict(model["card"])
        return classifier


def cross_validated_accuracy(
    make: Callable[[], Forest],
    texts: Sequence[str],
    labels: Sequence[Category],
    groups: Sequence[str] | None = None,
    *,
    folds: int = 5,
    random_state: int = 0,
) -> float:
    """Share of texts that a forest trained on the other folds judges right, in [0, 1].

    Texts of one group are held out together. Raises TrainingError as `Forest.fit` does.
    """
    examples = Examples.of(texts, labels, groups, make().vectors_.count)
    right = 0
    for rows in examples.folds(folds, random_state):
        forest = make().fit_examples(examples.without(rows))
        held_out = examples.select(rows)
        for counts, label in zip(held_out.counts, held_out.labels, strict=True):
            right += (forest.margin_of(counts) > 0) == (label is Category.TAXONOMIC)
    return right / len(examples)


class _Tree:
    """A grown tree, node by node; `left` is -1 at a leaf, whose `share` is its vote."""

    def __init__(
        self,
        left: list[int],
        right: list[int],
        feature: list[int],
        threshold: list[float],
        share: list[float],
    ) -> None:
        self.left, self.right, self.feature = left, right, feature
        self.threshold, self.share = threshold, share

    @classmethod
    def of(cls, tree: Any) -> Self:
        counts = tree.value[:, 0, :]
        return cls(
            tree.children_left.tolist(),
            tree.children_right.tolist(),
            tree.feature.tolist(),
            tree.threshold.tolist(),
            (counts[:, 1] / counts.sum(axis=1)).tolist(),
        )

    def vote(self, row: NDArray[np.float32]) -> float:
        node = 0
        while self.left[node] != _LEAF:
            below = row[self.feature[node]] <= self.threshold[node]
            node = self.left[node] if below else self.right[node]
        return self.share[node]

    def state(self) -> dict[str, object]:
        return {
            "left": self.left,
            "right": self.right,
            "feature": self.feature,
            "threshold": self.threshold,
            "share": self.share,
        }

    def check(self, terms: int) -> None:
        """Raise ValueError for nodes that lead nowhere or back, or ask for a term there is not."""
        number = len(self.share)
        parts = (self.left, self.right, self.feature, self.threshold)
        if not number or any(len(part) != number for part in parts):
            raise ValueError("a tree's lists are not of one length")
        for node in range(number):
            if self.left[node] == _LEAF:
                continue
            onward = self.left[node] > node and self.right[node] > node
            if not (onward and max(self.left[node], self.right[node]) < number):
                raise ValueError("a tree's nodes are out of order")
            if not 0 <= self.feature[node] < terms:
                raise ValueError("a tree asks for a term that is not there")
