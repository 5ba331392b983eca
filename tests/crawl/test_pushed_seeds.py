"""``seeds=redis``: a crawl that begins with what is pushed, as scrapy-redis users start theirs."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.oddserver import Asked, OddServer, answer
from tests.crawl.running import FAST, ROOT, Finished, crawl_command
from tests.crawl.test_http_cases import BEETLE, TREATMENT
from tests.redisserver import RedisServer

KEY = "taxonomic:start_urls"


@pytest.fixture
def server() -> Iterator[OddServer]:
    def behave(asked: Asked) -> bytes | None:
        pages = {"/bats": TREATMENT.format(links='<a href="/beetles">Two new beetles</a>')}
        found = {**pages, "/beetles": BEETLE}.get(asked.path)
        return answer(found) if found else None

    with OddServer(behave) as server:
        yield server


@pytest.fixture
def empty(redis_server: RedisServer) -> RedisServer:
    redis_server.client().flushall()
    return redis_server


def start(folder: Path, *settings: str) -> subprocess.Popen[str]:
    command = crawl_command(folder, "seeds=redis", "iterations=1", settings=(*FAST, *settings))
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def finished(process: subprocess.Popen[str], folder: Path) -> Finished:
    try:
        out, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    return Finished(process.returncode, out, folder)


@pytest.mark.redis
def test_what_was_pushed_before(server: OddServer, empty: RedisServer, tmp_path: Path) -> None:
    empty.client().rpush(KEY, server.url("/bats"))
    settings = ("FRONTIER_BACKEND=redis", f"REDIS_URL={empty.url}")
    run = finished(start(tmp_path / "run", *settings), tmp_path / "run")
    assert run.code == 0, run.log
    found = {fetch["url"]: fetch["iteration"] for fetch in run.fetches}
    assert found == {server.url("/bats"): "0", server.url("/beetles"): "1"}
    assert len(run.documents) == 2


@pytest.mark.redis
def test_an_idle_worker_waits_for_the_first(
    server: OddServer, empty: RedisServer, tmp_path: Path
) -> None:
    settings = ("FRONTIER_BACKEND=redis", f"REDIS_URL={empty.url}", "MAX_IDLE_TIME_BEFORE_CLOSE=8")
    process = start(tmp_path / "run", *settings)
    until = time.monotonic() + 60
    while not empty.client().keys("taxocrawl:*workers") and time.monotonic() < until:
        time.sleep(0.1)
    time.sleep(1.0)
    empty.client().rpush(KEY, f'{{"url": "{server.url("/bats")}"}}')
    run = finished(process, tmp_path / "run")
    assert run.code == 0, run.log
    assert [fetch["iteration"] for fetch in run.fetches] == ["0", "1"]


@pytest.mark.redis
def test_nothing_pushed_and_not_to_wait(empty: RedisServer, tmp_path: Path) -> None:
    settings = ("FRONTIER_BACKEND=redis", f"REDIS_URL={empty.url}")
    run = finished(start(tmp_path / "run", *settings), tmp_path / "run")
    assert run.code == 3
    assert f"seeds=redis: nothing was pushed under {KEY}" in run.log
    assert "Traceback" not in run.log


def test_without_a_shared_frontier(tmp_path: Path) -> None:
    run = finished(start(tmp_path / "run"), tmp_path / "run")
    assert run.code == 2
    assert run.log == "taxocrawl: seeds=redis: expected FRONTIER_BACKEND=redis with it\n"
