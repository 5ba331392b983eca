"""Weight functions: sum to 1, the less covered the heavier, one aspect is 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxocrawl.diversify.combsumdiv import aspect_weights
from taxocrawl.diversify.weights import WEIGHTS, make_weights
from taxocrawl.exceptions import ArgumentError

MOVING = [name for name in WEIGHTS if name != "equal"]
totals_of = st.lists(st.floats(0, 1e4), min_size=2, max_size=8)


@pytest.mark.parametrize("name", WEIGHTS)
@given(totals=st.lists(st.floats(0, 1e6), min_size=1, max_size=8))
def test_weights_sum_to_one(name: str, totals: list[float]) -> None:
    weights = make_weights(name)(totals)
    assert weights.sum() == pytest.approx(1)
    assert (weights >= 0).all()


@pytest.mark.parametrize("name", MOVING)
@given(totals=totals_of)
def test_a_less_covered_aspect_never_weighs_less(name: str, totals: list[float]) -> None:
    weights = make_weights(name)(totals)[np.argsort(totals, kind="stable")]
    assert (np.diff(weights) <= 1e-12).all()


@pytest.mark.parametrize("name", MOVING)
def test_a_less_covered_aspect_weighs_more(name: str) -> None:
    first, second, third = make_weights(name)([4.0, 1.0, 9.0])
    assert second > first > third


@pytest.mark.parametrize("name", WEIGHTS)
def test_one_aspect_has_all_the_weight(name: str) -> None:
    assert make_weights(name)([3.0]).tolist() == [1.0]
    assert make_weights(name)([0.0]).tolist() == [1.0]


@pytest.mark.parametrize("name", WEIGHTS)
def test_nothing_gathered_and_equal_totals_give_equal_weights(name: str) -> None:
    assert make_weights(name)([0, 0, 0, 0]).tolist() == [0.25] * 4
    assert make_weights(name)([2.5, 2.5]) == pytest.approx([0.5, 0.5])


def test_the_documents_function_is_the_one_that_is_normalised() -> None:
    totals = [2.2, 1.7, 2.4]
    assert make_weights("document")(totals) == pytest.approx(aspect_weights(totals))


def test_others_favour_the_uncovered_aspect_more_than_the_document() -> None:
    totals = [10.0, 40.0, 50.0]
    document = make_weights("document")(totals)[0]
    for name in ("inverse", "softmax", "quotas"):
        assert make_weights(name)(totals)[0] > document


def test_worked_values() -> None:
    assert make_weights("inverse", {"floor": 0.05})([1, 3]) == pytest.approx([0.8 / 1.1, 0.3 / 1.1])
    softmax = make_weights("softmax", {"temperature": 1})([1, 3])
    assert softmax == pytest.approx([np.e / (1 + np.e), 1 / (1 + np.e)])
    # Quotients 1/3 and 1/7; of the first 0.75, of the second 0.25.
    quotas = make_weights("quotas", {"chosen": 0.75})([1, 3])
    assert quotas == pytest.approx([0.875, 0.125])


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("loud", {}, "weights=loud: expected one of document, inverse, softmax, quotas, equal"),
        ("document", {"temperature": 1}, "unknown parameter temperature, expected none"),
        ("softmax", {"temperature": 0}, "temperature=0: expected a number above 0"),
        ("softmax", {"temperature": "hot"}, "temperature='hot': expected a number"),
        ("inverse", {"power": -1}, "power=-1: expected a number above 0"),
        ("quotas", {"chosen": 1}, r"chosen=1: expected a number in \[0.5, 1\)"),
    ],
)
def test_wrong_choices_are_refused(name: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        make_weights(name, params)


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("totals", [[], [1, -1], [float("nan"), 1]])
def test_totals_that_give_no_weights_are_refused(name: str, totals: list[float]) -> None:
    with pytest.raises(ArgumentError):
        make_weights(name)(totals)
