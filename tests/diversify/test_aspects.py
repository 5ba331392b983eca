"""S of a topic and its aspects over any scorer (eq. 4.6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from taxocrawl.diversify.aspects import AspectScorer, gathered, specific
from taxocrawl.diversify.combsumdiv import aspect_weights
from taxocrawl.exceptions import ArgumentError

# METU table 4.2: topic, A1, A2, A3.
TABLE = {
    "D1": (0.7, 0.8, 0.1, 0.1),
    "D2": (0.6, 0.2, 0.9, 0.1),
    "D3": (0.5, 0.1, 0.2, 0.9),
    "D5": (0.4, 0.7, 0.3, 0.5),
    "D8": (0.6, 0.4, 0.2, 0.8),
}


class Column:
    """A scorer that reads its column of the table."""

    name = "column"

    def __init__(self, number: int) -> None:
        self.number = number

    def score(self, text: str) -> float:
        return TABLE[text][self.number]

    def score_many(self, texts: Sequence[str]) -> list[float]:
        return [self.score(text) for text in texts]


def _scorer(lambda_: float = 0.5) -> AspectScorer:
    return AspectScorer(Column(0), [Column(1), Column(2), Column(3)], lambda_)


def test_first_iteration_as_printed() -> None:
    assert _scorer().score_many(["D1", "D2", "D3"]) == pytest.approx([0.516, 0.5, 0.45], abs=1e-3)


def test_later_weights_turn_the_order_as_printed() -> None:
    scorer = _scorer()
    scorer.weights = aspect_weights(scorer.parts(list(TABLE))[1:].sum(axis=1))
    scores = dict(zip(TABLE, scorer.score_many(list(TABLE)), strict=True))
    waiting = ("D2", "D3", "D5", "D8")
    assert sorted(waiting, key=lambda name: -scores[name]) == ["D8", "D2", "D5", "D3"]
    # Half of the aspects' part of eq. 4.10, since normalised weights sum to 1, not to 2.
    assert scores["D8"] == pytest.approx(0.3 + (0.751 - 0.3) / 2, abs=1e-3)


def test_parts_give_the_same_score_again() -> None:
    scorer = _scorer(0.7)
    scorer.weights = np.array([0.2, 0.3, 0.5])
    parts = scorer.parts(list(TABLE))
    assert parts.shape == (4, 5)
    one_by_one = [scorer.combined(parts[:, [n]])[0] for n in range(5)]
    assert one_by_one == scorer.score_many(list(TABLE)) == [scorer.score(text) for text in TABLE]


def test_specificity_sets_one_aspect_above_a_little_of_each() -> None:
    # One aspect at 0.6, against 0.3 of three each: eq. 4.6 alone gives the second more.
    scores = np.array([[0.6, 0.3], [0.0, 0.3], [0.0, 0.3]])
    assert specific(scores, 0) is scores
    assert specific(scores, 1) == pytest.approx(np.array([[0.6, 0.1], [0, 0.1], [0, 0.1]]))
    assert specific(scores, 2)[:, 1] == pytest.approx([0.1 / 3] * 3)


def test_specificity_of_a_text_with_no_aspect_is_0() -> None:
    assert specific(np.zeros((3, 2)), 1).tolist() == [[0.0, 0.0]] * 3


def test_specificity_in_the_score_of_a_text() -> None:
    scorer = AspectScorer(Column(0), [Column(1), Column(2), Column(3)], 1.0, specificity=1)
    assert scorer.score("D1") == pytest.approx((0.8 * 0.8 + 0.1 * 0.1 * 2) / 3)
    assert AspectScorer(Column(0), [Column(1)], 1.0, specificity=2).score("D1") == 0.8
    with pytest.raises(ArgumentError, match="specificity -1"):
        AspectScorer(Column(0), [Column(1)], specificity=-1)


def test_lambda_0_is_the_topic_alone() -> None:
    assert _scorer(0).score("D3") == 0.5
    assert _scorer(1).score("D3") == pytest.approx(0.4)


def test_no_texts() -> None:
    assert _scorer().score_many([]) == []


def test_wrong_lambda_and_no_aspects_are_refused() -> None:
    with pytest.raises(ArgumentError, match="lambda"):
        _scorer(1.2)
    with pytest.raises(ArgumentError, match="no aspects"):
        AspectScorer(Column(0), [])


def test_what_a_page_adds_by_its_scores() -> None:
    assert gathered([0.5, 0.1, 0.0]) == [0.5, 0.1, 0.0]
    assert gathered([0.5, 0.1], power=2, above=0.1) == [0.25, 0.0]


def test_what_a_page_adds_by_pages_is_1_for_its_best_aspect() -> None:
    assert gathered([0.2, 0.5, 0.5], "pages") == [0.0, 1.0, 0.0]
    assert gathered([0.02, 0.03], "pages", above=0.03) == [0.0, 0.0]
    assert gathered([0.0, 0.0], "pages") == [0.0, 0.0]


def test_adding_by_anything_else_is_refused() -> None:
    with pytest.raises(ArgumentError, match="expected one of scores, pages"):
        gathered([0.1], "words")
