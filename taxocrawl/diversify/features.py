"""The features by which Sy's six variants compare posts (METU 3.2.2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.diversify.checks import checked_size
from taxocrawl.diversify.similarity import JaccardSimilarity, LevenshteinSimilarity
from taxocrawl.exceptions import ArgumentError
from taxocrawl.text.posts import PostWords, bare_text, hashtags, is_retweet, urls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from taxocrawl.diversify.similarity import Similarity

    Feature = Callable[[int], NDArray[np.float64]]

DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Post:
    """A short text with what its source says about it; what is not known is empty."""

    text: str
    timestamp: float | None = None
    """Seconds since the epoch, UTC."""
    author: str = ""
    client: str = ""
    """Name of the program it was written with."""
    url: str = ""
    """Address that it links to, when `text` does not show it."""
    linked_text: str = ""
    """Title and keywords of the page that it links to."""


class Variant(StrEnum):
    """Sy and its five extensions: semantic, contextual, enriched features."""

    SY = "Sy"
    SYSE = "SySe"
    SYCO = "SyCo"
    SYSECO = "SySeCo"
    SYSEEN = "SySeEn"
    SYSEENCO = "SySeEnCo"


WEIGHTS: Mapping[str, float] = {
    "levenshtein": 1.0,
    "length": 0.25,
    "words": 2.0,
    "hashtags": 0.5,
    "urls": 1.0,
    "semantic": 2.0,
    "time": 0.25,
    "author": 0.5,
    "client": 0.25,
    "linked words": 1.0,
}
"""Default share of each feature in the mean. Length and time count least: most posts on one
query agree in them."""


@dataclass(frozen=True, slots=True)
class Features:
    """What a comparison of posts rests on besides the posts.

    Args:
        variant: which groups of features are compared.
        semantic: similarity in meaning of the same posts, for the variants with "Se": WordNet,
            word vectors or sentence embeddings; negative values count as 0.
        words: how texts become words.
        weights: share of each feature, by the names of `WEIGHTS`.
        day: seconds after which two posts' nearness in time has fallen to 1/e.
    """

    variant: Variant = Variant.SY
    semantic: Similarity | None = None
    words: PostWords = field(default_factory=PostWords)
    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)
    day: float = DAY


class PostSimilarity:
    """Weighted mean, in [0, 1], of the features that both posts of a pair have.

    Syntactic: edit distance and length of the bare texts, overlap of words, hashtags and URLs.
    Semantic (Se): `Features.semantic`. Contextual (Co): nearness in time, same author, same
    client. Enriched (En): overlap of the words of the linked pages. A feature that a post lacks
    (no hashtags, no time) drops out of its means. Raises ArgumentError when a variant with "Se"
    has no semantic similarity, for unknown weights, and for weights that are negative or all 0.
    """

    def __init__(self, posts: Sequence[Post], features: Features | None = None) -> None:
        used = features or Features()
        self._posts = list(posts)
        by_name = {**_syntactic(self._posts, used.words)}
        if "Se" in used.variant:
            by_name["semantic"] = _semantic(self._posts, used)
        if "Co" in used.variant:
            by_name |= _contextual(self._posts, used.day)
        if "En" in used.variant:
            by_name["linked words"] = _overlap(used.words(post.linked_text) for post in posts)
        self._features = _weighted(by_name, used.weights)

    def __len__(self) -> int:
        return len(self._posts)

    def row(self, index: int) -> NDArray[np.float64]:
        total = np.zeros(len(self._posts))
        weight_sum = np.zeros(len(self._posts))
        for feature, weight in self._features:
            values = feature(index)
            known = ~np.isnan(values)
            total[known] += weight * values[known]
            weight_sum[known] += weight
        mean: NDArray[np.float64] = np.divide(
            total, weight_sum, out=np.zeros_like(total), where=weight_sum > 0
        )
        mean[index] = 1.0
        return mean


class RetweetSimilarity:
    """Another similarity, multiplied by a constant for every pair with a retweet in it (eq. 5.4).

    Never above 1. A constant above 1 makes retweets less likely to be chosen beside what they
    repeat. Raises ArgumentError for a negative constant or another number of texts.
    """

    def __init__(self, similarity: Similarity, texts: Sequence[str], constant: float) -> None:
        checked_size(len(texts), len(similarity), "texts")
        if not constant >= 0:
            raise ArgumentError(f"the retweet constant must be 0 or more, not {constant}")
        self._similarity = similarity
        self._retweet = np.array([is_retweet(text) for text in texts], dtype=bool)
        self._constant = constant

    def __len__(self) -> int:
        return len(self._similarity)

    def row(self, index: int) -> NDArray[np.float64]:
        values = self._similarity.row(index)
        marked = self._retweet | self._retweet[index]
        scaled = np.where(marked, np.minimum(1.0, values * self._constant), values)
        scaled[index] = 1.0
        return scaled


def _syntactic(posts: Sequence[Post], words: PostWords) -> dict[str, Feature]:
    bare = [bare_text(post.text) for post in posts]
    lengths = np.array([len(text) for text in bare], dtype=np.float64)
    addresses = ({*urls(post.text), *filter(None, [post.url])} for post in posts)
    return {
        "levenshtein": LevenshteinSimilarity([text.lower() for text in bare]).row,
        "length": partial(_length_row, lengths),
        "words": _overlap(words(post.text) for post in posts),
        "hashtags": _overlap(sorted(hashtags(post.text)) for post in posts),
        "urls": _overlap(sorted(found) for found in addresses),
    }


def _contextual(posts: Sequence[Post], day: float) -> dict[str, Feature]:
    times = np.array(
        [np.nan if post.timestamp is None else post.timestamp for post in posts], dtype=np.float64
    )
    return {
        "time": partial(_time_row, times, day),
        "author": _same([post.author for post in posts]),
        "client": _same([post.client for post in posts]),
    }


def _semantic(posts: Sequence[Post], used: Features) -> Feature:
    if used.semantic is None:
        raise ArgumentError(f"{used.variant} compares meanings: give it a semantic similarity")
    checked_size(len(used.semantic), len(posts), "semantic similarities")
    similarity = used.semantic
    return lambda index: np.maximum(0.0, similarity.row(index))


def _weighted(
    features: Mapping[str, Feature], weights: Mapping[str, float]
) -> list[tuple[Feature, float]]:
    unknown = sorted(set(weights) - set(WEIGHTS))
    if unknown:
        raise ArgumentError(f"unknown feature {unknown[0]!r}: expected one of {', '.join(WEIGHTS)}")
    used = [(feature, weights.get(name, 0.0)) for name, feature in features.items()]
    if any(not weight >= 0 for _, weight in used) or not any(weight for _, weight in used):
        raise ArgumentError("weights of features must be 0 or more, and one of them above")
    return [(feature, weight) for feature, weight in used if weight]


def _length_row(lengths: NDArray[np.float64], index: int) -> NDArray[np.float64]:
    longer = np.maximum(lengths, lengths[index])
    gap = np.abs(lengths - lengths[index])
    row: NDArray[np.float64] = 1 - np.divide(gap, longer, out=np.zeros_like(gap), where=longer > 0)
    return row


def _time_row(times: NDArray[np.float64], day: float, index: int) -> NDArray[np.float64]:
    row: NDArray[np.float64] = np.exp(-np.abs(times - times[index]) / day)
    return row


def _overlap(sets: Iterable[Iterable[str]]) -> Feature:
    """Jaccard rows; unknown where either post has nothing to compare."""
    texts = [list(found) for found in sets]
    similarity = JaccardSimilarity(texts)
    empty = np.array([not text for text in texts], dtype=bool)

    def row(index: int) -> NDArray[np.float64]:
        values = similarity.row(index)
        values[empty | empty[index]] = np.nan
        return values

    return row


def _same(values: Sequence[str]) -> Feature:
    """1 for equal values and 0 for others; unknown where either is empty."""
    names = np.array(values, dtype=object)
    empty = np.array([not value for value in values], dtype=bool)

    def row(index: int) -> NDArray[np.float64]:
        equal: NDArray[np.float64] = (names == names[index]).astype(np.float64)
        equal[empty | empty[index]] = np.nan
        return equal

    return row
