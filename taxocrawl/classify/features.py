"""Texts as vectors: the KU document's terms, and markers that hold for every publisher.

Both kinds of vectors have the same four steps, so that Rocchio and SVM work with either:
`count` (once per text), `fit` (on the training texts' counts), `vector` (one text, L2-normalised),
`superdocument` (one category's texts merged).
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from taxocrawl.classify.markers import NAMES, has_evidence, marker_values
from taxocrawl.text.tokens import stem as stemmed
from taxocrawl.text.tokens import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FEATURE_VERSION = 1
"""Rises with every change of what the vectors hold; a model of another version is refused."""

MAX_CHARACTERS = 200_000
"""A text is read up to here: some 30,000 words, more than any treatment needs to show itself."""

Vector = dict[str, float]


Counts = TypeVar("Counts")


class Vectors(Protocol[Counts]):
    """One way from texts to vectors."""

    name: str

    def count(self, text: str) -> Counts:
        """What is counted in a text, independent of any training set."""

    def fit(self, counts: Sequence[Counts]) -> Self:
        """Learn the collection's weights from the training texts' counts."""

    def vector(self, counts: Counts) -> Vector:
        """The text's features of non-zero weight; of length 1, or empty."""

    def training_vector(self, counts: Counts) -> Vector:
        """The vector of a training text, where it differs from that of a text to classify."""

    def superdocument(self, counts: Sequence[Counts]) -> Vector:
        """The texts of one category merged into one vector of length 1, or empty."""

    def bounded(self, counts: Counts, margin: float) -> float:
        """The margin, held below 0 for a text without what every taxonomic text has."""

    def state(self) -> dict[str, object]:
        """Parameters and learned weights, as JSON can hold them."""


