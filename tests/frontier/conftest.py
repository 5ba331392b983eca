from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from taxocrawl.frontier.base import Candidate, Frontier
from taxocrawl.frontier.redis.store import RedisFrontier
from taxocrawl.frontier.sqlite import SqliteFrontier
from tests.redisserver import RedisServer

Open = Callable[[], Frontier]


def offer(url: str, score: float = 0.5, **more: object) -> Candidate:
    return Candidate(url, score, **more)  # type: ignore[arg-type]


@pytest.fixture
def open_redis(redis_server: RedisServer) -> Callable[..., RedisFrontier]:
    """Opens the same crawl's frontier again and again, as one worker more each time."""
    redis_server.client().flushall()
    return lambda **more: RedisFrontier(redis_server.client(), "test", patience=5.0, **more)


@pytest.fixture(params=["sqlite", pytest.param("redis", marks=pytest.mark.redis)])
def open_frontier(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Opens the same store again and again; one name for each implementation."""
    if request.param == "redis":
        opened: Open = request.getfixturevalue("open_redis")
        return opened
    return lambda: SqliteFrontier(tmp_path / "frontier.sqlite")


@pytest.fixture
def frontier(open_frontier: Open) -> Iterator[Frontier]:
    store = open_frontier()
    yield store
    store.close()
