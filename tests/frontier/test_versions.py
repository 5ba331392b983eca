"""A frontier file of an earlier version goes on as it was."""

from __future__ import annotations

from pathlib import Path

from taxocrawl.frontier.base import Outcome, State
from taxocrawl.frontier.policy import Limits
from taxocrawl.frontier.selection import Top
from taxocrawl.frontier.sqlite import SqliteFrontier
from tests.frontier.conftest import offer
from tests.frontier.older import make_older


def test_a_file_of_version_2_keeps_its_order(tmp_path: Path) -> None:
    path = tmp_path / "frontier.sqlite"
    frontier = SqliteFrontier(path)
    frontier.push([offer(f"http://h{n % 3}.example/{n}") for n in (5, 2, 9, 1, 7)], -1)
    frontier.can_pop_known(Limits())
    frontier.select(Top(3), 0)
    first = frontier.pop()
    assert first is not None
    frontier.close()
    make_older(path, 2)
    frontier = SqliteFrontier(path)
    links = [offer("http://h0.example/0"), offer("http://h2.example/8")]
    frontier.settle(Outcome(first.id, State.DONE, links=links))
    order = [frontier.pop(), frontier.pop(), *(frontier.pop_known(1, Limits()) for _ in range(4))]
    assert [entry and entry.url[-1] for entry in order] == ["2", "9", "1", "7", "0", "8"]
    frontier.close()
