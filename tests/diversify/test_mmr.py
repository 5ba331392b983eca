from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxocrawl.diversify.mmr import mmr
from taxocrawl.diversify.similarity import CosineSimilarity, MatrixSimilarity
from taxocrawl.exceptions import ArgumentError

RELEVANCE = [0.9, 0.7, 0.6, 0.5, 0.2]


def table_3_1(d3_d5: float) -> list[list[float]]:
    """METU table 3.1 with one value for the pair D3, D5, where the document has two."""
    return [
        [1.0, 0.8, 0.3, 0.6, 0.1],
        [0.8, 1.0, 0.7, 0.4, 0.5],
        [0.3, 0.7, 1.0, 0.1, d3_d5],
        [0.6, 0.4, 0.1, 1.0, 0.3],
        [0.1, 0.5, d3_d5, 0.3, 1.0],
    ]


def test_equation_3_10_with_the_candidates_own_row() -> None:
    ranking = mmr(RELEVANCE, MatrixSimilarity(table_3_1(0.1)), 0.5, 3)
    assert ranking.order == (0, 2, 4)
    assert ranking.scores == pytest.approx((0.45, 0.15, 0.05))


def test_equation_3_10_with_the_larger_similarity_ties_two_and_four() -> None:
    ranking = mmr(RELEVANCE, MatrixSimilarity(table_3_1(0.4)), 0.5, 3)
    assert ranking.order == (0, 2, 1)
    assert ranking.scores == pytest.approx((0.45, 0.15, -0.05))


def test_the_printed_asymmetric_table_is_refused() -> None:
    table = table_3_1(0.4)
    table[4][2] = 0.1
    with pytest.raises(ArgumentError, match=r"symmetric, but items 2 and 4 have 0\.4 .* 0\.1"):
        MatrixSimilarity(table)


class TestDiv01:
    """The penalty looks at every chosen item, not at the last one."""

    relevance = (0.9, 0.88, 0.6, 0.5)
    matrix = MatrixSimilarity(
        [[1, 0.95, 0.1, 0], [0.95, 1, 0.1, 0], [0.1, 0.1, 1, 0.2], [0, 0, 0.2, 1]]
    )

    def test_half(self) -> None:
        ranking = mmr(self.relevance, self.matrix, 0.5)
        assert ranking.order == (0, 2, 3, 1)
        assert ranking.scores == pytest.approx((0.45, 0.25, 0.15, -0.035))

    def test_ends_of_the_scale(self) -> None:
        assert mmr(self.relevance, self.matrix, 1).order == (0, 1, 2, 3)
        assert mmr(self.relevance, self.matrix, 0).order == (0, 3, 2, 1)


@pytest.mark.parametrize("weight", [1.6, -0.1, float("nan")])
def test_lambda_outside_its_range_is_refused_with_the_reason(weight: float) -> None:
    with pytest.raises(ArgumentError, match=r"lambda must lie in \[0, 1\].*counts against"):
        mmr([1.0], MatrixSimilarity([[1.0]]), weight)


def test_no_items_and_one_item() -> None:
    assert mmr([], MatrixSimilarity(np.zeros((0, 0)))).order == ()
    assert mmr([0.3], MatrixSimilarity([[1.0]]), 0).order == (0,)


def test_similarities_of_another_number_of_items_are_refused() -> None:
    with pytest.raises(ArgumentError, match="similarities given for 1 items, but 2"):
        mmr([0.3, 0.2], MatrixSimilarity([[1.0]]))


def test_negative_length_is_refused() -> None:
    with pytest.raises(ArgumentError, match="0 or more"):
        mmr([0.3], MatrixSimilarity([[1.0]]), k=-1)


class CountingSimilarity:
    def __init__(self, size: int) -> None:
        self.size = size
        self.asked: list[int] = []

    def __len__(self) -> int:
        return self.size

    def row(self, index: int) -> np.ndarray:
        self.asked.append(index)
        return np.eye(self.size)[index]


def test_only_the_rows_of_chosen_items_are_made() -> None:
    similarity = CountingSimilarity(100)
    ranking = mmr(np.linspace(1, 0.5, 100), similarity, 0.5, 5)
    assert similarity.asked == list(ranking.order[:-1])


POINTS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=12
)


@given(POINTS, st.integers(0, 20))
def test_any_list_gives_a_permutation_and_ties_have_a_fixed_order(
    points: list[tuple[int, int, int]], twentieth: int
) -> None:
    relevance = [point[0] / 4 for point in points]
    similarity = CosineSimilarity([point[1:] for point in points])
    ranking = mmr(relevance, similarity, twentieth / 20)
    assert sorted(ranking.order) == list(range(len(points)))
    assert ranking == mmr(relevance, similarity, twentieth / 20)
    assert ranking.order[0] == relevance.index(max(relevance))


@given(POINTS)
def test_lambda_one_is_the_first_ranking(points: list[tuple[int, int, int]]) -> None:
    relevance = [point[0] / 4 for point in points]
    ranking = mmr(relevance, CosineSimilarity([point[1:] for point in points]), 1.0)
    expected = sorted(range(len(points)), key=lambda index: -relevance[index])
    assert list(ranking.order) == expected


@given(POINTS, st.integers(0, 20), st.integers(0, 12))
def test_a_shorter_ranking_is_the_head_of_a_longer_one(
    points: list[tuple[int, int, int]], twentieth: int, k: int
) -> None:
    relevance = [point[0] / 4 for point in points]
    similarity = CosineSimilarity([point[1:] for point in points])
    whole = mmr(relevance, similarity, twentieth / 20)
    assert mmr(relevance, similarity, twentieth / 20, k).order == whole.order[:k]


@given(POINTS, st.integers(0, 20))
def test_equals_the_definition(points: list[tuple[int, int, int]], twentieth: int) -> None:
    relevance = [point[0] / 4 for point in points]
    similarity = CosineSimilarity([point[1:] for point in points])
    rows = [similarity.row(index) for index in range(len(points))]
    weight = twentieth / 20
    chosen: list[int] = []
    for _ in points:
        left = [index for index in range(len(points)) if index not in chosen]
        values = {
            index: weight * relevance[index]
            - (1 - weight) * max((rows[index][other] for other in chosen), default=0.0)
            for index in left
        }
        top = max(values.values())
        tied = [index for index in left if values[index] > top - 1e-12]
        chosen.append(max(tied, key=lambda index: (relevance[index], -index)))
    assert list(mmr(relevance, similarity, weight).order) == chosen
