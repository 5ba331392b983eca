"""A crawl of the noisy link web, of whose 16 hosts one is overloaded and one never answers."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.crawl.linkweb import CRAWL_DELAY, HOSTS, LinkWeb, article_of, kind_of, resting
from tests.crawl.oddserver import Asked
from tests.crawl.running import Finished, crawl

BUSY, HANGING = HOSTS[4], HOSTS[9]
OTHERS = sorted(set(HOSTS) - {BUSY, HANGING})
RETRY_AFTER = 6
SEEDS = 4
"""Of each host, so that the others have something left to do while one rests."""
NEVER = 600.0


class Trouble:
    """503 with Retry-After for the first requests of one host; silence from another."""

    def __init__(self) -> None:
        self.refused: list[float] = []

    def __call__(self, asked: Asked) -> bytes | tuple[bytes, float] | None:
        if asked.host == HANGING:
            return b"", NEVER
        given = resting(BUSY, RETRY_AFTER, float("inf"))(asked) if len(self.refused) < 2 else None
        if given:
            self.refused.append(asked.time)
        return given


@pytest.fixture(scope="module")
def crawled(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Finished, list[Asked]]:
    folder = tmp_path_factory.mktemp("noisy")
    with LinkWeb(shared / "web" / "serve.py", Trouble()) as web:
        articles = web.articles("Science.Biology.Mammals")
        seeds = [
            url for host in HOSTS for url in [a for a in articles if f"//{host}:" in a][:SEEDS]
        ]
        (folder / "seeds.txt").write_text("\n".join(seeds), encoding="utf-8")
        (folder / "gold.txt").write_text("mammals, bats, whales and their species", "utf-8")
        run = crawl(
            folder / "run",
            *(f"seeds={folder / 'seeds.txt'}", f"goldstandard={folder / 'gold.txt'}"),
            *("scorer=cosine", "selection=top", "batch=48", "iterations=2"),
            settings=(
                *("DOWNLOAD_DELAY=0", "AUTOTHROTTLE_ENABLED=False", "DOWNLOAD_TIMEOUT=8"),
                *("RETRY_TIMES=1", "HOST_BACKOFF_START=0.5", "HOST_SILENCES_MAX=2"),
            ),
            spider="topic",
            timeout=280,
        )
        return run, list(web.asked)


def test_it_ends_by_itself(crawled: tuple[Finished, list[Asked]]) -> None:
    run, _ = crawled
    assert run.code == 0, run.log[-3000:]
    assert "Traceback" not in run.log
    assert run.info["outcome"] == "iterations done"


def test_the_other_hosts_are_kept_busy(crawled: tuple[Finished, list[Asked]]) -> None:
    run, asked = crawled
    # While the overloaded host rests, and while the silent one keeps its first request.
    refused, after_rest = [a.time for a in asked if a.host == BUSY and a.path != "/robots.txt"][:2]
    silent, given_up = [a.time for a in asked if a.host == HANGING][:2]
    seeds = [urlsplit(f["url"]) for f in run.fetches if f["iteration"] == "0"]
    of_iteration = {(seed.hostname, seed.path) for seed in seeds}
    for first, again in ((refused, after_rest), (silent, given_up)):
        left = {
            a.host
            for a in asked
            if a.time > first and a.host in OTHERS and (a.host, a.path) in of_iteration
        }
        meanwhile = {a.host for a in asked if first < a.time < again}
        assert len(left) > len(OTHERS) / 2
        assert left <= meanwhile
    fetched = Counter(f["url"].split("/")[2].partition(":")[0] for f in run.fetches if f["status"])
    assert all(fetched[host] >= 3 for host in OTHERS), fetched
    assert fetched[BUSY] >= 1
    assert not fetched[HANGING]


def test_retry_after_is_obeyed(crawled: tuple[Finished, list[Asked]]) -> None:
    _, asked = crawled
    times = [a.time for a in asked if a.host == BUSY and a.path != "/robots.txt"]
    assert times[1] - times[0] >= RETRY_AFTER
    assert times[2] - times[1] >= RETRY_AFTER


def test_rules_are_kept(crawled: tuple[Finished, list[Asked]]) -> None:
    run, asked = crawled
    kinds = Counter(kind_of(a.path) for a in asked)
    assert not kinds["forbidden by robots.txt"]
    assert not kinds["printable copy"] + kinds["session id"]
    for host in OTHERS:
        times = [a.time for a in asked if a.host == host]
        assert all(b - a >= CRAWL_DELAY - 0.01 for a, b in pairwise(times))
        paths = Counter(a.path for a in asked if a.host == host)
        assert set(paths.values()) == {1}
    works = [name for document in run.documents if (name := article_of(str(document["url"])))]
    assert len(works) == len(set(works)) > 50
