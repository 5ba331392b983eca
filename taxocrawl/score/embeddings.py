"""Word vectors, and texts as the mean, minimum or maximum of theirs (METU 5.2.1-5.2.2)."""

from __future__ import annotations

import zipfile
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Literal, Self, get_args

import numpy as np

from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.text.tokens import words as default_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

Pooling = Literal["mean", "min", "max"]
POOLINGS: tuple[Pooling, ...] = get_args(Pooling)
_REDUCTIONS: Mapping[Pooling, np.ufunc] = {"mean": np.add, "min": np.minimum, "max": np.maximum}
_EXPECTED = "word vectors, as .npz with words and numbers or as text, a word and its numbers a line"


class WordVectors:
    """Vectors by word.

    Args:
        words: each at most once; the first one counts otherwise.
        vectors: of shape (words, dimensions), finite.
    """

    def __init__(self, words: Sequence[str], vectors: NDArray[np.floating]) -> None:
        self.vectors = vectors
        self.rows: dict[str, int] = {}
        for row, word in enumerate(words):
            self.rows.setdefault(word, row)

    @property
    def dimensions(self) -> int:
        return int(self.vectors.shape[1])

    def of(self, tokens: Iterable[str]) -> NDArray[np.float64]:
        """The vectors of the known words, shape (known words, dimensions), repeats included."""
        rows = [self.rows[token] for token in tokens if token in self.rows]
        return np.asarray(self.vectors[rows], dtype=np.float64)

    def pooled(self, tokens: Iterable[str], pooling: Pooling = "mean") -> NDArray[np.float64]:
        """One vector for a text: the mean (eq. 5.1), maximum (eq. 5.3) or minimum by dimension.

        The zero vector when no word is known. Raises ArgumentError for another pooling.
        """
        return np.asarray(self.pooled_many([tokens], pooling)[0])

    def pooled_many(
        self, texts: Iterable[Iterable[str]], pooling: Pooling = "mean"
    ) -> NDArray[np.float64]:
        """The vectors of several texts as `pooled` has them, of shape (texts, dimensions)."""
        if pooling not in POOLINGS:
            raise ArgumentError(f"pooling must be one of {', '.join(POOLINGS)}, not {pooling!r}")
        rows = [[self.rows[token] for token in text if token in self.rows] for text in texts]
        sizes = np.array([len(text) for text in rows], dtype=np.int64)
        vectors = np.zeros((len(rows), self.dimensions))
        if sizes.any():
            found = np.asarray(self.vectors[list(chain.from_iterable(rows))], dtype=np.float64)
            starts = (np.cumsum(sizes) - sizes)[sizes > 0]
            vectors[sizes > 0] = _REDUCTIONS[pooling].reduceat(found, starts)
        return vectors / np.maximum(sizes, 1)[:, None] if pooling == "mean" else vectors

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a vectors file; raises InputFileError when missing or of another form.

        ``.npz``: one array of numbers, and the words as one array of texts or as one text with
        a word a line. Otherwise GloVe's text format, or word2vec's with two numbers in line 1.
        Nothing in either form is executed, unlike a pickled model.
        """
        try:
            if zipfile.is_zipfile(path):
                words, vectors = _read_npz(path)
            else:
                words, vectors = _read_text(path)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise InputFileError(
                f"{path}: cannot be read ({reason}); expected {_EXPECTED}"
            ) from error
        except (ValueError, KeyError, UnicodeDecodeError, zipfile.BadZipFile) as error:
            raise InputFileError(f"{path}: expected {_EXPECTED}: {error}") from error
        if vectors.ndim != 2 or len(words) != len(vectors) or not len(vectors):
            raise InputFileError(
                f"{path}: expected {_EXPECTED}: {len(words)} words, vectors {vectors.shape}"
            )
        if not np.isfinite(vectors).all():
            raise InputFileError(f"{path}: expected finite numbers in all vectors")
        return cls(words, vectors)


@lru_cache(maxsize=1)
def load_vectors(path: Path) -> WordVectors:
    """The vectors of a file, shared by all who ask for them; see `WordVectors.read`."""
    if not path.exists():
        raise InputFileError(
            f"{path}: no word vectors there; make them with `scrapy resources glove`"
        )
    return WordVectors.read(path)


class EmbeddingScorer:
    """Cosine between the pooled word vectors of a text and of the topic (METU algorithm 5).

    Args:
        topic: the topic's or query's text.
        vectors: word vectors.
        pooling: `min` as the document's crawler has it, `mean` or `max`.
        stopwords: words left out of both.
        tokens: makes the words of the topic and the texts.
    """

    name = "glove"

    def __init__(
        self,
        topic: str,
        vectors: WordVectors,
        pooling: Pooling = "min",
        stopwords: frozenset[str] = frozenset(),
        tokens: Callable[[str], Sequence[str]] = default_tokens,
    ) -> None:
        self._vectors, self._pooling = vectors, pooling
        self._stopwords, self._tokens = stopwords, tokens
        self._topic = self._units([topic])[0]
        self._knows_topic = bool(len(vectors.of(self._words(topic))))

    @property
    def knows_topic(self) -> bool:
        """Whether any of the topic's words has a vector; without, every score is 0."""
        return self._knows_topic

    def score(self, text: str) -> float:
        """In [0, 1], a negative cosine as 0; 0 for a text without a known word."""
        return self.score_many([text])[0]

    def score_many(self, texts: Sequence[str]) -> list[float]:
        """The scores of several texts, whose words are looked up and pooled in one go."""
        # Summed row by row: a product of matrices rounds differently with the number of texts.
        cosines = (self._units(texts) * self._topic).sum(axis=1)
        return [float(cosine) for cosine in np.clip(cosines, 0.0, 1.0)]

    def _words(self, text: str) -> list[str]:
        return [token for token in self._tokens(text) if token not in self._stopwords]

    def _units(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Of each text, the pooled vector of length 1, or 0 without a known word."""
        pooled = self._vectors.pooled_many(map(self._words, texts), self._pooling)
        norms = np.linalg.norm(pooled, axis=1, keepdims=True)
        return np.asarray(pooled / np.where(norms == 0, 1, norms))


def pool(vectors: NDArray[np.float64], pooling: Pooling) -> NDArray[np.float64]:
    """One vector of at least one, by dimension."""
    if pooling == "mean":
        return np.asarray(vectors.mean(axis=0))
    return np.asarray(vectors.min(axis=0) if pooling == "min" else vectors.max(axis=0))


def _read_npz(path: Path) -> tuple[list[str], NDArray[np.floating]]:
    with np.load(path, allow_pickle=False) as archive:
        arrays = [archive[name] for name in archive.files]
    texts = [array for array in arrays if array.dtype.kind == "U"]
    numbers = [array for array in arrays if array.dtype.kind == "f"]
    if len(texts) != 1 or len(numbers) != 1:
        raise ValueError(f"{len(texts)} arrays of texts and {len(numbers)} of numbers found")
    words = texts[0]
    if words.ndim == 0:
        return str(words).split("\n"), numbers[0]
    return [str(word) for word in words], numbers[0]


def _read_text(path: Path) -> tuple[list[str], NDArray[np.floating]]:
    words: list[str] = []
    rows: list[NDArray[np.float32]] = []
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            word, *numbers = line.rstrip().split(" ")
            if number == 1 and len(numbers) == 1:
                continue  # word2vec's header: how many words, how many dimensions
            row = np.array(numbers, dtype=np.float32)
            if rows and len(row) != len(rows[0]):
                raise ValueError(f"line {number} has {len(row)} numbers, not {len(rows[0])}")
            words.append(word)
            rows.append(row)
    if not rows or not rows[0].size:
        raise ValueError("no vectors found")
    return words, np.vstack(rows)
