"""Confusion counts of a two-category decision, and the figures that follow from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable

UNDEFINED = "n/a"


def ratio(part: float, whole: float) -> float | None:
    """`part / whole`, or None where the whole is zero: an undefined figure is never a number."""
    return part / whole if whole else None


def percent(value: float | None) -> str:
    """A ratio in [0, 1] as a percentage with two decimals (``18.48``); ``n/a`` when undefined."""
    return UNDEFINED if value is None else f"{100 * value:.2f}"


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts in the standard orientation (KU figure 8 has two of its cells mixed up).

    Rows are what a document is, columns what was predicted: `fn` is actual positive and
    predicted negative, `fp` actual negative and predicted positive. The figures are in [0, 1],
    or None where their denominator is zero.
    """

    tp: int = 0
    fp: int = 0
    tn: int = 0
    fn: int = 0

    def __post_init__(self) -> None:
        if min(self.tp, self.fp, self.tn, self.fn) < 0:
            raise ValueError(f"counts of a confusion matrix must not be negative: {self}")

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[bool, bool]]) -> Self:
        """Count pairs of (actually positive, predicted positive)."""
        cells = {(True, True): 0, (False, True): 0, (False, False): 0, (True, False): 0}
        for actual, predicted in pairs:
            cells[bool(actual), bool(predicted)] += 1
        return cls(*cells.values())

    def __add__(self, other: Confusion) -> Confusion:
        if not isinstance(other, Confusion):
            return NotImplemented
        return Confusion(
            self.tp + other.tp, self.fp + other.fp, self.tn + other.tn, self.fn + other.fn
        )

    def accepting_all(self) -> Confusion:
        """The same documents when nothing is filtered out: every one predicted positive."""
        return Confusion(tp=self.positives, fp=self.fp + self.tn)

    @property
    def positives(self) -> int:
        """Number of documents that are positive, whatever was predicted."""
        return self.tp + self.fn

    @property
    def total(self) -> int:
        return self.tp + self.fp + self.tn + self.fn

    @property
    def precision(self) -> float | None:
        """TP / (TP + FP) (KU 4.1.2)."""
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        """TP / (TP + FN) (KU 4.1.2)."""
        return ratio(self.tp, self.positives)

    @property
    def f1(self) -> float | None:
        """2 TP / (2 TP + FP + FN): the harmonic mean of precision and recall."""
        return ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def accuracy(self) -> float | None:
        """(TP + TN) / all (KU 4.1.1)."""
        return ratio(self.tp + self.tn, self.total)

    def figures(self) -> dict[str, int | float | None]:
        """Counts and figures by name, in a fixed order, ready for JSON (None, never NaN)."""
        return {
            "tp": self.tp,
            "fp": self.fp,
            "tn": self.tn,
            "fn": self.fn,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "accuracy": self.accuracy,
        }
