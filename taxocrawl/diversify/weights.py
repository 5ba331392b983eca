"""How the weights of a topic's aspects follow from what was gathered of each (METU 4.3.2).

Besides the document's function (eq. 4.7) those that its future work asks for: functions that
favour uncovered aspects more strongly. All give weights that sum to 1, equal ones before anything
was gathered, and more weight to an aspect the less was gathered of it.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from taxocrawl.diversify.combsumdiv import aspect_weights
from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import ArrayLike, NDArray

    WeightFunction = Callable[[ArrayLike], NDArray[np.float64]]

EQUAL = "equal"
"""Weights that do not move: the topic is expanded with its aspects, nothing more."""


def inverse_weights(
    totals: ArrayLike, *, power: float = 1.0, floor: float = 0.01
) -> NDArray[np.float64]:
    """In inverse proportion to (share of the aspect in the sum of totals + floor) ^ power.

    Args:
        totals: as of `aspect_weights`.
        power: above 0; the higher, the more an uncovered aspect is favoured.
        floor: above 0; keeps an aspect of which nothing was gathered from taking all.
    """
    _check("power", power)
    _check("floor", floor)
    weights = (_shares(totals) + floor) ** -power
    return np.asarray(weights / weights.sum())


def softmax_weights(totals: ArrayLike, *, temperature: float = 0.25) -> NDArray[np.float64]:
    """In proportion to exp(-share / (mean share * temperature)).

    Args:
        totals: as of `aspect_weights`.
        temperature: above 0; the lower, the more the least covered aspect is favoured.
    """
    _check("temperature", temperature)
    shares = _shares(totals)
    # The least share stands for 0, so that no exponential overflows or all of them vanish.
    weights = np.exp(-(shares - shares.min()) * len(shares) / temperature)
    return np.asarray(weights / weights.sum())


def quota_weights(totals: ArrayLike, *, chosen: float = 0.5) -> NDArray[np.float64]:
    """Sainte-Laguë quotas as PM-2 uses them (Dang and Croft 2012), every aspect with equal votes.

    An aspect's quotient is 1 / (2 total + 1). The one with the highest (the first of equals) has
    the part `chosen` of its own quotient, every other one the rest of theirs.

    Args:
        totals: as of `aspect_weights`; what was gathered of an aspect are its seats.
        chosen: PM-2's lambda, in [0.5, 1).
    """
    if not 0.5 <= chosen < 1:
        raise ArgumentError(f"weights quotas: chosen={chosen}: expected a number in [0.5, 1)")
    quotients = 1 / (2 * _checked(totals) + 1)
    if quotients.max() == quotients.min():
        return np.full(len(quotients), 1 / len(quotients))
    part = np.full(len(quotients), 1 - chosen)
    part[int(np.argmax(quotients))] = chosen
    weights = quotients * part
    return np.asarray(weights / weights.sum())


def equal_weights(totals: ArrayLike) -> NDArray[np.float64]:
    """The same for every aspect, whatever was gathered."""
    values = _checked(totals)
    return np.full(len(values), 1 / len(values))


WEIGHTS: Mapping[str, Callable[..., NDArray[np.float64]]] = {
    "document": aspect_weights,
    "inverse": inverse_weights,
    "softmax": softmax_weights,
    "quotas": quota_weights,
    EQUAL: equal_weights,
}
_PARAMETERS = {"inverse": ("power", "floor"), "softmax": ("temperature",), "quotas": ("chosen",)}


def make_weights(name: str, params: Mapping[str, Any] | None = None) -> WeightFunction:
    """The weight function of a name of `WEIGHTS` with its parameters.

    Raises ArgumentError for an unknown name or parameter and for a value out of range.
    """
    if name not in WEIGHTS:
        raise ArgumentError(f"weights={name}: expected one of {', '.join(WEIGHTS)}")
    given = dict(params or {})
    known = _PARAMETERS.get(name, ())
    if unknown := sorted(set(given) - set(known)):
        expected = ", ".join(known) or "none"
        raise ArgumentError(f"weights={name}: unknown parameter {unknown[0]}, expected {expected}")
    for parameter, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ArgumentError(f"weights {name}: {parameter}={value!r}: expected a number")
    function = partial(WEIGHTS[name], **given)
    function([1.0, 2.0])
    return function


def _checked(totals: ArrayLike) -> NDArray[np.float64]:
    aspect_weights(totals)
    return np.asarray(totals, dtype=np.float64)


def _shares(totals: ArrayLike) -> NDArray[np.float64]:
    values = _checked(totals)
    total = values.sum()
    return values / total if total else np.full(len(values), 1 / len(values))


def _check(name: str, value: float) -> None:
    if not 0 < value < math.inf:
        raise ArgumentError(f"weights: {name}={value}: expected a number above 0")
