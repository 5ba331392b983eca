"""Arguments of the rerankers, checked before anything is computed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from numpy.typing import ArrayLike, NDArray

_ROUNDING = 1e-9


def checked_lambda(value: float) -> float:
    """The weight itself when it lies in [0, 1]; else ArgumentError.

    Outside, one of the two weights lambda and 1 - lambda is negative, and the method would
    reward what it is there to avoid (METU 5.4.6 reports 1.6, which no equation there admits).
    """
    if not 0 <= value <= 1:
        raise ArgumentError(
            f"lambda must lie in [0, 1], not {value}: outside, relevance or diversity counts "
            "against an item"
        )
    return float(value)


def checked_length(k: int | None, items: int) -> int:
    """How many items to choose: `k`, at most all of them; ArgumentError when negative."""
    if k is None:
        return items
    if k < 0:
        raise ArgumentError(f"the length of the ranking must be 0 or more, not {k}")
    return min(k, items)


def checked_relevance(relevance: ArrayLike) -> NDArray[np.float64]:
    """Relevance as one finite number an item; else ArgumentError."""
    values = np.asarray(relevance, dtype=np.float64)
    if values.ndim != 1:
        raise ArgumentError(f"relevance must be one number an item, not of shape {values.shape}")
    if not np.isfinite(values).all():
        raise ArgumentError("relevance must be finite for every item")
    return values


def checked_matrix(matrix: ArrayLike) -> NDArray[np.float64]:
    """Similarities of every pair: square, finite and symmetric; else ArgumentError."""
    values = np.asarray(matrix, dtype=np.float64)
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise ArgumentError(f"a similarity matrix must be square, not of shape {values.shape}")
    if not np.isfinite(values).all():
        raise ArgumentError("a similarity matrix must have finite values only")
    gap = np.abs(values - values.T)
    if values.size and gap.max() > _ROUNDING:
        row, column = (int(part) for part in np.unravel_index(gap.argmax(), gap.shape))
        raise ArgumentError(
            f"a similarity matrix must be symmetric, but items {row} and {column} have "
            f"{values[row, column]:g} one way and {values[column, row]:g} the other"
        )
    return values


def checked_size(found: int, items: int, what: str) -> None:
    """ArgumentError unless `what` is given for as many items as there are."""
    if found != items:
        raise ArgumentError(f"{what} given for {found} items, but {items} are to be ranked")


def checked_aspects(aspects: ArrayLike, items: int) -> NDArray[np.float64]:
    """P(d | aspect) as an array (aspects, items) with values in [0, 1]; else ArgumentError."""
    values = np.asarray(aspects, dtype=np.float64)
    if values.size == 0 and (items or values.shape[:1] == (0,)):
        raise ArgumentError("no aspects given: explicit diversification needs at least one")
    if values.ndim != 2:
        raise ArgumentError(f"aspects must be of shape (aspects, items), not {values.shape}")
    checked_size(values.shape[1], items, "aspect probabilities")
    if not ((values >= 0) & (values <= 1)).all():
        raise ArgumentError("probabilities of aspects must lie in [0, 1]")
    return values


def checked_weights(weights: ArrayLike | None, aspects: int) -> NDArray[np.float64]:
    """Weights of the aspects scaled to sum 1, uniform when None; else ArgumentError."""
    if weights is None:
        return np.full(aspects, 1 / aspects)
    values = np.asarray(weights, dtype=np.float64)
    if values.shape != (aspects,):
        raise ArgumentError(f"{values.size} weights given for {aspects} aspects")
    if not np.isfinite(values).all() or (values < 0).any():
        raise ArgumentError("weights of aspects must be finite and 0 or more")
    total = float(values.sum())
    if not total:
        raise ArgumentError("weights of aspects sum to 0: at least one must be above")
    return values / total


def checked_ids(ids: Iterable[Hashable], where: str) -> None:
    """ArgumentError that names the first id to occur twice in `where`."""
    twice = next((key for key, count in Counter(ids).items() if count > 1), None)
    if twice is not None:
        raise ArgumentError(f"{where}: id {twice!r} occurs more than once")
