"""Workers on one frontier in Redis crawl the link web as one worker on SQLite does."""

from __future__ import annotations

import random
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.crawl.linkweb import HOSTS, LinkWeb
from tests.crawl.running import FAST, ROOT, Finished, crawl_command
from tests.redisserver import RedisServer

pytestmark = pytest.mark.redis

SEEDS = 12
TIMEOUT = 240
Processes = list[subprocess.Popen[bytes]]
Disturb = Callable[[Processes, Callable[[], "subprocess.Popen[bytes]"]], None]


class Crawls:
    """Crawls of one link web from the same seeds."""

    def __init__(self, web: LinkWeb, folder: Path) -> None:
        self._web = web
        self._folder = folder
        seeds = web.articles("Science.Biology.Mammals")[:SEEDS]
        (folder / "seeds.txt").write_text("\n".join(seeds), encoding="utf-8")
        (folder / "gold.txt").write_text("mammals, bats, whales and their species", "utf-8")

    @property
    def asked(self) -> int:
        """Requests that the server has had of the crawl under way."""
        return len(self._web.asked)

    def run(
        self, name: str, workers: int, *settings: str, disturb: Disturb | None = None
    ) -> tuple[Finished, Counter[str]]:
        """The crawl that so many workers made, and how often the server was asked for each page.

        What `disturb` kills need not end well; the last worker must.
        """
        self._web.asked.clear()
        command = crawl_command(
            self._folder / name,
            *(f"seeds={self._folder / 'seeds.txt'}", f"goldstandard={self._folder / 'gold.txt'}"),
            *("scorer=cosine", "selection=all", "iterations=1"),
            settings=(*FAST, *settings),
            spider="topic",
        )
        log = self._folder / f"{name}.log"
        with log.open("w", encoding="utf-8") as file:

            def start() -> subprocess.Popen[bytes]:
                started.append(subprocess.Popen(command, cwd=ROOT, stdout=file, stderr=file))
                return started[-1]

            started: Processes = []
            try:
                for _ in range(workers):
                    start()
                if disturb:
                    disturb(started, start)
                codes = [process.wait(timeout=TIMEOUT) for process in started]
            finally:
                for process in started:
                    process.kill()
                    process.wait()
        code = codes[-1] if disturb else max(codes, key=abs)
        run = Finished(code, log.read_text(encoding="utf-8"), self._folder / name)
        assert run.code == 0, run.log[-3000:]
        pages = (asked for asked in self._web.asked if asked.path != "/robots.txt")
        return run, Counter(self._web.front.url(asked.path, asked.host) for asked in pages)


@pytest.fixture(scope="module")
def crawls(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawls]:
    with LinkWeb(shared / "web" / "serve.py", noise=False) as web:
        yield Crawls(web, tmp_path_factory.mktemp("workers"))


@pytest.fixture(scope="module")
def alone(crawls: Crawls) -> tuple[Finished, Counter[str]]:
    return crawls.run("sqlite", 1)


def exported(run: Finished) -> list[tuple[str, str]]:
    return sorted((document["url"], document["content_hash"]) for document in run.documents)


def fetched(run: Finished) -> list[tuple[str, str]]:
    return sorted((fetch["url"], fetch["iteration"]) for fetch in run.fetches)


def test_one_on_sqlite_asks_for_each_page_once(alone: tuple[Finished, Counter[str]]) -> None:
    run, requests = alone
    assert len(requests) >= 150
    assert set(requests.values()) == {1}
    assert {url.split("/")[2].partition(":")[0] for url in requests} == set(HOSTS)
    assert len(exported(run)) >= 100


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_workers_ask_once_and_export_the_same(
    crawls: Crawls,
    alone: tuple[Finished, Counter[str]],
    redis_server: RedisServer,
    workers: int,
) -> None:
    settings = ("FRONTIER_BACKEND=redis", f"REDIS_URL={redis_server.url}")
    run, requests = crawls.run(f"redis-{workers}", workers, *settings)
    assert requests == alone[1]
    assert fetched(run) == fetched(alone[0])
    assert exported(run) == exported(alone[0])


def test_with_a_worker_killed_every_few_seconds(
    crawls: Crawls, alone: tuple[Finished, Counter[str]], redis_server: RedisServer
) -> None:
    dice, kills = random.Random(4), 0

    def disturb(processes: Processes, start: Callable[[], subprocess.Popen[bytes]]) -> None:
        nonlocal kills
        while any(process.poll() is None for process in processes):
            target = crawls.asked + dice.randrange(20, 50)
            while crawls.asked < target and any(p.poll() is None for p in processes):
                time.sleep(0.05)
            alive = [process for process in processes if process.poll() is None]
            if not alive or crawls.asked < target:
                break
            dice.choice(alive).kill()
            kills += 1
            start()

    settings = ("FRONTIER_BACKEND=redis", f"REDIS_URL={redis_server.url}", "REDIS_LEASE=5")
    run, requests = crawls.run("killed", 2, *settings, disturb=disturb)
    assert kills >= 3
    assert set(requests) == set(alone[1])
    # Asked for again is at most what a killed worker held.
    assert sum(requests.values()) - len(requests) <= kills * len(HOSTS)
    assert fetched(run) == fetched(alone[0])
    assert exported(run) == exported(alone[0])
