"""Positive phrases of a topic, proposed from an article about it (METU 4.2.3.1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from taxocrawl.text.analysis import Analysis

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from taxocrawl.items import Document
    from taxocrawl.score.background import DocumentFrequencies

_LONGEST_PHRASE = 4


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase that may stand for the topic."""

    text: str
    """Lower-case words."""
    mentions: int
    """In all articles together, at least 1."""
    weight: float
    """Mentions times the mean idf of its words, above 0: how much it tells."""
    linked: bool
    """Whether an article links it, or a title that links to the article has it."""


def propose_phrases(
    articles: Iterable[Document],
    background: DocumentFrequencies,
    stopwords: frozenset[str] = frozenset(),
    *,
    limit: int = 100,
) -> list[Phrase]:
    """What the articles link in their text, and their key terms: those that tell most first.

    Candidates are anchors of at most four words that stand in the text, and the text's words and
    pairs of words; none begins or ends with a stop word. A pair must be mentioned twice, a word
    that is part of a proposed phrase as often as it must stand alone once. Ties by the alphabet.
    """
    spelled = Analysis("words")
    mentions: Counter[tuple[str, ...]] = Counter()
    linked: set[tuple[str, ...]] = set()
    for article in articles:
        tokens = spelled(article.text)
        for length in range(1, _LONGEST_PHRASE + 1):
            mentions.update(zip(*(tokens[n:] for n in range(length)), strict=False))
        linked |= {tuple(spelled(link.anchor)) for link in article.outlinks}
    found = []
    for words, number in mentions.items():
        is_linked = words in linked
        if not (is_linked or len(words) == 1 or (len(words) == 2 and number > 1)):
            continue
        if words[0] in stopwords or words[-1] in stopwords:
            continue
        weight = number * sum(map(background.idf, words)) / len(words)
        if weight > 0:
            found.append(Phrase(" ".join(words), number, weight, is_linked))
    found.sort(key=lambda phrase: (-phrase.weight, phrase.text))
    return _without_parts(found)[:limit]


def _without_parts(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Leave out words and pairs that hardly stand but within a longer phrase."""
    inside: Counter[str] = Counter()
    for phrase in phrases:
        words = phrase.text.split()
        for word in set(words) if len(words) > 1 else ():
            inside[word] = max(inside[word], phrase.mentions)
    return [
        phrase
        for phrase in phrases
        if phrase.linked or " " in phrase.text or phrase.mentions > inside[phrase.text]
    ]
