"""The scheduler on the real engine, crawling a small web of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from scrapy.core.engine import ExecutionEngine, _Slot

from tests.site import Answer, Site, page

Crawl = Callable[..., dict[str, Any]]
ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site("127.0.0.1", "127.0.0.2", "127.0.0.3")
    yield site
    site.close()


@pytest.fixture(scope="module")
def crawler() -> Iterator[subprocess.Popen[str]]:
    """A process with a reactor of its own, for one crawl after the other."""
    worker = subprocess.Popen(
        [sys.executable, "-m", "tests.minicrawl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    yield worker
    worker.communicate()


@pytest.fixture
def crawl(crawler: subprocess.Popen[str], tmp_path: Path) -> Crawl:
    """Run a crawl to its end; settings as keywords, seeds as URLs or (URL, score)."""

    def run(
        *seeds: str | tuple[str, float], mode: str = "candidates", **settings: Any
    ) -> dict[str, Any]:
        settings = {"FRONTIER_PARAMS": {"path": str(tmp_path / "frontier.sqlite")}, **settings}
        given = [[seed, 1.0] if isinstance(seed, str) else list(seed) for seed in seeds]
        wanted = {"settings": settings, "seeds": given, "mode": mode}
        assert crawler.stdin is not None
        assert crawler.stdout is not None
        crawler.stdin.write(f"{json.dumps(wanted)}\n")
        crawler.stdin.flush()
        told: dict[str, Any] = json.loads(crawler.stdout.readline())
        return told

    return run


class TestEnd:
    """FRO-02: neither too early nor never."""

    def test_waits_for_links_of_a_slow_page(self, site: Site, crawl: Crawl) -> None:
        site.pages["/"] = page(*(f"/{n}" for n in range(5)), after=3)
        site.pages.update({f"/{n}": page() for n in range(5)})
        told = crawl(site.url("/"))
        assert len(site.asked) == 6
        assert told["finish_reason"] == "frontier empty"
        assert told["cpu_seconds"] < 1.5, told["cpu_seconds"]

    def test_ends_at_once_when_nothing_is_left(self, site: Site, crawl: Crawl) -> None:
        site.pages.update({f"/{n}": page() for n in range(3)})
        told = crawl(*(site.url(f"/{n}") for n in range(3)))
        assert told["finish_reason"] == "frontier empty"
        assert told["heard"] == [["started", 0, 3], ["finished", 0]]
        # The engine's own heartbeat would take 5 s to notice.
        assert told["seconds_to_close"] < 4

    def test_waits_for_a_resting_host(self, site: Site, crawl: Crawl) -> None:
        site.pages["/"] = page("/1", "/2", text="rest for 2")
        site.pages.update({"/1": page(), "/2": page()})
        told = crawl(site.url("/"))
        times = [at for at, _, _ in site.asked]
        assert len(times) == 3
        assert 1.9 < times[1] - times[0] < 4.5
        assert told["cpu_seconds"] < 1.5, told["cpu_seconds"]

    def test_no_seeds(self, crawl: Crawl) -> None:
        assert crawl()["finish_reason"] == "frontier empty"

    def test_iterations(self, site: Site, crawl: Crawl) -> None:
        for n in range(9):
            site.pages[f"/{n}"] = page(f"/{n + 1}")
        told = crawl(site.url("/0"), CRAWL_ITERATIONS=2)
        assert site.paths == ["/0", "/1", "/2"]
        assert told["finish_reason"] == "iterations done"
        assert told["counts"]["known"] == 1
        assert told["heard"] == [
            ["started", 0, 1],
            ["finished", 0],
            ["started", 1, 1],
            ["finished", 1],
            ["started", 2, 1],
            ["finished", 2],
        ]
        told = crawl(site.url("/0"), CRAWL_ITERATIONS=4)
        assert site.paths == ["/0", "/1", "/2", "/3", "/4"]
        assert told["heard"][0] == ["started", 3, 1]

    @pytest.mark.parametrize("policy", ["all", "top", "recent-half", "best-first"])
    def test_page_limit_is_exact(self, site: Site, crawl: Crawl, policy: str) -> None:
        hosts = ["127.0.0.1", "127.0.0.2", "127.0.0.3"]
        site.pages["/"] = page(*(site.url(f"/{n}", hosts[n % 3]) for n in range(20)))
        site.pages.update({f"/{n}": page() for n in range(20)})
        told = crawl(site.url("/"), CRAWL_MAX_PAGES=5, SELECTION_POLICY=policy)
        assert len(site.asked) == len(told["fetches"]) == 5
        assert told["finish_reason"] == "page limit"
        assert told["counts"]["known"] + told["counts"]["selected"] == 16
        assert told["heard"][-1][0] == "finished"

    def test_page_limit_counts_what_was_answered(self, site: Site, crawl: Crawl) -> None:
        unreachable = [(f"http://127.0.0.9:1/{n}", 0.9) for n in range(3)]
        site.pages.update({f"/{n}": page() for n in range(5)})
        told = crawl(
            *unreachable,
            (site.url("/missing"), 0.8),
            *((site.url(f"/{n}"), 0.5) for n in range(5)),
            CRAWL_MAX_PAGES=3,
            RETRY_TIMES=0,
        )
        assert site.paths == ["/missing", "/0", "/1"]
        assert len(told["fetches"]) == 6
        assert told["finish_reason"] == "page limit"


class TestOrder:
    def test_a_better_link_overtakes(self, site: Site, crawl: Crawl) -> None:
        """FRO-03, without iterations: the 0.9 link is the next or next but one."""
        links = [(f"/p{n}", n / 100) for n in range(1, 41)]
        site.pages["/"] = page(*links)
        site.pages.update({path: page() for path, _ in links})
        site.pages["/p38"] = page(("/best", 0.9))
        site.pages["/best"] = page()
        crawl(
            site.url("/"),
            SELECTION_POLICY="best-first",
            SELECTION_PARAMS={"size": 1000},
            CRAWL_MAX_PAGES=8,
            DOWNLOAD_DELAY=0.05,
        )
        assert site.paths[:4] == ["/", "/p40", "/p39", "/p38"]
        assert "/best" in site.paths[4:6]

    def test_discovery_order_at_equal_score(self, site: Site, crawl: Crawl) -> None:
        """FRO-04 with one request at a time."""
        seeds = [("/b2", 0.5), ("/a9", 0.5), ("/c1", 0.5), ("/z", 0.7)]
        site.pages.update({path: page() for path, _ in seeds})
        crawl(*((site.url(path), score) for path, score in seeds), CRAWL_MAX_PAGES=3)
        assert site.paths == ["/z", "/b2", "/a9"]

    def test_a_slow_host_starves_nobody(self, site: Site, crawl: Crawl) -> None:
        slow = [(site.url(f"/slow{n}", "127.0.0.2"), 0.9) for n in range(2)]
        fast = [(site.url(f"/fast{n}"), 0.1) for n in range(6)]
        site.pages.update({f"/slow{n}": page(after=1.5) for n in range(2)})
        site.pages.update({f"/fast{n}": page() for n in range(6)})
        crawl(*slow, *fast, CONCURRENT_REQUESTS=2)
        hosts = [host for _, host, _ in site.asked]
        assert "127.0.0.2" in hosts[:2]
        assert hosts[:7].count("127.0.0.1") == 6

    def test_one_request_at_a_time_to_a_host(self, site: Site, crawl: Crawl) -> None:
        site.pages.update({f"/{n}": page(after=0.1) for n in range(5)})
        crawl(*(site.url(f"/{n}") for n in range(5)))
        times = [at for at, _, _ in site.asked]
        assert min(b - a for a, b in pairwise(times)) > 0.09


class TestRetriesAndRedirects:
    def test_503_once(self, site: Site, crawl: Crawl) -> None:
        answers = iter([Answer("busy", 503), page()])
        site.pages["/"] = lambda headers: next(answers)
        told = crawl(site.url("/"))
        assert site.paths == ["/", "/"]
        assert told["entries"][site.url("/")] == ["done", ""]

    def test_a_dead_page_is_asked_retry_times_and_once(self, site: Site, crawl: Crawl) -> None:
        site.pages["/"] = Answer("dead", 503)
        told = crawl(site.url("/"), RETRY_TIMES=2)
        assert site.paths == ["/"] * 3
        assert told["entries"][site.url("/")] == ["failed", "http"]
        assert len(told["fetches"]) == 1

    def test_redirect_to_itself_with_a_cookie(self, site: Site, crawl: Crawl) -> None:
        """HTTP-09a."""

        def selfcookie(headers: Any) -> Answer:
            if "seen=1" in headers.get("Cookie", ""):
                return page()
            return Answer("", 302, {"Location": "/selfcookie", "Set-Cookie": "seen=1"})

        site.pages["/selfcookie"] = selfcookie
        told = crawl(site.url("/selfcookie"))
        assert site.paths == ["/selfcookie"] * 2
        assert told["entries"] == {site.url("/selfcookie"): ["done", ""]}

    @pytest.mark.parametrize("loop", [["/a"], ["/a", "/b"], ["/a", "/b", "/c"]])
    def test_a_loop_ends_at_the_limit(self, site: Site, crawl: Crawl, loop: list[str]) -> None:
        """HTTP-09b."""
        for path, following in zip(loop, [*loop[1:], loop[0]], strict=True):
            site.pages[path] = Answer("", 302, {"Location": following})
        told = crawl(site.url("/a"), REDIRECT_MAX_TIMES=4)
        assert len(site.asked) == 5
        assert told["entries"] == {site.url("/a"): ["failed", "redirect loop"]}

    def test_many_to_one(self, site: Site, crawl: Crawl) -> None:
        for n in range(5):
            site.pages[f"/{n}"] = Answer("", 301, {"Location": "/one"})
        site.pages["/one"] = page()
        told = crawl(*(site.url(f"/{n}") for n in range(5)))
        assert site.paths.count("/one") == 1
        assert len(site.asked) == 6
        reasons = sorted(reason for _, reason in told["entries"].values())
        assert reasons == ["", *["redirect to known"] * 4]
        assert len(told["fetches"]) == 5
        assert len([heard for heard in told["heard"] if heard[0] == "redirected to known"]) == 4

    def test_to_a_page_that_waits(self, site: Site, crawl: Crawl) -> None:
        site.pages["/"] = page("/old", "/new")
        site.pages["/old"] = Answer("", 301, {"Location": "/new"})
        site.pages["/new"] = page()
        told = crawl(site.url("/"))
        assert site.paths == ["/", "/old", "/new"]
        assert told["entries"][site.url("/old")] == ["done", "redirect to known"]
        assert told["entries"][site.url("/new")] == ["done", ""]

    def test_to_another_host(self, site: Site, crawl: Crawl) -> None:
        site.pages["/"] = Answer("", 301, {"Location": site.url("/there", "127.0.0.2")})
        site.pages["/there"] = page()
        told = crawl(site.url("/"))
        assert [(host, path) for _, host, path in site.asked] == [
            ("127.0.0.1", "/"),
            ("127.0.0.2", "/there"),
        ]
        assert told["counts"]["done"] == 1


class TestAccounting:
    def test_a_callback_that_raises(self, site: Site, crawl: Crawl) -> None:
        site.pages["/"] = page("/bad", "/good")
        site.pages["/bad"] = page(text="crash the callback")
        site.pages["/good"] = page()
        told = crawl(site.url("/"))
        assert told["entries"][site.url("/bad")] == ["failed", "internal error"]
        assert told["entries"][site.url("/good")] == ["done", ""]
        assert [fetch["reason"] for fetch in told["fetches"]].count("internal error") == 1
        assert told["finish_reason"] == "frontier empty"

    def test_requests_of_start(self, site: Site, crawl: Crawl) -> None:
        """RED-01: pushed three times, one row; no word that seeds are complete."""
        site.pages.update({"/": page(), "/2": page()})
        urls = [site.url("/"), site.url("/"), site.url("/"), site.url("/2")]
        told = crawl(*urls, mode="requests")
        assert sorted(site.paths) == ["/", "/2"]
        assert sum(told["counts"].values()) == 2

    def test_disk_full(self, site: Site, crawl: Crawl, tmp_path: Path) -> None:
        big = "x" * 1500
        site.pages["/"] = page(*(f"/{n}?{big}" for n in range(2000)))
        told = crawl(site.url("/"), FRONTIER_CLASS="tests.frontier.full.TinyFrontier")
        assert told["finish_reason"] == "storage failed"
        assert [heard[0] for heard in told["heard"]] == ["started", "storage failed"]
        assert "frontier.sqlite: the disk is full" in told["log"]
        assert told["counts"]["selected"] == 1


class TestBestFirst:
    def test_cycles_are_reported_in_order(self, site: Site, crawl: Crawl) -> None:
        for n in range(12):
            site.pages[f"/{n}"] = page(f"/{n + 1}")
        site.pages["/12"] = page()
        told = crawl(
            site.url("/0"),
            SELECTION_POLICY="best-first",
            SELECTION_PARAMS={"size": 5},
            CRAWL_ITERATIONS=9,
        )
        assert told["heard"] == [
            ["started", 0, 5],
            ["started", 1, 5],
            ["finished", 0],
            ["started", 2, 5],
            ["finished", 1],
            ["finished", 2],
        ]
        assert [fetch["iteration"] for fetch in told["fetches"]] == [0] * 5 + [1] * 5 + [2] * 3
        assert told["finish_reason"] == "frontier empty"

    def test_last_cycle(self, site: Site, crawl: Crawl) -> None:
        for n in range(12):
            site.pages[f"/{n}"] = page(f"/{n + 1}")
        told = crawl(
            site.url("/0"),
            SELECTION_POLICY="best-first",
            SELECTION_PARAMS={"size": 2},
            CRAWL_ITERATIONS=1,
        )
        assert len(site.asked) == 4
        assert told["finish_reason"] == "iterations done"

    def test_host_share(self, site: Site, crawl: Crawl) -> None:
        seeds = [(site.url(f"/a{n}"), 0.9) for n in range(6)]
        seeds += [(site.url(f"/b{n}", "127.0.0.2"), 0.1) for n in range(6)]
        site.pages.update({f"/{host}{n}": page() for host in "ab" for n in range(6)})
        told = crawl(
            *seeds,
            SELECTION_POLICY="best-first",
            SELECTION_PARAMS={"size": 4, "max_host_share": 0.5},
            CRAWL_ITERATIONS=0,
        )
        hosts = [host for _, host, _ in site.asked]
        assert sorted(hosts) == ["127.0.0.1"] * 2 + ["127.0.0.2"] * 2
        assert told["finish_reason"] == "iterations done"

    def test_budget_of_a_host(self, site: Site, crawl: Crawl) -> None:
        site.pages.update({f"/{n}": page() for n in range(6)})
        told = crawl(
            *(site.url(f"/{n}") for n in range(6)),
            SELECTION_POLICY="best-first",
            SELECTION_PARAMS={"max_pages_per_host": 2},
        )
        assert len(site.asked) == 2
        assert told["finish_reason"] == "limits reached"


def test_private_parts_of_the_engine_are_still_there() -> None:
    """The scheduler relies on these; a new Scrapy may rename them."""
    assert {"inprogress", "nextcall"} <= set(_Slot.__init__.__code__.co_names)
    assert {"_slot", "_start"} <= set(ExecutionEngine.__init__.__code__.co_names)
