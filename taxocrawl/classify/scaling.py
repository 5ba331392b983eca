"""Scaling of features to [-1, 1] by the ranges of the training set (KU 3.2.2.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from taxocrawl.classify.features import weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from taxocrawl.classify.machine import Row


class Scale:
    """Each feature's range in the training set, and rows scaled by it.

    ``svm-scale`` maps x to ``-1 + 2 (x - lower) / (upper - lower)``, which turns every absent term
    (0) of a sparse vector into -1 and the row into a dense one. The rows made here are the same
    points seen from the image of the zero vector as origin: ``2 x / (upper - lower)``, still 0
    where the term is absent. A support vector machine does not notice: the RBF kernel only knows
    distances, and in the linear one a shift adds ``c.x + c.z + c.c`` to each product, which
    vanishes from the dual problem because ``sum(alpha_i y_i) = 0`` and goes into the offset of
    the decision. `tests/classify/test_scaling.py` compares with rows scaled densely.
    """

    def __init__(self) -> None:
        self.lower_: dict[str, float] = {}
        self.upper_: dict[str, float] = {}
        self._number: dict[str, int] = {}
        self._factor: dict[str, float] = {}

    def fit(self, vectors: Sequence[Mapping[str, float]]) -> Self:
        """Learn the ranges; a feature that never changes is left out."""
        present: dict[str, list[float]] = {}
        for vector in vectors:
            for name, value in vector.items():
                present.setdefault(name, []).append(value)
        for name, values in sorted(present.items()):
            if len(values) < len(vectors):
                values.append(0.0)
            if min(values) < max(values):
                self.lower_[name], self.upper_[name] = min(values), max(values)
        return self._numbered()

    @classmethod
    def from_state(cls, state: Mapping[str, object]) -> Self:
        """Read back `state`. Raises KeyError, TypeError or ValueError if it is none."""
        scale = cls()
        scale.lower_, scale.upper_ = weights(state["lower"]), weights(state["upper"])
        if scale.lower_.keys() != scale.upper_.keys():
            raise ValueError("a feature has one end of its range only")
        if any(scale.lower_[name] >= upper for name, upper in scale.upper_.items()):
            raise ValueError("a feature's range is empty")
        return scale._numbered()

    def state(self) -> dict[str, object]:
        return {"lower": self.lower_, "upper": self.upper_}

    def row(self, vector: Mapping[str, float]) -> Row:
        """The scaled row, from the image of the zero vector; unknown features are left out."""
        return {
            self._number[name]: value * self._factor[name]
            for name, value in vector.items()
            if name in self._number
        }

    def factors(self, row_weights: Row) -> dict[str, float]:
        """Weights of row numbers as weights of unscaled features by name."""
        return {
            name: row_weights[number] * self._factor[name]
            for name, number in self._number.items()
            if number in row_weights
        }

    def _numbered(self) -> Self:
        self._number = {name: number for number, name in enumerate(self.lower_, start=1)}
        self._factor = {
            name: 2.0 / (upper - self.lower_[name]) for name, upper in self.upper_.items()
        }
        return self
