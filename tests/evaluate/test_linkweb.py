from __future__ import annotations

import pytest

from taxocrawl.evaluate.linkweb import OrderFigures, mean_figures, order_figures


def test_figures_by_hand() -> None:
    """4 relevant pages; downloads: yes no yes no no, then a sixth beyond the limit."""
    relevant = [True, False, True, False, False, True]
    figures = order_figures(relevant, 4, pages=5, first=3)
    assert figures == OrderFigures(2 / 4, pytest.approx(2 / 3), 2 / 4)


def test_a_crawl_that_ended_early_is_not_flattered() -> None:
    assert order_figures([True], 10, pages=300, first=100) == OrderFigures(0.1, 0.01, 0.1)


def test_each_topic_counts_alike() -> None:
    assert mean_figures([OrderFigures(1, 0.5, 0), OrderFigures(0, 0.5, 1)]) == OrderFigures(
        0.5, 0.5, 0.5
    )


def test_nothing_to_find_is_an_error() -> None:
    with pytest.raises(ValueError, match="no relevant page"):
        order_figures([False], 0)
