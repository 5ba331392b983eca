from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxocrawl.diversify import wordmover
from taxocrawl.diversify.wordmover import WordMoverSimilarity, relaxed_cost, transport_cost

EAST, NORTH, WEST = [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]


def test_by_hand() -> None:
    """From {east, north} to {north, west}: north stays, east goes to west: half of 2."""
    row = WordMoverSimilarity([[EAST, NORTH], [NORTH, WEST], [EAST, EAST, NORTH]]).row(0)
    # To {2/3 east, 1/3 north}: a sixth goes from north to east, sqrt 2 away.
    assert row == pytest.approx([1, 1 / 2, 1 / (1 + math.sqrt(2) / 6)])


def test_length_of_vectors_and_order_of_words_do_not_matter() -> None:
    row = WordMoverSimilarity([[EAST, NORTH], [[0.0, 5.0], [3.0, 0.0]]]).row(0)
    assert row == pytest.approx([1, 1])


def test_texts_without_known_words() -> None:
    similarity = WordMoverSimilarity([np.zeros((0, 2)), np.zeros((0, 2)), [EAST]])
    assert similarity.row(0).tolist() == [1, 0, 0]
    assert similarity.row(2).tolist() == [0, 0, 1]


VECTOR = st.tuples(st.integers(-2, 2), st.integers(-2, 2)).filter(any)
TEXT = st.lists(VECTOR, min_size=1, max_size=4)


@settings(max_examples=40)
@given(TEXT, TEXT)
def test_symmetric_and_pruned_only_below_what_matters(
    first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> None:
    exact = WordMoverSimilarity([first, second])
    pruned = WordMoverSimilarity([first, second], least=0.6)
    value = exact.row(0)[1]
    assert exact.row(1)[0] == value
    assert 0 < value <= 1
    if value >= 0.6:
        assert pruned.row(0)[1] == value
    else:
        assert value <= pruned.row(0)[1] + 1e-12
        assert pruned.row(0)[1] < 0.6 or pruned.row(0)[1] == value


def test_the_bound_is_never_above_the_cost() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        cost = rng.random((3, 4))
        supply, demand = np.full(3, 1 / 3), np.full(4, 1 / 4)
        assert relaxed_cost(supply, demand, cost) <= transport_cost(supply, demand, cost) + 1e-9


def test_linear_programming_gives_what_pot_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    cost = np.array([[0.0, 2.0, 3.0], [2.0, 0.0, 1.0]])
    supply, demand = np.array([0.5, 0.5]), np.array([0.25, 0.25, 0.5])
    known = 0.25 * 0 + 0.25 * 3 + 0.25 * 0 + 0.25 * 1
    assert transport_cost(supply, demand, cost) == pytest.approx(known)
    monkeypatch.setattr(wordmover, "emd2", None)
    assert transport_cost(supply, demand, cost) == pytest.approx(known)
