"""BM25 of a text to a topic or query (METU 3.1.2, eq. 3.4)."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError
from taxocrawl.text.tokens import words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from taxocrawl.score.background import DocumentFrequencies


class Bm25Scorer:
    """Sum over the topic's words of idf * tf (k1 + 1) / (tf + k1 (1 - b + b |d| / avg |D|)).

    tf is the number of times a word is in the text and |d| the text's length, both in words; a
    word that the topic has twice counts twice. idf is eq. 3.2 of the background.

    Args:
        topic: the topic's or query's text.
        background: document frequencies.
        average_length: avg |D|, words a text, above 0.
        stopwords: words that are never topic words (they still count for a text's length).
        k1: how fast further mentions of a word lose weight, 0 or more (METU: 1.2 to 2).
        b: how far long texts are marked down, in [0, 1].
        tokens: makes the words of the topic and the texts.

    Raises ArgumentError for a parameter out of its range.
    """

    name = "bm25"

    def __init__(
        self,
        topic: str,
        background: DocumentFrequencies,
        average_length: float,
        stopwords: frozenset[str] = frozenset(),
        *,
        k1: float = 1.2,
        b: float = 0.75,
        tokens: Callable[[str], Sequence[str]] = words,
    ) -> None:
        if not (0 < average_length < math.inf and 0 <= k1 < math.inf and 0 <= b <= 1):
            raise ArgumentError(
                "BM25 needs an average length above 0, k1 of 0 or more and b in [0, 1], not "
                f"{average_length}, {k1}, {b}"
            )
        self.k1, self.b, self.average_length = k1, b, average_length
        self._tokens = tokens
        counts = Counter(word for word in tokens(topic) if word not in stopwords)
        self.weights = {word: count * background.idf(word) for word, count in counts.items()}
        # What a text of nothing but endless mentions of every word would come to.
        self._limit = (k1 + 1) * sum(self.weights.values())

    def bm25(self, tokens: Sequence[str]) -> float:
        """Eq. 3.4 itself for a text's words: 0 or more, without an upper bound."""
        saturation = self.k1 * (1 - self.b + self.b * len(tokens) / self.average_length)
        score = 0.0
        for word, count in Counter(word for word in tokens if word in self.weights).items():
            score += self.weights[word] * count * (self.k1 + 1) / (count + saturation)
        return score

    def score(self, text: str) -> float:
        """The same as a share of its limit for endless mentions: in [0, 1]."""
        return min(1.0, self.bm25(self._tokens(text)) / self._limit) if self._limit else 0.0

    def score_many(self, texts: Sequence[str]) -> list[float]:
        return [self.score(text) for text in texts]
