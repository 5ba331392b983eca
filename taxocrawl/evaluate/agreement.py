"""How far people who judge the same documents agree, and what they say together."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from typing import TypeVar

    T = TypeVar("T", bound=Hashable)


def cohen_kappa(pairs: Iterable[tuple[Hashable, Hashable]]) -> float | None:
    """Cohen's kappa (1960) of two people: (P_o - P_e) / (1 - P_e), in [-1, 1].

    `pairs` holds what the first and the second say of each document; the expected agreement P_e
    comes from each one's own shares. None without pairs, and when both always give one same label:
    then chance alone explains all.
    """
    rows = list(pairs)
    if not rows:
        return None
    observed = sum(one == other for one, other in rows) / len(rows)
    first, second = Counter(one for one, _ in rows), Counter(other for _, other in rows)
    expected = sum(first[label] * second[label] for label in first) / len(rows) ** 2
    return _kappa(observed, expected)


def fleiss_kappa(documents: Iterable[Sequence[Hashable]]) -> float | None:
    """Fleiss' kappa (1971) of any number of people, in [-1, 1].

    `documents` holds the labels that each document was given, by whomever. Documents with less
    than two labels are left out; the number of labels need not be the same for all: the agreement
    on a document is that of its pairs of labels, and P_e comes from the shares of all labels, which
    for equal numbers is Fleiss' own formula. None when no document is left, and when all labels
    are the same.
    """
    rated = [Counter(labels) for labels in documents if len(labels) > 1]
    if not rated:
        return None
    observed = sum(map(_agreement, rated)) / len(rated)
    totals = sum(rated, Counter[object]())
    number = totals.total()
    expected = sum((count / number) ** 2 for count in totals.values())
    return _kappa(observed, expected)


def consensus(labels: Sequence[T], undecided: T) -> T:
    """The label that more than half give; `undecided` when there is none."""
    if not labels:
        return undecided
    label, count = Counter(labels).most_common(1)[0]
    return label if 2 * count > len(labels) else undecided


def _agreement(labels: Counter[Hashable]) -> float:
    """Share of a document's pairs of labels that are the same."""
    number = labels.total()
    return sum(count * (count - 1) for count in labels.values()) / (number * (number - 1))


def _kappa(observed: float, expected: float) -> float | None:
    return None if expected >= 1 else (observed - expected) / (1 - expected)
