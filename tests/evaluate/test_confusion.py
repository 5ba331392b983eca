from __future__ import annotations

import pytest

from taxocrawl.evaluate.confusion import Confusion, percent, ratio


def test_pairs_are_counted_in_the_standard_orientation() -> None:
    pairs = [(True, True)] * 4 + [(False, True)] * 11 + [(False, False)] * 41 + [(True, False)] * 3

    assert Confusion.from_pairs(pairs) == Confusion(tp=4, fp=11, tn=41, fn=3)


def test_figures_follow_their_definitions() -> None:
    matrix = Confusion(tp=4, fp=11, tn=41, fn=3)

    assert matrix.precision == 4 / 15
    assert matrix.recall == 4 / 7
    assert matrix.f1 == pytest.approx(2 * (4 / 15) * (4 / 7) / (4 / 15 + 4 / 7))
    assert matrix.accuracy == 45 / 59


@pytest.mark.parametrize(
    ("matrix", "undefined"),
    [
        (Confusion(), {"precision", "recall", "f1", "accuracy"}),
        (Confusion(tn=5), {"precision", "recall", "f1"}),
        (Confusion(fn=5), {"precision"}),
        (Confusion(fp=5), {"recall"}),
    ],
)
def test_a_figure_with_a_zero_denominator_is_undefined(
    matrix: Confusion, undefined: set[str]
) -> None:
    figures = matrix.figures()

    assert {name for name, value in figures.items() if value is None} == undefined


def test_addition_pools_the_counts() -> None:
    total = sum([Confusion(1, 2, 3, 4), Confusion(10, 20, 30, 40)], Confusion())

    assert total == Confusion(11, 22, 33, 44)
    with pytest.raises(TypeError):
        Confusion() + 1  # type: ignore[operator]


def test_accepting_all_keeps_the_documents_and_rejects_none() -> None:
    before = Confusion(tp=4, fp=11, tn=41, fn=3).accepting_all()

    assert before == Confusion(tp=7, fp=52)
    assert before.recall == 1.0


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        Confusion(tp=-1)


@pytest.mark.parametrize(
    ("value", "text"), [(39 / 211, "18.48"), (1.0, "100.00"), (0.0, "0.00"), (None, "n/a")]
)
def test_percentages_are_printed_with_two_decimals(value: float | None, text: str) -> None:
    assert percent(value) == text


def test_ratio_of_nothing_is_undefined() -> None:
    assert ratio(0, 0) is None
    assert ratio(0, 3) == 0.0
