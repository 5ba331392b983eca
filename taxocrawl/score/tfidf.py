"""tf-idf cosine of a text to the expanded topic (METU 3.1.1, 4.2.3.2)."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError
from taxocrawl.score.goldstandard import TermShare
from taxocrawl.text.analysis import Analysis
from taxocrawl.text.tokens import runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taxocrawl.score.background import DocumentFrequencies


# Scorers of a topic and its aspects read the same texts one after the other: a page's links.
@lru_cache(maxsize=1024)
def _terms(analysis: Analysis, text: str) -> tuple[str, ...]:
    return tuple(analysis(text))


@lru_cache(maxsize=1024)
def _runs(text: str) -> list[str]:
    return runs(text)


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
        query_weight: above 0.
        stemming: empty for none, or an algorithm of `taxocrawl.text.tokens.stem`: words of one stem
            are one term, whose idf is the lowest of the words that the topic has of it.
        whole_text: whether a text's other words count for its length, so that a page about the
            topic scores above one that mentions it; METU 4.2.3.2 leaves them out.
        sublinear: whether a text's further mentions count less, as 1 + log of their number.

    Raises ArgumentError for a query weight or stemming out of range.
    """

    name = "tfidf"

    def __init__(
        self,
        topic: str,
        background: DocumentFrequencies,
        stopwords: frozenset[str] = frozenset(),
        query: str = "",
        query_weight: float = 1.0,
        *,
        stemming: str = "",
        whole_text: bool = False,
        sublinear: bool = False,
    ) -> None:
        if not 0 < query_weight < math.inf:
            raise ArgumentError(f"query weight {query_weight}: expected a number above 0")
        self._background, self._whole, self._sublinear = background, whole_text, sublinear
        self._analysis = Analysis("words", stopwords, stemming)
        spelled = Analysis("words", stopwords)
        weighted: dict[str, float] = {}
        self.idf: dict[str, float] = {}
        for text, weight in ((topic, 1.0), (query, float(query_weight))):
            for word, term in zip(spelled(text), self._analysis(text), strict=True):
                weighted[term] = weighted.get(term, 0.0) + weight
                idf = background.idf(word)
                self.idf[term] = min(self.idf.get(term, idf), idf)
        vector = {term: tf * self.idf[term] for term, tf in weighted.items()}
        norm = math.sqrt(sum(value * value for value in vector.values()))
        self.topic = {term: value / norm for term, value in vector.items() if value} if norm else {}

    def score(self, text: str) -> float:
        """In [0, 1]; 0 for a text without a topic term."""
        weights = self._weights(text)
        square = sum(weight * weight for weight in weights.values())
        if not square:
            return 0.0
        topic = self.topic
        dot = sum(weight * topic[term] for term, weight in weights.items() if term in topic)
        return min(1.0, dot / math.sqrt(square))

    def score_many(self, texts: Sequence[str]) -> list[float]:
        return [self.score(text) for text in texts]

    def terms(self, text: str) -> list[TermShare]:
        """The terms that made a text's score, largest share first, then by alphabet."""
        weights = self._weights(text)
        norm = math.sqrt(sum(weight * weight for weight in weights.values()))
        found = [
            TermShare(term, weight, self.topic[term], weight * self.topic[term] / norm)
            for term, weight in weights.items()
            if term in self.topic
        ]
        return sorted(found, key=lambda term: (-term.share, term.term))

    def _weights(self, text: str) -> dict[str, float]:
        """tf-idf of the text's terms: the topic's, or all of them."""
        topic, idf = self.topic, self.idf
        if not self._whole and not self._analysis.stemming:
            # Every term of the topic is a word and none a stop word: the other words of a text
            # need not be made.
            counts = Counter([run for run in _runs(text) if run in topic])
        else:
            counts = Counter(_terms(self._analysis, text))
        # The idf of a stem that the topic lacks is looked up as if it were a word: only the
        # length of a text depends on it.
        listed, other = self._background.idfs, self._background.other_idf
        weights: dict[str, float] = {}
        for term, count in counts.items():
            if term in idf:
                weight = idf[term] if self._whole or term in topic else 0.0
            else:
                weight = listed.get(term, other) if self._whole else 0.0
            if weight:
                tf = 1 + math.log(count) if self._sublinear and count > 1 else count
                weights[term] = tf * weight
        return weights
