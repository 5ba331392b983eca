"""Several workers crawl as one does: the same pages, each once, whoever is killed."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from taxocrawl.frontier.base import State
from taxocrawl.frontier.redis.client import Client
from taxocrawl.frontier.redis.reading import RedisReader
from tests.crawl.running import ROOT
from tests.distributed.conftest import HOSTS, Join
from tests.redisserver import RedisServer
from tests.site import Answer, Site, page
from tests.test_scheduler import crawl, crawler  # noqa: F401 - fixtures

pytestmark = pytest.mark.redis

Crawl = Callable[..., dict[str, Any]]
PAGES = 180
ITERATIONS = {"all": 6, "top": 8}


def link_web(site: Site, after: float = 0.02) -> str:
    """Pages that link to others all over the hosts; returns the first one's address."""
    dice = random.Random(7)

    def address(number: int) -> str:
        return site.url(f"/{number}", HOSTS[number % len(HOSTS)])

    for number in range(PAGES):
        targets = [number * 3 + n for n in range(1, 4)]
        targets += [dice.randrange(PAGES) for _ in range(6)]
        links = [(address(t % PAGES), round(dice.random(), 2)) for t in targets]
        # Every tenth has the text of another one.
        text = f"page {number - number % 10 if number % 10 == 9 else number}"
        body = page(*(links if number % 10 != 9 else ()), text=text, after=after)
        site.pages[f"/{number}"] = body
    return address(0)


def settings_of(policy: str) -> dict[str, Any]:
    return {
        "SELECTION_POLICY": policy,
        "SELECTION_PARAMS": {} if policy == "all" else {"size": 20},
        "CRAWL_ITERATIONS": ITERATIONS[policy],
        "MINI_EXPORT": True,
    }


def exported(told: dict[str, Any]) -> list[str]:
    return sorted(document["content_hash"] for document in told["documents"])


def fetched(told: dict[str, Any]) -> list[tuple[str, int]]:
    return sorted((fetch["url"], fetch["iteration"]) for fetch in told["fetches"])


def pages_asked(site: Site) -> Counter[str]:
    return Counter(path for path in site.paths if path != "/robots.txt")


@pytest.mark.parametrize(("policy", "number"), [("all", 2), ("all", 4), ("top", 2)])
def test_each_page_once_and_the_same_as_one_on_sqlite(
    site: Site,
    workers: Join,
    crawl: Crawl,  # noqa: F811
    policy: str,
    number: int,
) -> None:
    first = link_web(site)
    alone = crawl(first, **settings_of(policy))
    once = pages_asked(site)
    site.asked.clear()

    together = workers(first, **settings_of(policy))
    for _ in range(number):
        together.start()
    told = together.ends()

    assert fetched(told[0]) == fetched(alone)
    assert pages_asked(site) == once
    assert set(once.values()) == {1}
    assert exported(told[0]) == exported(alone)
    assert told[0]["entries"] == alone["entries"]
    assert {t["finish_reason"] for t in told} == {alone["finish_reason"]}
    # Each iteration begins and ends at one worker.
    heard = Counter(tuple(h) for t in told for h in t["heard"])
    assert heard == Counter(tuple(h) for h in alone["heard"])


def test_equal_scores_go_out_in_the_order_of_discovery(
    site: Site,
    workers: Join,
    crawl: Crawl,  # noqa: F811
) -> None:
    """FRO-04, on both stores: z, b, a with a limit of three pages."""
    a, b, c, z = (site.url(f"/{name}", HOSTS[n]) for n, name in enumerate("abcz"))
    site.pages.update({f"/{name}": page() for name in "abcz"})
    site.pages["/"] = page((b, 0.5), (a, 0.5), (c, 0.5), (z, 0.7))
    settings = {"CRAWL_MAX_PAGES": 4, "CONCURRENT_REQUESTS": 1, "CRAWL_ITERATIONS": 1}
    crawl(site.url("/", HOSTS[0]), **settings)
    shared = workers(site.url("/", HOSTS[0]), **settings)
    shared.start()
    shared.ends()
    assert [path for path in site.paths if path != "/robots.txt"] == ["/", "/z", "/b", "/a"] * 2


def test_killed_every_second(site: Site, workers: Join, crawl: Crawl) -> None:  # noqa: F811
    first = link_web(site, after=0.05)
    alone = crawl(first, **settings_of("all"))
    site.asked.clear()
    together = workers(first, **settings_of("all"))
    together.start()
    together.start()
    dice, kills = random.Random(3), 0
    while len(pages_asked(site)) < PAGES * 0.8 and kills < 12:
        if wait_for_requests(site, dice.randrange(5, 25), together.started):
            together.kill(dice.choice(together.started))
            kills += 1
        together.start()
    told = together.ends()

    assert kills >= 2
    assert fetched(told[-1]) == fetched(alone)
    assert exported(told[-1]) == exported(alone)
    # Asked for again is at most what a killed worker held.
    again = sum(count - 1 for count in pages_asked(site).values())
    assert again <= kills * len(HOSTS)


