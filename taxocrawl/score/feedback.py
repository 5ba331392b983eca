"""The topic as the pages that look relevant have it (Rocchio's relevance feedback).

Rocchio (1971): the vector that lies nearest to the relevant documents and farthest from the others
is the difference of their means. Nobody judges: the weights of a page in either mean are how
relevant it looks and does not look (blind feedback).
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.score.background import DocumentFrequencies, shipped
from taxocrawl.text.tokens import words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_TERMS = 200
_MOST_PAGES, _MOST_TEXTS = 20_000, 50_000


class TopicFeedback:
    """Learns a topic's words from pages, and scores texts by them, again as it learns.

    Texts are tf-idf vectors of length 1, with 1 + log of term frequencies.

    Args:
        background: document frequencies; None for the shipped ones.
        terms: words of the topic that are kept, the heaviest ones, from 1.
        most_texts: texts that are scored again; of more, the older half is forgotten.
        most_pages: pages that the words are learned from; of more, the older half is forgotten.
    """

    def __init__(
        self,
        background: DocumentFrequencies | None = None,
        terms: int = _TERMS,
        most_texts: int = _MOST_TEXTS,
        most_pages: int = _MOST_PAGES,
    ) -> None:
        self._background, self._kept = background or shipped(), terms
        self._most_texts, self._most_pages = most_texts, most_pages
        self._numbers: dict[str, int] = {}
        self._idf: list[float] = []
        self._pages, self._texts = _Vectors(), _Vectors()
        self._topic: Floats = np.zeros(0)

    @property
    def topic(self) -> dict[str, float]:
        """Weights above 0 by word, of length 1 together; empty before anything is learned."""
        names = list(self._numbers)
        return {names[n]: float(self._topic[n]) for n in np.flatnonzero(self._topic)}

    def add_page(self, text: str) -> None:
        """Take in the words of a page."""
        self._pages.append(self._vector(text))
        if len(self._pages) > self._most_pages:
            self._pages = self._pages.last(self._most_pages // 2)

    def add_text(self, text: str) -> None:
        """Take in a text that is to be scored."""
        self._texts.append(self._vector(text))
        if len(self._texts) > self._most_texts:
            self._texts = self._texts.last(self._most_texts // 2)

    def refresh(self, looks: Floats) -> None:
        """Learn the topic anew: the mean of relevant pages less that of the others, where above 0.

        Args:
            looks: how relevant each page looks, in [0, 1], in the order in which they came.
        """
        looks = looks[max(0, len(looks) - len(self._pages)) :]
        others = 1 - looks
        shares = looks / (looks.sum() or 1.0) - others / (others.sum() or 1.0)
        sums = self._pages.weighted_sum(shares, len(self._numbers))
        heaviest = np.argsort(-sums, kind="stable")[: self._kept]
        topic = np.zeros(len(sums))
        topic[heaviest] = np.maximum(0.0, sums[heaviest])
        self._topic = topic / (float(np.linalg.norm(topic)) or 1.0)

    def scores(self, newest: int | None = None) -> Floats:
        """Cosines of texts and the topic, in [0, 1]: of the newest ones, or of all remembered."""
        topic = np.zeros(len(self._numbers))
        topic[: len(self._topic)] = self._topic
        texts = self._texts if newest is None else self._texts.last(newest)
        return np.clip(texts.products(topic), 0.0, 1.0)

    def _vector(self, text: str) -> dict[int, float]:
        weights: dict[int, float] = {}
        for word, count in Counter(words(text)).items():
            number = self._numbers.setdefault(word, len(self._numbers))
            if number == len(self._idf):
                self._idf.append(self._background.idf(word))
            weights[number] = (1 + math.log(count)) * self._idf[number]
        length = math.sqrt(sum(weight * weight for weight in weights.values()))
        return {number: weight / length for number, weight in weights.items() if weight}


class _Vectors:
    """Sparse vectors, one after the other."""

    def __init__(self) -> None:
        self._index, self._value, self._sizes = array("i"), array("f"), array("i")

    def __len__(self) -> int:
        return len(self._sizes)

    def append(self, vector: dict[int, float]) -> None:
        self._index.extend(vector.keys())
        self._value.extend(vector.values())
        self._sizes.append(len(vector))

    def last(self, number: int) -> _Vectors:
        part, first = _Vectors(), max(0, len(self) - number)
        part._sizes = self._sizes[first:]
        start = len(self._index) - sum(part._sizes)
        part._index, part._value = self._index[start:], self._value[start:]
        return part

    def products(self, other: Floats) -> Floats:
        """The dot product of each with another vector."""
        row = np.repeat(np.arange(len(self)), np.array(self._sizes, dtype=np.int64))
        values = np.array(self._value) * other[np.array(self._index, dtype=np.int64)]
        return np.bincount(row, values, len(self)).astype(float)

    def weighted_sum(self, weights: Floats, dimensions: int) -> Floats:
        each = np.repeat(weights, np.array(self._sizes, dtype=np.int64))
        values = np.array(self._value) * each
        index = np.array(self._index, dtype=np.int64)
        return np.bincount(index, values, dimensions).astype(float)
