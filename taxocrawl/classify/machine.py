"""A two-class support vector machine trained by libsvm, with its classes the right way round.

libsvm's decision values are positive for whichever label came first in the training data (CLS-02).
Here the classes are 1 and 0, the training rows are put in one order before libsvm sees them, the
label order is read from the model, and a decision is positive for class 1 always.
"""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from libsvm import svmutil

# libsvm is imported where it trains: deciding needs none of it, and it loads SciPy.

Row = dict[int, float]
"""A sparse row: feature number from 1 upwards, and its value."""

KERNELS = {"linear": 0, "rbf": 2}
"""libsvm's numbers of the kernels on offer."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """The kernel and its penalty.

    `cost` is C > 0. `gamma` > 0 only matters to "rbf", ``exp(-gamma |x - y|^2)``.
    """

    name: str = "linear"
    cost: float = 1.0
    gamma: float = 1.0

    def __post_init__(self) -> None:
        if self.name not in KERNELS:
            raise ValueError(f"kernel must be one of {', '.join(KERNELS)}, not {self.name!r}")
        if self.cost <= 0 or self.gamma <= 0:
            raise ValueError(f"cost and gamma must be positive, not {self.cost}, {self.gamma}")


class Problem:
    """Training rows in libsvm's own memory, in an order that does not depend on the caller's."""

    def __init__(self, rows: Sequence[Mapping[int, float]], classes: Sequence[int]) -> None:
        if set(classes) != {0, 1}:
            raise ValueError(f"classes must be 0 and 1, both present; found {sorted(set(classes))}")
        pairs = sorted(
            zip(classes, (dict(sorted(row.items())) for row in rows), strict=True),
            key=lambda pair: (-pair[0], sorted(pair[1].items())),
        )
        from libsvm import svmutil

        positive = sum(classes)
        self._weights = f"-w1 {len(classes) / (2 * positive):.17g} "
        self._weights += f"-w0 {len(classes) / (2 * (len(classes) - positive)):.17g}"
        self._problem = svmutil.svm_problem([c for c, _ in pairs], [row for _, row in pairs])

    def train(self, kernel: Kernel) -> svmutil.svm_model:
        """libsvm's model. Both classes weigh the same in total, however many rows each has."""
        from libsvm import svmutil

        options = f"-s 0 -t {KERNELS[kernel.name]} -c {kernel.cost:.17g} -g {kernel.gamma:.17g}"
        parameter = svmutil.svm_parameter(f"{options} -e 0.0001 -q {self._weights}")
        return svmutil.svm_train(self._problem, parameter)


class HeldOutRows:
    """Rows in libsvm's own memory, to be judged by many models."""

    def __init__(self, rows: Iterable[Mapping[int, float]]) -> None:
        from libsvm import svm

        self._rows = [svm.gen_svm_nodearray(dict(row))[0] for row in rows]

    def decisions(self, model: svmutil.svm_model) -> list[float]:
        """libsvm's own decision value for each row, positive for class 1."""
        from ctypes import c_double

        from libsvm import svm

        sign = 1.0 if model.get_labels()[0] == 1 else -1.0
        value = (c_double * 1)()
        values = []
        for row in self._rows:
            svm.libsvm.svm_predict_values(model, row, value)
            values.append(sign * value[0])
        return values


@dataclass(frozen=True, slots=True)
class SupportVectors:
    """A trained machine, read from libsvm's text format; needs no libsvm to decide."""

    kernel: str
    gamma: float
    sign: float
    """1 when libsvm's first label is class 1, else -1."""
    rho: float
    coefficients: tuple[float, ...]
    rows: tuple[Row, ...]

    @classmethod
    def trained(
        cls, rows: Sequence[Mapping[int, float]], classes: Sequence[int], kernel: Kernel
    ) -> Self:
        """Train on rows of class 1 or 0. Raises ValueError when a class is missing."""
        return cls.from_text(model_text(Problem(rows, classes).train(kernel)))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read libsvm's model format. Raises ValueError where it is none of two classes."""
        head, found, body = text.partition("\nSV\n")
        fields = dict(line.split(" ", 1) for line in head.splitlines() if " " in line)
        if not found or fields.get("svm_type") != "c_svc" or fields.get("nr_class") != "2":
            raise ValueError("expected a libsvm model of two classes (c_svc)")
        labels = fields.get("label", "").split()
        if sorted(labels) != ["0", "1"]:
            raise ValueError(f"expected the labels 1 and 0, found {' '.join(labels) or 'none'}")
        name = fields.get("kernel_type", "")
        if name not in KERNELS:
            raise ValueError(f"expected a kernel of {', '.join(KERNELS)}, found {name!r}")
        vectors = [_support_vector(line) for line in body.splitlines() if line.strip()]
        if len(vectors) != int(fields["total_sv"]):
            raise ValueError(f"expected {fields['total_sv']} support vectors, found {len(vectors)}")
        return cls(
            kernel=name,
            gamma=_finite(fields.get("gamma", "1")),
            sign=1.0 if labels[0] == "1" else -1.0,
            rho=_finite(fields["rho"]),
            coefficients=tuple(coefficient for coefficient, _ in vectors),
            rows=tuple(row for _, row in vectors),
        )

    def decision(self, row: Mapping[int, float]) -> float:
        """The decision value of a row: positive for class 1, the border at 0."""
        pairs = zip(self.coefficients, self.rows, strict=True)
        if self.kernel == "linear":
            total = math.fsum(c * _dot(row, vector) for c, vector in pairs)
        else:
            total = math.fsum(c * self._rbf(row, vector) for c, vector in pairs)
        return self.sign * (total - self.rho)

    def linear_weights(self) -> tuple[Row, float]:
        """A linear machine as one weight a feature and an offset: ``w . x + b`` is the decision."""
        terms: dict[int, list[float]] = {}
        for coefficient, row in zip(self.coefficients, self.rows, strict=True):
            for feature, value in row.items():
                terms.setdefault(feature, []).append(self.sign * coefficient * value)
        weights = {feature: math.fsum(parts) for feature, parts in sorted(terms.items())}
        return weights, -self.sign * self.rho

    def _rbf(self, one: Mapping[int, float], other: Mapping[int, float]) -> float:
        distance = _dot(one, one) + _dot(other, other) - 2 * _dot(one, other)
        return math.exp(-self.gamma * max(distance, 0.0))


def model_text(model: svmutil.svm_model) -> str:
    """A libsvm model in libsvm's own text format."""
    from libsvm import svmutil

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        svmutil.svm_save_model(str(path), model)
        return path.read_text(encoding="ascii")


def _support_vector(line: str) -> tuple[float, Row]:
    coefficient, *pairs = line.split()
    row = {int(number): _finite(value) for number, value in (pair.split(":") for pair in pairs)}
    return _finite(coefficient), row


def _dot(one: Mapping[int, float], other: Mapping[int, float]) -> float:
    if len(one) > len(other):
        one, other = other, one
    return math.fsum(value * other[feature] for feature, value in one.items() if feature in other)


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"expected finite numbers, found {number}")
    return value
