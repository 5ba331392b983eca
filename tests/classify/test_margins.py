from __future__ import annotations

import math

import pytest

from taxocrawl.classify.margins import best_threshold, confidence, decision, fit_slope
from taxocrawl.items import Category

POSITIVE, NEGATIVE = Category.TAXONOMIC, Category.NON_TAXONOMIC


def test_confidence_is_the_logistic_of_the_margins_size() -> None:
    assert confidence(0.0, 3.0) == 0.5
    assert confidence(-1.0, 2.0) == confidence(1.0, 2.0) == pytest.approx(1 / (1 + math.exp(-2)))
    assert confidence(1e300, 256.0) == 1.0


@pytest.mark.parametrize(
    ("margin", "category"), [(1e-9, POSITIVE), (0.0, NEGATIVE), (-0.1, NEGATIVE)]
)
def test_the_category_is_the_margins_side(margin: float, category: Category) -> None:
    assert decision(margin, 5.0, "m").category is category


def test_a_better_separation_gives_a_steeper_slope() -> None:
    labels = [POSITIVE] * 20 + [NEGATIVE] * 20
    apart = [0.5] * 20 + [-0.5] * 20
    mixed = [0.5] * 12 + [-0.5] * 8 + [-0.5] * 12 + [0.5] * 8
    assert fit_slope(apart, labels) > fit_slope(mixed, labels)


def test_useless_margins_give_the_smallest_slope() -> None:
    assert fit_slope([1.0, -1.0], [NEGATIVE, POSITIVE]) == 2**-4


def test_the_slope_of_nothing_is_the_default() -> None:
    assert fit_slope([], []) == 1.0


def test_the_threshold_parts_the_categories_in_the_middle() -> None:
    labels = [NEGATIVE, NEGATIVE, POSITIVE, POSITIVE]
    assert best_threshold([0.1, 0.2, 0.4, 0.9], labels) == pytest.approx(0.3)
    assert best_threshold([-0.2, -0.1, 0.4, 0.9], labels) == 0.0


def test_both_categories_weigh_the_same_in_the_threshold() -> None:
    margins = [0.1] * 50 + [0.3, 0.3, 0.2, 0.4]
    labels = [NEGATIVE] * 52 + [POSITIVE] * 2
    assert best_threshold(margins, labels) == pytest.approx(0.15)