def wait_for_requests(site: Site, number: int, processes: list[subprocess.Popen[str]]) -> bool:
    """Wait until so many more pages are asked for; False when the workers ended before."""
    until = len(site.asked) + number
    give_up = time.monotonic() + 60
    while len(site.asked) < until and time.monotonic() < give_up:
        if all(process.poll() is not None for process in processes):
            return False
        time.sleep(0.01)
    return True


def test_redis_is_killed_and_starts_again(
    site: Site,
    workers: Join,
    crawl: Crawl,  # noqa: F811
    own_server: Callable[..., RedisServer],
) -> None:
    """RED-03 (b), with SIGKILL: workers wait and go on; the last second's work is done again."""
    first = link_web(site, after=0.2)
    alone = crawl(first, **settings_of("all"))
    site.asked.clear()
    server = own_server("--appendonly", "yes", "--appendfsync", "everysec")
    together = workers(first, server=server, **settings_of("all"))
    together.start()
    together.start()
    assert wait_for_requests(site, PAGES * 2 // 3, together.started)
    settled = RedisReader(Client(server.client(), "test")).fetches()
    kept = {urlsplit(fetch["url"]).path for fetch in settled}
    time.sleep(1.0)
    server.kill()
    time.sleep(1.0)
    server.start()
    told = together.ends()

    assert fetched(told[0]) == fetched(alone)
    assert exported(told[0]) == exported(alone)
    assert {t["finish_reason"] for t in told} == {alone["finish_reason"]}
    assert "waiting" in told[0]["log"]
    requests = pages_asked(site)
    assert len(kept) > PAGES // 2
    assert [path for path in sorted(kept) if requests[path] > 1] == []
    assert max(requests.values()) <= 2


def test_a_slow_link(site: Site, workers: Join, crawl: Crawl) -> None:  # noqa: F811
    site.pages["/"] = page(*(f"/{n}" for n in range(10)))
    site.pages.update({f"/{n}": page() for n in range(10)})
    with SlowLink(workers().server.port, 0.02) as port:
        together = workers(
            site.url("/", HOSTS[0]), CRAWL_ITERATIONS=1, REDIS_URL=f"redis://127.0.0.1:{port}/0"
        )
        together.start()
        together.start()
        told = together.ends()
    assert pages_asked(site) == Counter(["/", *(f"/{n}" for n in range(10))]), told[0]["log"]
    assert told[0]["finish_reason"] == "frontier empty"


class TestPoliteness:
    """Measured at the server, over all workers."""

    DELAY = 0.3

    def intervals(self, site: Site, host: str) -> list[float]:
        times = sorted(at for at, asked, _ in site.asked if asked == host)
        return [later - earlier for earlier, later in pairwise(times)]

    def test_delay(self, site: Site, workers: Join) -> None:
        for host in HOSTS[:2]:
            site.pages[f"/{host}"] = page(*(f"/{host}/{n}" for n in range(9)))
            site.pages.update({f"/{host}/{n}": page() for n in range(9)})
        together = workers(
            *(site.url(f"/{host}", host) for host in HOSTS[:2]),
            CRAWL_ITERATIONS=1,
            DOWNLOAD_DELAY=self.DELAY,
            CONCURRENT_REQUESTS_PER_DOMAIN=4,
        )
        for _ in range(3):
            together.start()
        together.ends()
        for host in HOSTS[:2]:
            assert len(self.intervals(site, host)) >= 10
            # robots.txt is asked for by each worker, and counts too.
            assert min(self.intervals(site, host)) >= self.DELAY

    def test_crawl_delay(self, site: Site, workers: Join) -> None:
        rules = f"User-agent: *\nCrawl-delay: {self.DELAY}\n"
        site.pages["/robots.txt"] = Answer(rules, 200, {"Content-Type": "text/plain"})
        site.pages["/"] = page(*(f"/{n}" for n in range(9)))
        site.pages.update({f"/{n}": page() for n in range(9)})
        together = workers(site.url("/", HOSTS[0]), CRAWL_ITERATIONS=1)
        for _ in range(3):
            together.start()
        together.ends()
        assert min(self.intervals(site, HOSTS[0])) >= self.DELAY

    def test_retry_after(self, site: Site, workers: Join) -> None:
        busy = iter([Answer("", 503, {"Retry-After": "2"})])
        site.pages["/busy"] = lambda headers: next(busy, page())
        site.pages["/"] = page("/busy", *(f"/{n}" for n in range(6)))
        site.pages.update({f"/{n}": page() for n in range(6)})
        together = workers(site.url("/", HOSTS[0]), CRAWL_ITERATIONS=1)
        for _ in range(3):
            together.start()
        told = together.ends()
        asked = sorted(at for at, _, path in site.asked)
        refused = min(at for at, _, path in site.asked if path == "/busy")
        assert min(at for at in asked if at > refused) - refused >= 1.9
        assert {state for state, _ in told[0]["entries"].values()} == {"done"}


class TestPushedSeeds:
    def test_idle_workers_wait_for_them(self, site: Site, workers: Join) -> None:
        site.pages.update({f"/{n}": page(f"/{n}/next") for n in range(4)})
        site.pages.update({f"/{n}/next": page() for n in range(4)})
        together = workers(
            site.url("/0", HOSTS[0]), CRAWL_ITERATIONS=1, MAX_IDLE_TIME_BEFORE_CLOSE=10
        )
        together.start()
        together.start()
        assert wait_for_requests(site, 3, together.started)
        client, key = together.server.client(), "mini:start_urls"
        first, second, third = (site.url(f"/{n}", HOSTS[n]) for n in (1, 2, 3))
        client.lpush(key, f'{{"url": "{first}", "meta": {{"link_score": 0.4}}}}', "{broken")
        client.rpush(key, second)
        assert wait_for_requests(site, 6, together.started)
        client.lpush(key, f'{{"url": "{third}"}}')
        told = together.ends()
        wanted = {f"/{n}" for n in range(4)} | {f"/{n}/next" for n in range(4)}
        assert set(pages_asked(site)) == wanted
        assert set(pages_asked(site).values()) == {1}
        assert told[0]["finish_reason"] == "frontier empty"
        assert any("{broken" in t["log"] for t in told)

    def test_in_the_last_iteration_they_are_followed_as_far_as_the_first(
        self, site: Site, workers: Join
    ) -> None:
        site.pages.update({"/": page("/slow"), "/slow": page(after=3.0)})
        site.pages.update({"/late": page("/late/next"), "/late/next": page("/late/next/next")})
        together = workers(site.url("/", HOSTS[0]), CRAWL_ITERATIONS=1)
        together.start()
        assert wait_for_requests(site, 3, together.started)
        together.server.client().lpush("mini:start_urls", site.url("/late", HOSTS[1]))
        told = together.ends()
        assert set(pages_asked(site)) == {"/", "/slow", "/late", "/late/next"}
        assert told[0]["finish_reason"] == "iterations done"

    def test_a_worker_that_is_not_asked_to_wait_ends(self, site: Site, workers: Join) -> None:
        site.pages["/0"] = page()
        together = workers(site.url("/0", HOSTS[0]))
        together.start()
        assert together.ends()[0]["finish_reason"] == "frontier empty"


def test_full_memory_stops_cleanly_and_the_crawl_goes_on_later(
    site: Site,
    workers: Join,
    crawl: Crawl,  # noqa: F811
    own_server: Callable[..., RedisServer],
) -> None:
    """RED-03 (c): maxmemory and noeviction."""
    filling = "x" * 2000
    site.pages["/"] = page(*(f"/{n}" for n in range(30)))
    links = [f"/{n}/{m}/{filling}" for n in range(30) for m in range(40)]
    for n in range(30):
        site.pages[f"/{n}"] = page(*links[40 * n : 40 * n + 40])
    first = site.url("/", HOSTS[0])
    settings = {"CRAWL_ITERATIONS": 1}
    alone = crawl(first, **settings)
    server = own_server("--maxmemory", "2500kb", "--maxmemory-policy", "noeviction")
    together = workers(first, server=server, **settings)
    together.start()
    together.start()
    told = together.ends()
    assert {t["finish_reason"] for t in told} == {"storage failed"}
    assert all("memory limit is reached" in t["log"] for t in told)
    # What one tells is of its own end, when the other may still have held pages.
    assert RedisReader(Client(server.client(), "test")).counts()[State.IN_FLIGHT] == 0
    server.client().config_set("maxmemory", "100mb")
    together.start()
    told = together.ends()
    assert told[0]["finish_reason"] == alone["finish_reason"]
    assert fetched(told[0]) == fetched(alone)
    assert told[0]["counts"] == alone["counts"]


class SlowLink:
    """Passes bytes on to a port after a time, both ways; gives the port to ask."""

    def __init__(self, port: int, seconds: float) -> None:
        code = (
            "import asyncio, sys\n"
            "async def copy(reader, writer):\n"
            "    while data := await reader.read(65536):\n"
            f"        await asyncio.sleep({seconds})\n"
            "        writer.write(data)\n"
            "    writer.close()\n"
            "async def serve(reader, writer):\n"
            f"    there = await asyncio.open_connection('127.0.0.1', {port})\n"
            "    await asyncio.gather(copy(reader, there[1]), copy(there[0], writer))\n"
            "async def main():\n"
            "    server = await asyncio.start_server(serve, '127.0.0.1', 0)\n"
            "    print(server.sockets[0].getsockname()[1], flush=True)\n"
            "    await server.serve_forever()\n"
            "asyncio.run(main())\n"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> int:
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())

    def __exit__(self, *args: object) -> None:
        self._process.kill()
        self._process.communicate()


def test_a_crawl_that_cannot_reach_its_server(tmp_path: Path) -> None:
    """RED-03 (a): one line with host and port, and exit code 4."""
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "crawl",
        "taxonomic",
        "-a",
        f"out={tmp_path / 'run'}",
    ]
    command += ["-a", "query=bats", "-s", "FRONTIER_BACKEND=redis"]
    command += ["-s", "REDIS_URL=redis://127.0.0.1:9/0"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    lines = done.stderr.strip().splitlines()
    assert lines[-1].startswith("taxocrawl: Redis at 127.0.0.1:9: no answer")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "run").exists()