def normalised(vector: Mapping[str, float]) -> Vector:
    """The vector divided by its Euclidean length; an empty one stays empty."""
    length = math.sqrt(math.fsum(value * value for value in vector.values()))
    return {name: value / length for name, value in vector.items() if value} if length else {}


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Dot product of two vectors of length 1, in [-1, 1]; 0 when either is empty."""
    if len(one) > len(other):
        one, other = other, one
    return math.fsum(value * other[name] for name, value in one.items() if name in other)


class TermVectors:
    """Words weighted by tf·idf, as in the KU document (3.2.1.2, 3.2.2.1, 4.2.1).

    ``idf = log(N / n)`` over the N training documents, n of which hold the term. Stop words are
    left out; words are not stemmed unless `stem`. Of every document the `top_words` words of
    highest weight count (all when None); ties go by the alphabet. With `all_in_training`, training
    documents give all their words, as the document's SVM does (3.2.2.1).
    """

    name = "document"

    def __init__(
        self,
        stopwords: Iterable[str] = (),
        *,
        top_words: int | None = 50,
        stem: bool = False,
        all_in_training: bool = False,
    ) -> None:
        if top_words is not None and top_words < 1:
            raise ValueError(f"top_words must be at least 1, not {top_words}")
        self.stopwords = frozenset(stopwords)
        self.top_words = top_words
        self.stem = stem
        self.all_in_training = all_in_training
        self.idf_: dict[str, float] = {}

    def count(self, text: str) -> Counter[str]:
        tokens: Iterable[str] = words(text[:MAX_CHARACTERS])
        tokens = [token for token in tokens if token not in self.stopwords]
        return Counter(stemmed(tokens) if self.stem else tokens)

    def fit(self, counts: Sequence[Counter[str]]) -> Self:
        documents: Counter[str] = Counter()
        for one in counts:
            documents.update(one.keys())
        self.idf_ = {term: math.log(len(counts) / n) for term, n in sorted(documents.items())}
        return self

    def vector(self, counts: Counter[str]) -> Vector:
        return normalised(self._weighted(self._top(counts, self.top_words)))

    def training_vector(self, counts: Counter[str]) -> Vector:
        top = None if self.all_in_training else self.top_words
        return normalised(self._weighted(self._top(counts, top)))

    def superdocument(self, counts: Sequence[Counter[str]]) -> Vector:
        merged: Counter[str] = Counter()
        for one in counts:
            merged.update(self._top(one, self.top_words))
        return normalised(self._weighted(merged))

    def _weighted(self, counts: Mapping[str, int]) -> Vector:
        idf = self.idf_
        return {term: count * idf[term] for term, count in counts.items() if idf.get(term)}

    def _top(self, counts: Counter[str], limit: int | None) -> dict[str, int]:
        """The known terms of highest tf·idf with their frequencies."""
        weights = self._weighted(counts)
        if limit is None or len(weights) <= limit:
            best: Iterable[str] = weights
        else:
            best = sorted(weights, key=lambda term: (-weights[term], term))[:limit]
        return {term: counts[term] for term in best}

    def bounded(self, counts: Counter[str], margin: float) -> float:
        return margin

    def state(self) -> dict[str, object]:
        return {
            "name": self.name,
            "stopwords": sorted(self.stopwords),
            "top_words": self.top_words,
            "stem": self.stem,
            "all_in_training": self.all_in_training,
            "idf": self.idf_,
        }

    @classmethod
    def from_state(cls, state: Mapping[str, object]) -> Self:
        top_words = state["top_words"]
        vectors = cls(
            _strings(state["stopwords"]),
            top_words=None if top_words is None else int(str(top_words)),
            stem=bool(state["stem"]),
            all_in_training=bool(state["all_in_training"]),
        )
        vectors.idf_ = weights(state["idf"])
        return vectors


class MarkerVectors:
    """Markers of taxonomic and other texts (`taxocrawl.classify.markers`).

    With `standardise`, a marker's value is taken relative to the training texts: minus their mean,
    divided by their standard deviation plus `smoothing` (which keeps a marker seen once from
    deciding alone), and the vector has length 1. Without, the values stand as they are, for a
    classifier that scales them itself.
    """

    name = "best"

    def __init__(self, *, standardise: bool = True, smoothing: float = 0.1) -> None:
        if smoothing <= 0:
            raise ValueError(f"smoothing must be positive, not {smoothing}")
        self.standardise = standardise
        self.smoothing = smoothing
        self.mean_: dict[str, float] = {}
        self.spread_: dict[str, float] = {}

    def count(self, text: str) -> tuple[float, ...]:
        return marker_values(text[:MAX_CHARACTERS])

    def fit(self, counts: Sequence[tuple[float, ...]]) -> Self:
        for name, values in zip(NAMES, zip(*counts, strict=True), strict=True):
            mean = math.fsum(values) / len(values)
            variance = math.fsum((value - mean) ** 2 for value in values) / len(values)
            self.mean_[name] = mean
            self.spread_[name] = math.sqrt(variance) + self.smoothing
        return self

    def vector(self, counts: tuple[float, ...]) -> Vector:
        pairs = zip(NAMES, counts, strict=True)
        if not self.standardise:
            return {name: value for name, value in pairs if value}
        mean, spread = self.mean_, self.spread_
        return normalised({name: (value - mean[name]) / spread[name] for name, value in pairs})

    def training_vector(self, counts: tuple[float, ...]) -> Vector:
        return self.vector(counts)

    def superdocument(self, counts: Sequence[tuple[float, ...]]) -> Vector:
        vectors = [self.vector(one) for one in counts]
        return normalised(
            {name: math.fsum(vector.get(name, 0.0) for vector in vectors) for name in NAMES}
        )

    def bounded(self, counts: tuple[float, ...], margin: float) -> float:
        return margin if has_evidence(counts) else -abs(margin)

    def state(self) -> dict[str, object]:
        return {
            "name": self.name,
            "standardise": self.standardise,
            "smoothing": self.smoothing,
            "mean": self.mean_,
            "spread": self.spread_,
        }

    @classmethod
    def from_state(cls, state: Mapping[str, object]) -> Self:
        vectors = cls(
            standardise=bool(state["standardise"]), smoothing=float(str(state["smoothing"]))
        )
        vectors.mean_, vectors.spread_ = weights(state["mean"]), weights(state["spread"])
        if set(vectors.mean_) != set(NAMES) or set(vectors.spread_) != set(NAMES):
            raise ValueError("its markers are not those of this version")
        return vectors


FEATURES: tuple[str, ...] = (TermVectors.name, MarkerVectors.name)
"""The kinds of features that can be named in a command or a model."""


def vectors_from_state(state: object) -> TermVectors | MarkerVectors:
    """The vectors that were stored as `state`.

    Raises ValueError, KeyError or TypeError for anything else.
    """
    if not isinstance(state, dict):
        raise TypeError("the features are no object")
    if state["name"] == TermVectors.name:
        return TermVectors.from_state(state)
    if state["name"] == MarkerVectors.name:
        return MarkerVectors.from_state(state)
    raise ValueError(f"features {state['name']!r} are not known")


def weights(value: object) -> Vector:
    """Numbers by name, read back from JSON. Raises TypeError or ValueError for anything else."""
    if not isinstance(value, dict):
        raise TypeError("expected numbers by name")
    return {str(name): _finite(number) for name, number in value.items()}


def _finite(number: object) -> float:
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise TypeError(f"expected a number, found {number!r}")
    if not math.isfinite(number):
        raise ValueError(f"expected a finite number, found {number}")
    return float(number)


def _strings(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise TypeError("expected a list of words")
    return value
