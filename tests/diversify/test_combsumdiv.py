"""METU table 4.1-4.2, equations 4.8-4.10."""

from __future__ import annotations

import numpy as np
import pytest

from taxocrawl.diversify.combsumdiv import aspect_weights, combsumdiv, combsumdiv_scores
from taxocrawl.exceptions import ArgumentError

TOPIC = np.array([0.7, 0.6, 0.5, 0.4, 0.6])  # D1, D2, D3, D5, D8
ASPECTS = np.array(
    [[0.8, 0.2, 0.1, 0.7, 0.4], [0.1, 0.9, 0.2, 0.3, 0.2], [0.1, 0.1, 0.9, 0.5, 0.8]]
)


def test_first_iteration_has_equal_weights() -> None:
    scores = combsumdiv_scores(TOPIC[:3], ASPECTS[:, :3], lambda_=0.5)
    assert scores == pytest.approx([0.5166, 0.5, 0.45], abs=1e-4)


def test_weights_as_printed_and_normalised() -> None:
    totals = ASPECTS.sum(axis=1)
    assert totals == pytest.approx([2.2, 1.7, 2.4])
    printed = aspect_weights(totals, normalise=False)
    assert printed == pytest.approx([0.65, 0.73, 0.62], abs=0.005)
    assert printed.sum() == pytest.approx(2)
    weights = aspect_weights(totals)
    assert weights == pytest.approx(printed / 2)
    assert weights.sum() == pytest.approx(1)


def test_third_iteration_as_printed() -> None:
    weights = np.round(aspect_weights(ASPECTS.sum(axis=1), normalise=False), 2)
    scores = combsumdiv_scores(TOPIC[1:], ASPECTS[:, 1:], weights, 0.5)
    assert scores == pytest.approx([0.724, 0.634, 0.692, 0.751], abs=0.001)


def test_the_highest_score_comes_first_as_in_the_document() -> None:
    ranking = combsumdiv(TOPIC[1:], ASPECTS[:, 1:], aspect_weights(ASPECTS.sum(axis=1)))
    assert ranking.order[0] == 3  # D8


def test_weights_without_any_score_and_of_one_aspect_are_equal() -> None:
    assert aspect_weights([0, 0]).tolist() == [0.5, 0.5]
    assert aspect_weights([3]).tolist() == [1.0]


@pytest.mark.parametrize("totals", [[], [1, -1], [float("nan")]])
def test_totals_that_give_no_weights_are_refused(totals: list[float]) -> None:
    with pytest.raises(ArgumentError):
        aspect_weights(totals)


def test_equal_scores_go_by_relevance_then_input_order() -> None:
    ranking = combsumdiv([0.2, 0.4, 0.2], [[0.4, 0.2, 0.4]], lambda_=0.5, k=2)
    assert ranking.order == (1, 0)


def test_ends_of_lambda() -> None:
    assert combsumdiv(TOPIC, ASPECTS, lambda_=0).order == (0, 1, 4, 2, 3)
    assert combsumdiv(TOPIC, [ASPECTS[1]], lambda_=1).order == (1, 3, 4, 2, 0)


@pytest.mark.parametrize("weights", [[1.0], [1, 1, -1], [1, 1, float("nan")]])
def test_wrong_weights_are_refused(weights: list[float]) -> None:
    with pytest.raises(ArgumentError, match="weights"):
        combsumdiv_scores(TOPIC, ASPECTS, weights)


def test_no_aspects_and_lambda_out_of_range_are_refused() -> None:
    with pytest.raises(ArgumentError, match="no aspects"):
        combsumdiv(TOPIC, [])
    with pytest.raises(ArgumentError, match="lambda"):
        combsumdiv(TOPIC, ASPECTS, lambda_=1.01)
