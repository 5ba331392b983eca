"""Workers on one frontier in Redis crawl the link web as one worker on SQLite does."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.linkweb import HOSTS, LinkWeb
from tests.crawl.running import FAST, ROOT, Finished, crawl_command
from tests.redisserver import RedisServer

pytestmark = pytest.mark.redis

SEEDS = 12
TIMEOUT = 240


class Crawls:
    """Crawls of one link web from the same seeds."""

    def __init__(self, web: LinkWeb, folder: Path) -> None:
        self._web = web
        self._folder = folder
        seeds = web.articles("Science.Biology.Mammals")[:SEEDS]
        (folder / "seeds.txt").write_text("\n".join(seeds), encoding="utf-8")
        (folder / "gold.txt").write_text("mammals, bats, whales and their species", "utf-8")

    def run(self, name: str, workers: int, *settings: str) -> tuple[Finished, Counter[str]]:
        """The crawl that so many workers made, and how often the server was asked for each page."""
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
            started = [
                subprocess.Popen(command, cwd=ROOT, stdout=file, stderr=file)
                for _ in range(workers)
            ]
            try:
                codes = [process.wait(timeout=TIMEOUT) for process in started]
            finally:
                for process in started:
                    process.kill()
                    process.wait()
        run = Finished(max(codes, key=abs), log.read_text(encoding="utf-8"), self._folder / name)
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


def split(requests: Counter[str]) -> tuple[Counter[str], Counter[str]]:
    """The requests of pages, and those of addresses made up to learn of soft 404s."""
    made_up = {url for url in requests if "/zzq" in url}
    return (
        Counter({url: count for url, count in requests.items() if url not in made_up}),
        Counter({url: count for url, count in requests.items() if url in made_up}),
    )


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
    # A probe for soft 404s is asked for by each worker that needs it, as robots.txt is.
    pages, probes = split(requests)
    assert pages == split(alone[1])[0]
    assert all(count <= workers for count in probes.values())
    assert fetched(run) == fetched(alone[0])
    assert exported(run) == exported(alone[0])
