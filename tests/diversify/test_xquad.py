from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxocrawl.diversify.xquad import as_probabilities, xquad
from taxocrawl.exceptions import ArgumentError


def test_by_hand() -> None:
    """Three documents, two aspects of weights .75 and .25, lambda .5.

    First: d0 .2 + .5(.75*.8 + .25*0) = .5; d1 .15 + .5(.75*.6 + .25*.2) = .4;
    d2 .1 + .5(.75*.1 + .25*.9) = .25. Then the aspects are left to .2 and 1:
    d1 .15 + .5(.75*.6*.2 + .25*.2) = .22; d2 .1 + .5(.75*.1*.2 + .25*.9) = .22: equal, so the
    more relevant d1. Left to .2*.4 = .08 and .8: d2 .1 + .5(.75*.1*.08 + .25*.9*.8) = .193.
    """
    aspects = [[0.8, 0.6, 0.1], [0.0, 0.2, 0.9]]
    ranking = xquad([0.4, 0.3, 0.2], aspects, [3, 1], lambda_=0.5)
    assert ranking.order == (0, 1, 2)
    assert ranking.scores == pytest.approx((0.5, 0.22, 0.193))


def test_a_new_aspect_beats_a_second_document_on_the_first_one() -> None:
    ranking = xquad([0.5, 0.45, 0.3], [[0.9, 0.9, 0.0], [0.0, 0.0, 0.8]], lambda_=0.8)
    assert ranking.order == (0, 2, 1)


class TestDiv04:
    relevance = (0.5, 0.3, 0.2)

    def test_no_aspects(self) -> None:
        with pytest.raises(ArgumentError, match="no aspects given"):
            xquad(self.relevance, [])

    def test_weights_that_sum_to_zero(self) -> None:
        with pytest.raises(ArgumentError, match="sum to 0"):
            xquad(self.relevance, [[1, 1, 0.2], [0, 0, 0]], [0, 0])

    def test_satisfied_aspects_leave_the_rest_to_relevance(self) -> None:
        ranking = xquad(self.relevance, [[1, 1, 0.2], [0, 0, 0]], lambda_=1)
        assert ranking.order == (0, 1, 2)
        assert ranking.scores == pytest.approx((0.5, 0, 0))

    def test_aspects_of_another_list(self) -> None:
        with pytest.raises(ArgumentError, match="for 2 items, but 3"):
            xquad(self.relevance, [[1, 1]])

    def test_lambda_of_the_document(self) -> None:
        with pytest.raises(ArgumentError, match=r"\[0, 1\], not 1\.6"):
            xquad(self.relevance, [[1, 1, 0.2]], lambda_=1.6)


@pytest.mark.parametrize(
    ("weights", "message"),
    [([1], "1 weights given for 2"), ([-1, 2], "0 or more"), ([float("inf"), 1], "finite")],
)
def test_other_wrong_weights(weights: list[float], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        xquad([0.5], [[1], [0]], weights)


def test_no_documents() -> None:
    assert xquad([], [[]]).order == ()


@pytest.mark.parametrize("value", [1.2, -0.1, float("nan")])
def test_what_is_no_probability_is_refused(value: float) -> None:
    with pytest.raises(ArgumentError, match=r"probabilities of aspects must lie in \[0, 1\]"):
        xquad([0.5], [[value]])


PROBABILITY = st.integers(0, 8).map(lambda eighths: eighths / 8)
LISTS = st.lists(st.tuples(PROBABILITY, PROBABILITY, PROBABILITY), min_size=1, max_size=10)


@given(LISTS, PROBABILITY)
def test_any_list_gives_a_permutation(rows: list[tuple[float, ...]], weight: float) -> None:
    relevance, *aspects = zip(*rows, strict=True)
    ranking = xquad(relevance, aspects, lambda_=weight)
    assert sorted(ranking.order) == list(range(len(rows)))


@given(LISTS)
def test_lambda_zero_is_the_first_ranking(rows: list[tuple[float, ...]]) -> None:
    relevance, *aspects = zip(*rows, strict=True)
    expected = sorted(range(len(rows)), key=lambda index: -relevance[index])
    assert list(xquad(relevance, aspects, lambda_=0).order) == expected


def test_scales_of_probabilities() -> None:
    assert as_probabilities([1, 3, -2]) == pytest.approx([0.25, 0.75, 0])
    assert as_probabilities([1, 4, -2], "max") == pytest.approx([0.25, 1, 0])
    assert as_probabilities([-1, 3, 1], "minmax") == pytest.approx([0, 1, 0.5])
    assert as_probabilities([[1, 1], [0, 0]]).tolist() == [[0.5, 0.5], [0, 0]]
    assert as_probabilities([1e308, 1e308]) == pytest.approx([0.5, 0.5])
    assert as_probabilities([]).tolist() == []


def test_infinite_scores_make_no_probabilities() -> None:
    with pytest.raises(ArgumentError, match="finite"):
        as_probabilities([1.0, float("inf")])
