"""Orderings on a graph of five nodes: 0 links to 2 and 3, 1 links to 2; 4 stands alone."""

from __future__ import annotations

import numpy as np
import pytest

from taxocrawl.exceptions import ArgumentError
from taxocrawl.score.links import LinkScore
from taxocrawl.score.linkstructure import (
    ORDERINGS,
    LinkStructure,
    authorities,
    indegree,
    opic,
    pagerank,
)

FETCHED, LINKS = [0, 1], [[2, 3], [2]]


def test_indegree() -> None:
    assert indegree(FETCHED, LINKS, 5).tolist() == [0, 0, 2, 1, 0]


def test_pagerank_solves_its_own_equation() -> None:
    rank = pagerank(FETCHED, LINKS, 5)
    loose = rank[2:].sum()
    passed = np.array([0, 0, rank[0] / 2 + rank[1], rank[0] / 2, 0])
    assert rank == pytest.approx(0.15 / 5 + 0.85 * (passed + loose / 5), abs=1e-6)
    assert rank.sum() == pytest.approx(1)
    assert rank[2] > rank[3] > rank[4]


def test_authorities_are_the_first_eigenvector() -> None:
    """A'A over nodes 2 and 3 is [[2, 1], [1, 1]]: eigenvector (golden ratio, 1)."""
    found = authorities(FETCHED, LINKS, 5)
    golden = (1 + 5**0.5) / 2
    length = (golden**2 + 1) ** 0.5
    assert found == pytest.approx([0, 0, golden / length, 1 / length, 0])


def test_opic_hands_cash_on() -> None:
    """0 gives 1/2 to each, 1 gives 1 to 2; cash is never lost while pages have links."""
    assert opic(FETCHED, LINKS, 5).tolist() == [0, 0, 2.5, 1.5, 1]
    assert opic([0, 2], [[2], []], 3).tolist() == [0, 1, 0]


@pytest.mark.parametrize("name", sorted(ORDERINGS))
def test_no_links_at_all(name: str) -> None:
    found = ORDERINGS[name]([0], [[]], 2)
    assert np.isfinite(found).all()


def _link(url: str, score: float) -> tuple[str, str, LinkScore]:
    return url, "h", LinkScore(score, 0, 0, 0, 0)


@pytest.mark.parametrize("name", sorted(ORDERINGS))
def test_what_more_pages_link_to_goes_first(name: str) -> None:
    structure = LinkStructure(name, every=2)
    structure.add_page("a", 0.9, [_link("c", 0.1), _link("d", 0.9)])
    assert not structure.due
    fresh = structure.add_page("b", 0.1, [_link("c", 0.1), _link("a", 0.9)])
    assert fresh == {"c": 0.1}
    assert structure.due
    scores = structure.rescore()
    assert set(scores) == {"c", "d"}
    assert scores["c"] == 1 > scores["d"] >= 0


def test_similarity_can_be_mixed_in() -> None:
    structure = LinkStructure("indegree", similarity=0.5)
    structure.add_page("a", 0.9, [_link("c", 0.1), _link("d", 0.9)])
    structure.add_page("b", 0.9, [_link("c", 0.2)])
    assert structure.rescore() == pytest.approx({"c": 0.1 + 0.5, "d": 0.45 + 0.25})


@pytest.mark.parametrize(
    ("name", "wrong"), [("best", {}), ("opic", {"similarity": 2}), ("opic", {"every": 0})]
)
def test_wrong_values_are_refused(name: str, wrong: dict[str, int]) -> None:
    with pytest.raises(ArgumentError):
        LinkStructure(name, **wrong)  # type: ignore[arg-type]
