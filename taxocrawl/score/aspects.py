"""The cosine to each aspect by which a diversified crawl is judged (METU 4.4.1.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taxocrawl.score.background import shipped
from taxocrawl.score.tfidf import TfidfScorer
from taxocrawl.text.analysis import Analysis

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from taxocrawl.score.choice import TopicTexts

_DIGITS = 6


class AspectCosines:
    """Cosine of tf-idf vectors between a text and each aspect.

    Only words of the topic and its aspects have an idf, as in the document's shortened table; all
    others count nothing. Every crawler is judged by these, whatever it crawls with.

    Args:
        topic: the topic's texts.
        aspects: name and texts of each aspect.
    """

    def __init__(self, topic: TopicTexts, aspects: Sequence[tuple[str, TopicTexts]]) -> None:
        words = Analysis("words", topic.stopwords)
        texts = (topic, *(texts for _, texts in aspects))
        vocabulary = {word for text in texts for word in words(text.expanded)}
        background = (topic.background or shipped()).of_words(vocabulary)
        self._scorers = {
            name: TfidfScorer(texts.expanded, background, topic.stopwords, whole_text=True)
            for name, texts in aspects
        }

    def scores(self, text: str) -> Mapping[str, float]:
        """The cosine to each aspect, in [0, 1], rounded to six digits."""
        return {name: round(scorer.score(text), _DIGITS) for name, scorer in self._scorers.items()}
