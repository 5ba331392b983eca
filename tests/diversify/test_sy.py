from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxocrawl.diversify.similarity import JaccardSimilarity, MatrixSimilarity
from taxocrawl.diversify.sy import sy
from taxocrawl.exceptions import ArgumentError

MATRIX = MatrixSimilarity([[1, 0.6, 0.1, 0], [0.6, 1, 0.5, 0], [0.1, 0.5, 1, 0], [0, 0, 0, 1]])


def test_what_repeats_a_taken_text_is_left_out() -> None:
    ranking = sy([4, 3, 2, 1], MATRIX, 0.5)
    # 2 repeats only 1, which is itself left out.
    assert ranking.order == (0, 2, 3)
    assert ranking.scores == (4, 2, 1)
    assert ranking.duplicates == ((1, 0),)


def test_walks_down_the_first_ranking() -> None:
    ranking = sy([1, 4, 3, 2], MATRIX, 0.5)
    assert ranking.order == (1, 3)
    assert ranking.duplicates == ((2, 1), (0, 1))


def test_the_threshold_itself_counts_in_spite_of_rounding() -> None:
    similarity = MatrixSimilarity([[1, 0.1 + 0.2], [0.1 + 0.2, 1]])
    assert sy([2, 1], similarity, 0.3).order == (0,)
    assert sy([2, 1], MatrixSimilarity([[1, 0.3], [0.3, 1]]), 0.1 + 0.2).order == (0,)


def test_ends_when_enough_are_taken_or_none_is_left() -> None:
    assert sy([4, 3, 2, 1], MATRIX, 0.5, 2).order == (0, 2)
    assert sy([4, 3, 2, 1], MATRIX, 0.5, 9).order == (0, 2, 3)
    assert sy([], MatrixSimilarity(np.zeros((0, 0)))).order == ()


def test_duplicates_can_be_put_last() -> None:
    assert sy([4, 3, 2, 1], MATRIX, 0.5, keep_duplicates=True).order == (0, 2, 3, 1)
    assert sy([4, 3, 2, 1], MATRIX, 0.5, 2, keep_duplicates=True).order == (0, 2)


@pytest.mark.parametrize("threshold", [-0.1, 1.6, float("nan")])
def test_threshold_out_of_range_is_refused(threshold: float) -> None:
    with pytest.raises(ArgumentError, match=r"threshold must lie in \[0, 1\]"):
        sy([1.0], MatrixSimilarity([[1.0]]), threshold)


TEXTS = st.lists(st.sets(st.sampled_from("abcdef"), max_size=4), min_size=1, max_size=10)


@given(TEXTS, st.integers(1, 20))
def test_taken_and_left_out_make_up_the_input(texts: list[set[str]], twentieth: int) -> None:
    similarity = JaccardSimilarity(sorted(text) for text in texts)
    threshold = twentieth / 20
    ranking = sy(range(len(texts), 0, -1), similarity, threshold)
    left_out = [index for index, _ in ranking.duplicates]
    assert sorted([*ranking.order, *left_out]) == list(range(len(texts)))
    for index in ranking.order:
        row = similarity.row(index)
        assert all(row[other] < threshold for other in ranking.order if other != index)
    for index, kept in ranking.duplicates:
        assert kept in ranking.order
        assert similarity.row(kept)[index] >= threshold - 1e-9
