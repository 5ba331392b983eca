"""tf-idf cosine of a text to the expanded topic (METU 3.1.1, 4.2.3.2)."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from taxocrawl.text.tokens import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taxocrawl.score.background import DocumentFrequencies


class TfidfScorer:
    """Cosine between the tf-idf vectors of a text and of the topic, over the topic's terms alone.

    Only terms of the expanded topic enter either vector: other words of the text cannot meet a
    topic term, and leaving them out spares looking them up (METU 4.2.3.2). tf is relative
    frequency (eq. 3.1), which the cosine's norm cancels, idf is eq. 3.2 from the background.

    Args:
        topic: the topic's text: query, gold standard, positive phrases.
        background: document frequencies.
        stopwords: words that are never topic terms.
        query: words that count `query_weight` times more in the topic's vector than one mention
            in the gold standard, so that a long gold standard does not drown the user's words.
        query_weight: at least 1.
    """

    name = "tfidf"

    def __init__(
        self,
        topic: str,
        background: DocumentFrequencies,
        stopwords: frozenset[str] = frozenset(),
        query: str = "",
        query_weight: float = 1.0,
    ) -> None:
        frequency: Counter[str] = Counter(w for w in words(topic) if w not in stopwords)
        weighted = {term: float(count) for term, count in frequency.items()}
        for term in words(query):
            if term not in stopwords:
                weighted[term] = weighted.get(term, 0.0) + query_weight
        self.idf = {term: background.idf(term) for term in weighted}
        vector = {term: tf * self.idf[term] for term, tf in weighted.items()}
        norm = math.sqrt(sum(value * value for value in vector.values()))
        self.topic = {term: value / norm for term, value in vector.items() if value} if norm else {}

    def score(self, text: str) -> float:
        """In [0, 1]; 0 for a text without a topic term."""
        topic = self.topic
        frequency: dict[str, int] = {}
        for word in words(text):
            if word in topic:
                frequency[word] = frequency.get(word, 0) + 1
        if not frequency:
            return 0.0
        dot = squares = 0.0
        for term, count in frequency.items():
            value = count * self.idf[term]
            dot += value * topic[term]
            squares += value * value
        return min(1.0, dot / math.sqrt(squares))

    def score_many(self, texts: Sequence[str]) -> list[float]:
        return [self.score(text) for text in texts]
