"""Coverage by true labels, worked by hand."""

from __future__ import annotations

import math

import pytest

from taxocrawl.evaluate.aspects import AspectCounts
from taxocrawl.evaluate.coverage import alpha_ndcg, coverage_figures, learning_curve

A, B, AB, NONE = frozenset("a"), frozenset("b"), frozenset("ab"), frozenset[str]()
LOG3 = math.log2(3)


def test_figures_by_hand() -> None:
    found = coverage_figures([A, NONE, AB, A], [A, A, A, AB, B, B, B], ["a", "b"])
    assert found.counts == AspectCounts(4, (3, 1))
    assert found.counts.precision_ia == pytest.approx(0.5)
    assert found.on_topic == 3
    assert found.aspect_recall == pytest.approx((3 / 4 + 1 / 4) / 2)
    gained = 1 + (0.5 + 1) / 2 + 0.25 / math.log2(5)
    best = 2 + 0.5 / LOG3 + 0.5 / 2 + 0.25 / math.log2(5)
    assert found.alpha_ndcg == pytest.approx(gained / best)


def test_the_best_order_has_1_and_an_empty_one_0() -> None:
    assert alpha_ndcg([AB, A, B], [A, B, AB, A]) == pytest.approx(1)
    assert alpha_ndcg([], [A]) == alpha_ndcg([A], []) == 0
    assert alpha_ndcg([NONE, NONE], [A]) == 0


def test_turning_to_the_other_aspect_gains_more() -> None:
    pool = [A, A, B, B]
    assert alpha_ndcg([A, B], pool) == pytest.approx(1)
    assert alpha_ndcg([A, A], pool) == pytest.approx((1 + 0.5 / LOG3) / (1 + 1 / LOG3))
    assert alpha_ndcg([A, A], pool, alpha=0) == pytest.approx(1)


def test_an_aspect_without_pages_is_an_error() -> None:
    with pytest.raises(ValueError, match="no page about b to find"):
        coverage_figures([A], [A], ["a", "b"])


def test_learning_curve_up_to_the_end_of_each_batch() -> None:
    curve = learning_curve([A, B, NONE, AB, A], ["a", "b"], [2, 4, 5])
    assert curve == [
        AspectCounts(2, (1, 1)),
        AspectCounts(4, (2, 2)),
        AspectCounts(5, (3, 2)),
    ]
    assert learning_curve([A], ["a"], []) == []
