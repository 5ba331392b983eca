"""A text's terms: tokenised, stop words taken out, stemmed, joined to n-grams, in this order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError
from taxocrawl.text.tokens import lucene_tokens, ngrams, nltk_tokens, nutch_tokens, stem, words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TOKENISERS: Mapping[str, Callable[[str], list[str]]] = {
    "document": nutch_tokens,
    "words": words,
    "nltk": nltk_tokens,
    "lucene": lucene_tokens,
}
STEMMERS = ("", "snowball", "porter", "porter-lucene")


@dataclass(frozen=True, slots=True)
class Analysis:
    """Makes terms of a text.

    Args:
        tokeniser: ``document`` (Nutch's document: split at white space), ``words`` (the project's
            own), ``nltk`` (Treebank) or ``lucene`` (Unicode word boundaries).
        stopwords: tokens left out, compared as they stand and before stemming, so that n-grams
            never hold one.
        stemming: empty for none, or the name of an algorithm of `taxocrawl.text.tokens.stem`.
        ngrams: shortest and longest n-gram, 1 <= shortest <= longest.

    Raises ArgumentError for a name or range that there is not.
    """

    tokeniser: str = "document"
    stopwords: frozenset[str] = frozenset()
    stemming: str = ""
    ngrams: tuple[int, int] = (1, 1)

    def __post_init__(self) -> None:
        if self.tokeniser not in TOKENISERS:
            raise ArgumentError(f"tokeniser {self.tokeniser!r}: expected {', '.join(TOKENISERS)}")
        if self.stemming not in STEMMERS:
            raise ArgumentError(
                f"stemming {self.stemming!r}: expected nothing or {', '.join(STEMMERS[1:])}"
            )
        lo, hi = self.ngrams
        if not 1 <= lo <= hi:
            raise ArgumentError(f"ngrams {lo},{hi}: expected 1 <= shortest <= longest")

    def __call__(self, text: str) -> list[str]:
        tokens = TOKENISERS[self.tokeniser](text.replace("\u2019", "'"))
        if self.stopwords:
            tokens = [token for token in tokens if token not in self.stopwords]
        if self.stemming:
            tokens = stem(tokens, self.stemming)
        return tokens if self.ngrams == (1, 1) else ngrams(tokens, *self.ngrams)
