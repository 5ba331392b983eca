from __future__ import annotations

import math

import pytest

from taxocrawl.evaluate.significance import confidence_interval, paired_test
from taxocrawl.exceptions import ArgumentError

FIRST = [0.30, 0.40, 0.10, 0.50, 0.25]
SECOND = [0.35, 0.48, 0.11, 0.49, 0.33]


def test_by_hand() -> None:
    result = paired_test(FIRST, SECOND)
    gaps = [0.05, 0.08, 0.01, -0.01, 0.08]
    mean = sum(gaps) / 5
    deviation = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / 4)
    assert result.difference == pytest.approx(mean)
    assert (result.better, result.worse, result.queries) == (4, 1, 5)
    # t = 2.2981 with 4 degrees of freedom.
    assert mean / deviation * math.sqrt(5) == pytest.approx(2.2981, abs=1e-4)
    assert result.t == pytest.approx(0.0831, abs=1e-4)
    # Of 32 choices of signs, 6 give a sum as far from 0 as .21: .21 twice, .23, and mirrored.
    assert result.randomisation == pytest.approx(6 / 32)


def test_no_difference_and_a_constant_one() -> None:
    same = paired_test(FIRST, FIRST)
    assert (same.difference, same.t, same.wilcoxon, same.randomisation) == (0, 1, 1, 1)
    half = paired_test([0.0] * 8, [0.5] * 8)
    assert half.t == 0.0
    assert half.randomisation == pytest.approx(2 / 256)


def test_many_queries_are_resampled_the_same_way_each_time() -> None:
    first = [math.sin(number) for number in range(40)]
    second = [value + 0.2 * math.cos(3 * number) for number, value in enumerate(first)]
    assert paired_test(first, second) == paired_test(first, second)


@pytest.mark.parametrize(("first", "second"), [([1.0], [1.0]), ([1.0, 2.0], [1.0]), ([], [])])
def test_other_queries_or_too_few_are_refused(first: list[float], second: list[float]) -> None:
    with pytest.raises(ArgumentError, match="paired test"):
        paired_test(first, second)


def test_confidence_interval_of_students_t() -> None:
    mean, half = confidence_interval([1.0, 2.0, 3.0, 4.0, 5.0])
    assert mean == 3
    assert half == pytest.approx(2.7764 * (2.5 / 5) ** 0.5, abs=1e-4)
    assert confidence_interval([2.0]) == (2.0, None)
    with pytest.raises(ArgumentError, match="interval"):
        confidence_interval([])
