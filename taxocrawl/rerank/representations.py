"""Short texts as vectors, their relevance to a query and their likeness (METU 5.2, table 5.1)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from taxocrawl.diversify.features import Features, Post, PostSimilarity, Variant
from taxocrawl.diversify.similarity import (
    CosineSimilarity,
    JaccardSimilarity,
    LevenshteinSimilarity,
)
from taxocrawl.diversify.wordmover import WordMoverSimilarity
from taxocrawl.diversify.wordnet import WordNetSimilarity
from taxocrawl.exceptions import ArgumentError
from taxocrawl.score.background import DocumentFrequencies
from taxocrawl.score.bm25 import Bm25Scorer
from taxocrawl.text.posts import PostWords

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from taxocrawl.diversify.similarity import Similarity
    from taxocrawl.diversify.wordnet import WordNet
    from taxocrawl.score.embeddings import Pooling, WordVectors

    Encoder = Callable[[Sequence[str]], NDArray[np.floating]]

POOLINGS: dict[str, Pooling] = {
    "words-mean": "mean",
    "words-min": "min",
    "words-max": "max",
}
REPRESENTATIONS = ("tf", "tf-idf", *POOLINGS, "sentences")
"""Forms of a text as a vector, compared by their cosine."""
FIRST_RANKINGS = (*REPRESENTATIONS, "bm25", "jaccard", "wmd")
"""Ways to rank texts by their likeness to the query."""
VARIANTS = {f"features-{variant.lower()}": variant for variant in Variant}
SIMILARITIES = (*REPRESENTATIONS, "jaccard", "levenshtein", "wmd", "wordnet", *VARIANTS)
"""Ways to compare texts among themselves."""


@dataclass(frozen=True, slots=True)
class TextModel:
    """What texts are read with.

    Args:
        words: makes words of a text.
        background: document frequencies of such words; without, those of the texts at hand.
        average_length: words a text, for BM25; without, that of the texts at hand.
        vectors: word vectors, for `words-*` and `wmd`.
        encoder: makes one vector of each text, for `sentences`.
        wordnet: meanings of words, for `wordnet` and Sy's variants with "Se"; those compare mean
            word vectors without it.
    """

    words: PostWords = field(default_factory=PostWords)
    background: DocumentFrequencies | None = None
    average_length: float | None = None
    vectors: WordVectors | None = None
    encoder: Encoder | None = None
    wordnet: WordNet | None = None

    def relevance(self, method: str, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Likeness of each text to the query by one of `FIRST_RANKINGS`.

        In [-1, 1] for vectors, in [0, 1] for the others. Raises ArgumentError for another method
        and for one whose vectors are not there.
        """
        if method == "bm25":
            return self._bm25(query, texts)
        if method not in FIRST_RANKINGS:
            raise ArgumentError(
                f"unknown first ranking {method!r}: expected one of {', '.join(FIRST_RANKINGS)}"
            )
        # The query is one more text, compared with all others.
        return self.similarity(method, [*map(Post, texts), Post(query)]).row(len(texts))[:-1]

    def similarity(self, method: str, posts: Sequence[Post], least: float = 0.0) -> Similarity:
        """Likeness of posts among themselves by one of `SIMILARITIES`.

        `least` is the smallest similarity that matters to the caller (see WordMoverSimilarity).
        Raises ArgumentError for another method and for one whose vectors are not there.
        """
        if method in VARIANTS:
            variant = VARIANTS[method]
            meaning = "wordnet" if self.wordnet else "words-mean"
            semantic = self.similarity(meaning, posts) if "Se" in variant else None
            return PostSimilarity(posts, Features(variant, semantic, self.words))
        texts = [post.text for post in posts]
        if method == "jaccard":
            return JaccardSimilarity(map(self.words, texts))
        if method == "levenshtein":
            return LevenshteinSimilarity([text.lower() for text in texts])
        if method == "wordnet":
            if self.wordnet is None:
                raise ArgumentError("wordnet compares meanings: give a folder of WordNet's data")
            return WordNetSimilarity([self._unstemmed(text) for text in texts], self.wordnet)
        if method == "wmd":
            known = self._word_vectors(method)
            unstemmed = self._unstemmed
            return WordMoverSimilarity([known.of(unstemmed(text)) for text in texts], least)
        if method in REPRESENTATIONS:
            return CosineSimilarity(self.represent(method, texts))
        raise ArgumentError(
            f"unknown similarity {method!r}: expected one of {', '.join(SIMILARITIES)}"
        )

    def represent(
        self, method: str, texts: Sequence[str]
    ) -> NDArray[np.floating] | sparse.csr_array:
        """One vector a text, by one of `REPRESENTATIONS`."""
        if method == "sentences":
            if self.encoder is None:
                raise ArgumentError("sentences are compared with a sentence model: give one")
            return self.encoder(texts)
        if method in POOLINGS:
            vectors, unstemmed = self._word_vectors(method), self._unstemmed
            rows = [vectors.pooled(unstemmed(text), POOLINGS[method]) for text in texts]
            return np.array(rows).reshape(len(rows), vectors.dimensions)
        tokens = [self.words(text) for text in texts]
        return term_vectors(tokens, self._background(tokens) if method == "tf-idf" else None)

    @property
    def _unstemmed(self) -> PostWords:
        """Word vectors are of whole words: few stems would be found."""
        return replace(self.words, stemming="")

    def _bm25(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        tokens = [self.words(text) for text in texts]
        length = self.average_length or sum(map(len, tokens)) / max(1, len(tokens)) or 1.0
        scorer = Bm25Scorer(query, self._background(tokens), length, tokens=self.words)
        return np.array(scorer.score_many(texts), dtype=np.float64)

    def _background(self, tokens: Sequence[Sequence[str]]) -> DocumentFrequencies:
        return self.background or DocumentFrequencies.of(tokens)

    def _word_vectors(self, method: str) -> WordVectors:
        if self.vectors is None:
            raise ArgumentError(f"{method} compares word vectors: give a file of them")
        return self.vectors


def term_vectors(
    texts: Sequence[Sequence[str]], background: DocumentFrequencies | None = None
) -> sparse.csr_array:
    """Term frequencies (eq. 3.1), times idf (eq. 3.2) when a background is given.

    Of shape (texts, different words); the columns are in order of first occurrence.
    """
    columns: dict[str, int] = {}
    values: list[float] = []
    indices: list[int] = []
    starts = [0]
    for text in texts:
        for word in text:
            indices.append(columns.setdefault(word, len(columns)))
            values.append((background.idf(word) if background else 1.0) / len(text))
        starts.append(len(indices))
    matrix = sparse.csr_array((values, indices, starts), shape=(len(texts), len(columns)))
    matrix.sum_duplicates()
    return matrix
