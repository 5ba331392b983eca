"""Cosine between the sentence embeddings of a text and of the topic (METU 4.2.3.4)."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.exceptions import ArgumentError
from taxocrawl.score.base import in_unit_interval
from taxocrawl.score.embeddings import POOLINGS, pool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from taxocrawl.score.embeddings import Pooling
    from taxocrawl.score.encoder import Encoder

_WORD = re.compile(r"\S+")
_LONGEST_WORD = 40
"""Characters; what is longer is no word, and would be thousands of tokens."""


class SentenceScorer:
    """The topic is one sentence; a text is cut into chunks whose vectors are pooled.

    Args:
        topic: the topic's texts: gold standards and query.
        encoder: one vector of length 1 for each text; best one that remembers them.
        pooling: of the chunks' vectors by dimension: `mean`, `min` or `max`.
        chunk_words: words of a chunk, from 1 (150 are some 200 tokens; the model reads 256).
        max_chunks: chunks read of a text, from 1.

    Raises ArgumentError for a parameter out of range.
    """

    name = "sbert"

    def __init__(
        self,
        topic: str,
        encoder: Encoder,
        pooling: Pooling = "mean",
        chunk_words: int = 150,
        max_chunks: int = 16,
    ) -> None:
        if pooling not in POOLINGS:
            raise ArgumentError(f"pooling must be one of {', '.join(POOLINGS)}, not {pooling!r}")
        if chunk_words < 1 or max_chunks < 1:
            raise ArgumentError(
                f"chunks of {chunk_words} words, {max_chunks} of them: expected 1 or more"
            )
        self._encoder, self._pooling = encoder, pooling
        self._chunk_words, self._max_chunks = chunk_words, max_chunks
        self._topic = encoder([" ".join(topic.split())])[0]

    def prepare(self, texts: Sequence[str]) -> None:
        """Encode texts in one go, so that scoring them later only looks their vectors up."""
        self._encoder([chunk for text in texts for chunk in self.chunks(text)])

    def score(self, text: str) -> float:
        """In [0, 1], a negative cosine as 0; 0 for a text without words."""
        return self.score_many([text])[0]

    def score_many(self, texts: Sequence[str]) -> list[float]:
        """The scores of several texts, whose chunks are encoded in one go."""
        chunks = [self.chunks(text) for text in texts]
        vectors = self._encoder([chunk for text in chunks for chunk in text])
        ends = np.cumsum([len(text) for text in chunks])
        return [
            self._cosine(vectors[end - len(text) : end]) if text else 0.0
            for text, end in zip(chunks, ends, strict=True)
        ]

    def chunks(self, text: str) -> list[str]:
        """The text in pieces of `chunk_words` words, at most `max_chunks` of them."""
        most = self._chunk_words * self._max_chunks
        found = islice(_WORD.finditer(text), most)
        words = [match[0][:_LONGEST_WORD] for match in found]
        step = self._chunk_words
        pieces = [" ".join(words[start : start + step]) for start in range(0, len(words), step)]
        return [piece for piece in pieces if any(map(str.isalnum, piece))]

    def _cosine(self, vectors: NDArray[np.float32]) -> float:
        vector = pool(np.asarray(vectors, dtype=np.float64), self._pooling)
        norm = float(np.linalg.norm(vector))
        return in_unit_interval(float(vector @ self._topic) / norm) if norm else 0.0
