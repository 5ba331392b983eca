"""New scores for URLs that still wait, as a scorer that learns gives them."""

from __future__ import annotations

import math

import pytest

from taxocrawl.frontier.base import Frontier, Outcome, State
from taxocrawl.frontier.policy import Limits
from taxocrawl.frontier.selection import Top
from tests.frontier.conftest import Open, offer

A, B, C = (f"http://{name}.example/" for name in "abc")


def test_scores_rise_and_fall(frontier: Frontier) -> None:
    frontier.push([offer(A, 0.9), offer(B, 0.5), offer(C, 0.1)], -1)
    assert frontier.rescore([offer(A, 0.2, evidence={"page": 1}), offer(C, 0.7)]) == 2
    assert [entry.url for entry in frontier.best_known()] == [C, B, A]
    entry = frontier.find(A)
    assert entry is not None
    assert (entry.score, entry.evidence) == (0.2, {"page": 1})
    frontier.rescore([offer(A, 0.3)])
    entry = frontier.find(A)
    assert entry is not None
    assert (entry.score, entry.evidence) == (0.3, {"page": 1})  # what is not given stays


def test_selection_and_best_first_follow_the_new_order(frontier: Frontier) -> None:
    frontier.push([offer(A, 0.9), offer(B, 0.5), offer(C, 0.1)], -1)
    assert frontier.can_pop_known(Limits())  # hosts keep their best from here on
    frontier.rescore([offer(A, 0.2)])
    popped = frontier.pop_known(0, Limits())
    assert popped is not None
    assert popped.url == B
    frontier.rescore([offer(C, 1.0)])
    frontier.select(Top(1), 1)
    chosen = frontier.pop()
    assert chosen is not None
    assert chosen.url == C


def test_what_no_longer_waits_is_left_alone(frontier: Frontier) -> None:
    frontier.push([offer(A, 0.9), offer(B, 0.8)], -1)
    entry = frontier.pop_known(0, Limits())
    assert entry is not None
    frontier.select(Top(1), 1)
    assert frontier.rescore([offer(A, 0.1), offer(B, 0.1), offer(C, 0.1)]) == 0
    frontier.settle(Outcome(entry.id, State.DONE))
    assert frontier.rescore([offer(A, 0.1)]) == 0
    assert [e and e.score for e in (frontier.find(A), frontier.find(B), frontier.find(C))] == [
        0.9,
        0.8,
        None,
    ]


def test_new_scores_are_stored(open_frontier: Open) -> None:
    first = open_frontier()
    first.push([offer(A, 0.9)], -1)
    first.rescore([offer(A, 0.3)])
    first.close()
    again = open_frontier()
    entry = again.find(A)
    again.close()
    assert entry is not None
    assert entry.score == 0.3


@pytest.mark.parametrize("score", [-0.1, 1.1, math.nan])
def test_only_scores_in_range(frontier: Frontier, score: float) -> None:
    frontier.push([offer(A, 0.9), offer(B, 0.8)], -1)
    with pytest.raises(ValueError, match="expected 0 to 1"):
        frontier.rescore([offer(B, 0.1), offer(A, score)])
    assert [entry.score for entry in frontier.best_known()] == [0.9, 0.8]
