"""Similarity of short texts among themselves, one row at a time (METU 3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy import sparse

from taxocrawl.diversify.checks import checked_matrix
from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray


_SMALL = 1e-15


class Similarity(Protocol):
    """Symmetric similarity of n items; rows are made when asked for.

    A greedy reranker needs the rows of the items it chooses, so nothing of size n by n is built.
    """

    def __len__(self) -> int: ...

    def row(self, index: int) -> NDArray[np.float64]:
        """Similarity of one item to all n: finite, 1 to itself; not to be changed in place."""


class MatrixSimilarity:
    """Similarities given as one matrix. Raises ArgumentError unless square and symmetric."""

    def __init__(self, matrix: ArrayLike) -> None:
        self.matrix = checked_matrix(matrix)

    def __len__(self) -> int:
        return len(self.matrix)

    def row(self, index: int) -> NDArray[np.float64]:
        values: NDArray[np.float64] = self.matrix[index]
        return values


class JaccardSimilarity:
    """Shared words over all words of two texts (eq. 3.13), in [0, 1].

    Texts without words have nothing in common with any other, but are equal to themselves.
    """

    def __init__(self, texts: Iterable[Iterable[str]]) -> None:
        columns: dict[str, int] = {}
        indices: list[int] = []
        starts = [0]
        for text in texts:
            # A set's order differs between runs; dict.fromkeys keeps that of the text.
            indices.extend(columns.setdefault(word, len(columns)) for word in dict.fromkeys(text))
            starts.append(len(indices))
        shape = (len(starts) - 1, len(columns))
        self._words = sparse.csr_array((np.ones(len(indices)), indices, starts), shape=shape)
        self._sizes = np.diff(starts).astype(np.float64)

    def __len__(self) -> int:
        return len(self._sizes)

    def row(self, index: int) -> NDArray[np.float64]:
        own = np.zeros(self._words.shape[1])
        own[self._words.indices[self._words.indptr[index] : self._words.indptr[index + 1]]] = 1.0
        shared: NDArray[np.float64] = self._words @ own
        union = self._sizes + self._sizes[index] - shared
        values: NDArray[np.float64] = np.divide(
            shared, union, out=np.zeros_like(shared), where=union > 0
        )
        values[index] = 1.0
        return values


class CosineSimilarity:
    """Cosine of the angle between two vectors (eq. 3.12), in [-1, 1].

    The zero vector stands for a text of which nothing is known: 0 to every other item.

    Args:
        vectors: of shape (items, dimensions), dense or a scipy sparse array; any scale. Single
            precision is kept, twice as fast and exact to 6 decimals.

    Raises ArgumentError for vectors of another shape or with values that are not finite.
    """

    def __init__(self, vectors: ArrayLike | sparse.sparray) -> None:
        if sparse.issparse(vectors):
            self._unit = _unit_rows_sparse(vectors)
        else:
            self._unit = unit_rows(vectors)

    def __len__(self) -> int:
        return int(self._unit.shape[0])

    def row(self, index: int) -> NDArray[np.float64]:
        own = self._unit[[index]]
        if sparse.issparse(own):
            own = own.toarray()
        values = np.asarray(self._unit @ own[0])
        if values.dtype == np.float32:
            # What single precision cannot tell apart must tie, not fall to either by chance.
            values = values.round(6).astype(np.float64)
        np.clip(values, -1.0, 1.0, out=values)
        values[index] = 1.0
        return values


class LevenshteinSimilarity:
    """1 - edit distance / length of the longer text (METU 3.2.2), in [0, 1]; two empty texts 1."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = list(texts)

    def __len__(self) -> int:
        return len(self._texts)

    def row(self, index: int) -> NDArray[np.float64]:
        table = cdist(
            [self._texts[index]],
            self._texts,
            scorer=Levenshtein.normalized_similarity,
            dtype=np.float64,
        )
        return np.asarray(table[0], dtype=np.float64)


def unit_rows(vectors: ArrayLike) -> NDArray[np.floating]:
    """Vectors scaled to length 1, zero vectors left as they are; ArgumentError as above.

    Half and single precision gives single precision, anything else double.
    """
    values = np.asarray(vectors)
    exact = values.dtype not in (np.float16, np.float32)
    values = values.astype(np.float64 if exact else np.float32, copy=False)
    if values.ndim != 2:
        raise ArgumentError(f"vectors must be of shape (items, dimensions), not {values.shape}")
    if not np.isfinite(values).all():
        raise ArgumentError("vectors must have finite values only")
    with np.errstate(over="ignore", under="ignore"):
        norms = np.sqrt(np.einsum("ij,ij->i", values, values))[:, np.newaxis]
    odd = ((norms < _SMALL) | (norms > 1 / _SMALL)).ravel()
    if odd.any():
        # The squares of huge or tiny values leave the range of numbers: scale those rows first.
        values = values.copy()
        largest = np.abs(values[odd]).max(axis=1, initial=0.0, keepdims=True)
        values[odd] /= np.where(largest > 0, largest, 1)
        norms[odd] = np.linalg.norm(values[odd], axis=1, keepdims=True)
    unit: NDArray[np.floating] = values / np.where(norms > 0, norms, 1)
    return unit


def _unit_rows_sparse(vectors: sparse.sparray) -> sparse.csr_array:
    values = sparse.csr_array(vectors, dtype=np.float64)
    if not np.isfinite(values.data).all():
        raise ArgumentError("vectors must have finite values only")
    norms = np.sqrt(np.asarray(values.multiply(values).sum(axis=1)).ravel())
    scale = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)
    return sparse.csr_array(sparse.diags_array(scale) @ values)
