from __future__ import annotations

from collections.abc import Sequence

import pytest

from taxocrawl.score.remembered import RememberedScores


class Counting:
    name = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def score(self, text: str) -> float:
        return self.score_many([text])[0]

    def score_many(self, texts: Sequence[str]) -> list[float]:
        self.asked += texts
        return [len(text) / 1000 for text in texts]


@pytest.fixture
def scorer() -> Counting:
    return Counting()


def test_scores_are_the_scorers_in_their_order(scorer: Counting) -> None:
    remembered = RememberedScores(scorer)
    assert remembered.score_many(["bats", "", "bat", "bats"]) == [0.004, 0.0, 0.003, 0.004]
    assert remembered.score_many(["bat", "batty"]) == [0.003, 0.005]
    assert remembered.score("bats") == 0.004
    assert remembered.score_many([]) == []
    assert remembered.name == "counting"


def test_a_text_is_scored_once(scorer: Counting) -> None:
    remembered = RememberedScores(scorer)
    remembered.score_many(["bats", "bat", "bats"])
    remembered.score_many(["bat", "batty"])
    assert scorer.asked == ["bats", "bat", "batty"]


def test_long_texts_are_not_kept(scorer: Counting) -> None:
    remembered = RememberedScores(scorer)
    for _ in range(2):
        assert remembered.score("x" * 501) == 0.501
    assert len(scorer.asked) == 2


def test_the_oldest_are_forgotten_first(scorer: Counting) -> None:
    remembered = RememberedScores(scorer, kept=2)
    assert remembered.score_many(["a", "bb", "ccc"]) == [0.001, 0.002, 0.003]
    scorer.asked.clear()
    remembered.score_many(["ccc", "bb", "a"])
    assert scorer.asked == ["a"]
