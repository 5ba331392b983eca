from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.distributed.workers import Workers
from tests.redisserver import RedisServer
from tests.site import Site

HOSTS = [f"127.0.1.{n}" for n in range(1, 7)]
Join = Callable[..., Workers]


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site(*HOSTS)
    yield site
    site.close()


@pytest.fixture
def workers(redis_server: RedisServer) -> Iterator[Join]:
    """Makes workers for a crawl, on the tests' server or another one."""
    redis_server.client().flushall()
    made: list[Workers] = []

    def make(*seeds: str, server: RedisServer | None = None, **settings: Any) -> Workers:
        made.append(Workers(server or redis_server, list(seeds), settings))
        return made[-1]

    yield make
    for workers in made:
        workers.close()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Callable[..., RedisServer]]:
    """Makes servers that a test may kill."""
    made: list[RedisServer] = []

    def make(*options: str) -> RedisServer:
        made.append(RedisServer(tmp_path / f"redis{len(made)}", *options))
        made[-1].start()
        return made[-1]

    yield make
    for server in made:
        server.kill()
