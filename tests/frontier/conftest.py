from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from taxocrawl.frontier.base import Candidate, Frontier
from taxocrawl.frontier.sqlite import SqliteFrontier

Open = Callable[[], Frontier]


def offer(url: str, score: float = 0.5, **more: object) -> Candidate:
    return Candidate(url, score, **more)  # type: ignore[arg-type]


@pytest.fixture(params=["sqlite"])
def open_frontier(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Opens the same store again and again; one name for each implementation."""
    return lambda: SqliteFrontier(tmp_path / "frontier.sqlite")


@pytest.fixture
def frontier(open_frontier: Open) -> Iterator[Frontier]:
    store = open_frontier()
    yield store
    store.close()
