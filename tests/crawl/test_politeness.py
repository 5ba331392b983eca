"""Crawls of a few loopback hosts, judged by the servers' own log."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from taxocrawl import settings as defaults
from tests.crawl.running import FAST, crawl_seeds
from tests.site import Answer, Site, page
from tests.test_scheduler import (
    Crawl,
    crawler,  # noqa: F401
)
from tests.test_scheduler import crawl as minicrawl  # noqa: F401 - fixtures

HOSTS = [f"127.0.0.{n}" for n in range(1, 17)]
A, B, C = HOSTS[:3]
NAMES = (
    "ROBOTSTXT_OBEY ROBOTSTXT_USER_AGENT ROBOTSTXT_MAX_AGE ROBOTSTXT_TIMEOUT ROBOTSTXT_CACHE_SIZE"
    " CRAWL_DELAY_MAX RETRY_AFTER_MAX HOST_BACKOFF_MAX HOST_FAILURES_MAX HOST_SILENCES_MAX"
)
POLITE = {
    **{name: getattr(defaults, name) for name in NAMES.split()},
    "HOST_BACKOFF_START": 0.02,
    "DOWNLOADER_MIDDLEWARES": {
        name: order
        for name, order in defaults.DOWNLOADER_MIDDLEWARES.items()
        if "robots" in name or "hosts" in name
    },
}


class Web:
    """Pages by host and path on top of a `Site`."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.answers: dict[tuple[str, str], Answer | Callable[[], Answer]] = {}

    def put(self, host: str, path: str, answer: Answer | Callable[[], Answer]) -> str:
        self.answers[host, path] = answer
        self.site.pages[path] = lambda headers: self._answer(headers, path)
        return self.site.url(path, host)

    def robots(self, host: str, text: str) -> None:
        self.put(host, "/robots.txt", Answer(text, 200, {"Content-Type": "text/plain"}))

    def pages(self, host: str, number: int) -> list[str]:
        return [self.put(host, f"/{n}", page()) for n in range(number)]

    def asked(self, host: str) -> list[str]:
        return [path for _, asked, path in self.site.asked if asked == host]

    def times(self, host: str) -> list[float]:
        return [at for at, asked, _ in self.site.asked if asked == host]

    def _answer(self, headers: Any, path: str) -> Answer:
        host = headers["Host"].partition(":")[0]
        answer = self.answers.get((host, path), Answer("nothing here", 404))
        return answer() if callable(answer) else answer


@pytest.fixture
def web() -> Iterator[Web]:
    site = Site(*HOSTS)
    yield Web(site)
    site.close()


@pytest.fixture
def crawl(minicrawl: Crawl) -> Crawl:  # noqa: F811
    def run(*seeds: str | tuple[str, float], **settings: Any) -> dict[str, Any]:
        return minicrawl(*seeds, **{**POLITE, **settings})

    return run


class TestRobots:
    def test_forbidden_paths_are_not_asked(self, web: Web, crawl: Crawl) -> None:
        web.robots(A, "\ufeffUser-agent: *\nDisallow: /secret/\nDisallow: /*?q=\n")
        for path in ("/secret/y", "/x?q=bat", "/x"):
            web.put(A, path, page())
        told = crawl(*(web.site.url(path) for path in ("/secret/y", "/x?q=bat", "/x")))
        assert web.asked(A) == ["/robots.txt", "/x"]
        assert "robots.txt" in told["entries"][web.site.url("/secret/y")][1]

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418])
    def test_4xx_allows(self, web: Web, crawl: Crawl, status: int) -> None:
        web.put(A, "/robots.txt", Answer("User-agent: *\nDisallow: /", status))
        crawl(*web.pages(A, 2))
        assert web.asked(A) == ["/robots.txt", "/0", "/1"]

    @pytest.mark.parametrize("status", [500, 503, 429])
    def test_a_host_without_rules_waits_for_them(self, web: Web, crawl: Crawl, status: int) -> None:
        answers = iter([Answer("", status), Answer("", status), Answer("", 404)])
        web.put(A, "/robots.txt", lambda: next(answers))
        told = crawl(*web.pages(A, 2), *web.pages(B, 2))
        assert web.asked(A) == ["/robots.txt"] * 3 + ["/0", "/1"]
        assert told["counts"]["done"] == 4

    def test_rules_that_never_come(self, web: Web, crawl: Crawl) -> None:
        web.put(A, "/robots.txt", Answer("", 503))
        told = crawl(*web.pages(A, 3), *web.pages(B, 3))
        assert set(web.asked(A)) == {"/robots.txt"}
        assert len(web.asked(A)) == defaults.HOST_FAILURES_MAX + 1
        reasons = [told["entries"][web.site.url(f"/{n}", A)][1] for n in range(3)]
        assert all("robots.txt unreachable" in reason for reason in reasons)
        assert told["finish_reason"] == "frontier empty"
        # The last attempt came when all the rest was done.
        assert web.site.asked[-1][1:] == (A, "/robots.txt")

    def test_a_host_that_does_not_exist(self, web: Web, crawl: Crawl) -> None:
        """Nothing listens there; one line each, no traceback."""
        dead = "http://127.0.0.99:9/page"
        told = crawl(dead, *web.pages(A, 2), LOG_LEVEL="WARNING")
        assert told["counts"]["done"] == 2
        assert "connection refused" in told["entries"][dead][1]
        assert "Traceback" not in told["log"]

    def test_redirects(self, web: Web, crawl: Crawl) -> None:
        for n in range(5):
            web.put(A, "/robots.txt" if n == 0 else f"/r{n}", _to(f"/r{n + 1}"))
        web.put(A, "/r5", Answer("User-agent: taxocrawl\nDisallow: /1"))
        crawl(*web.pages(A, 2))
        assert "/0" in web.asked(A)
        assert "/1" not in web.asked(A)

    def test_redirects_without_end_allow(self, web: Web, crawl: Crawl) -> None:
        web.put(A, "/robots.txt", _to("/robots.txt"))
        crawl(*web.pages(A, 1))
        assert web.asked(A) == ["/robots.txt"] * 6 + ["/0"]

    def test_a_huge_file_is_read_to_its_limit(self, web: Web, crawl: Crawl) -> None:
        filler = "# nothing\n" * 60_000
        web.robots(A, f"User-agent: *\nDisallow: /0\n{filler}Disallow: /1\n")
        crawl(*web.pages(A, 2))
        assert web.asked(A) == ["/robots.txt", "/1"]

    def test_html_allows(self, web: Web, crawl: Crawl) -> None:
        web.put(A, "/robots.txt", Answer("<html><body>\nDisallow: /\n<p>Not found</body></html>"))
        crawl(*web.pages(A, 1))
        assert web.asked(A) == ["/robots.txt", "/0"]

    def test_fetched_again_when_too_old(self, web: Web, crawl: Crawl) -> None:
        urls = web.pages(A, 4)
        web.put(A, "/1", page(after=1))
        crawl(*urls, ROBOTSTXT_MAX_AGE=0.9)
        assert web.asked(A) == ["/robots.txt", "/0", "/1", "/robots.txt", "/2", "/3"]

    def test_old_rules_hold_while_new_ones_cannot_be_had(self, web: Web, crawl: Crawl) -> None:
        answers = iter([Answer("User-agent: *\nDisallow: /4"), Answer("", 500)])
        urls = web.pages(A, 5)
        web.put(A, "/robots.txt", lambda: next(answers))
        web.put(A, "/1", page(after=1))
        crawl(*urls, ROBOTSTXT_MAX_AGE=0.9)
        assert web.asked(A) == ["/robots.txt", "/0", "/1", "/robots.txt", "/2", "/3"]


def _to(path: str) -> Answer:
    return Answer("", 302, {"Location": path})


class TestPace:
    @pytest.mark.parametrize("throttle", [False, True])
    def test_crawl_delay(self, web: Web, crawl: Crawl, throttle: bool) -> None:
        web.robots(A, "User-agent: *\nCrawl-delay: 0.5\n")
        crawl(
            *web.pages(A, 5),
            *web.pages(B, 5),
            AUTOTHROTTLE_ENABLED=throttle,
            AUTOTHROTTLE_START_DELAY=0.01,
        )
        assert len(web.times(A)) == 6
        assert min(b - a for a, b in pairwise(web.times(A))) >= 0.5
        assert min(b - a for a, b in pairwise(web.times(B))) < 0.5

    def test_crawl_delay_after_a_request_without_answer(self, web: Web, crawl: Crawl) -> None:
        web.robots(A, "User-agent: *\nCrawl-delay: 0.5\n")
        hangs = web.put(A, "/hangs", page(after=3))
        crawl(
            (hangs, 0.9),
            (web.put(A, "/0", page()), 0.1),
            DOWNLOAD_TIMEOUT=1,
            RETRY_TIMES=0,
            HOST_BACKOFF_START=0,
        )
        assert web.asked(A) == ["/robots.txt", "/hangs", "/0"]
        # Counted from the start of the request the pause would have been over long before.
        assert web.times(A)[2] - web.times(A)[1] >= 1.4

    def test_request_rate(self, web: Web, crawl: Crawl) -> None:
        web.robots(A, "User-agent: *\nRequest-rate: 2/1s\n")
        crawl(*web.pages(A, 3))
        assert min(b - a for a, b in pairwise(web.times(A))) >= 0.5

    def test_a_long_crawl_delay_holds_nobody_up(self, web: Web, crawl: Crawl) -> None:
        """Not even when there are as many such hosts as requests at a time."""
        slow = [url for host in HOSTS[4:8] for url in web.pages(host, 2)]
        for host in HOSTS[4:8]:
            web.robots(host, "User-agent: *\nCrawl-delay: 3\n")
        crawl(
            *((url, 0.9) for url in slow),
            *((url, 0.1) for url in web.pages(A, 10)),
            CONCURRENT_REQUESTS=4,
        )
        for host in HOSTS[4:8]:
            assert len(web.times(host)) == 3
            assert min(b - a for a, b in pairwise(web.times(host))) >= 3
        # All of A went out while the others waited for their first page.
        assert web.times(A)[-1] < min(web.times(host)[1] for host in HOSTS[4:8])

    def test_crawl_delay_is_cut_with_a_warning(self, web: Web, crawl: Crawl) -> None:
        web.robots(A, "User-agent: *\nCrawl-delay: 86400\n")
        told = crawl(*web.pages(A, 2), CRAWL_DELAY_MAX=0.4, LOG_LEVEL="WARNING")
        assert len(web.times(A)) == 3
        assert min(b - a for a, b in pairwise(web.times(A))) >= 0.4
        assert told["log"].count("asks for 86400 s between requests") == 1


class TestRests:
    @pytest.mark.parametrize("form", ["seconds", "date"])
    def test_retry_after_puts_the_host_to_rest(self, web: Web, crawl: Crawl, form: str) -> None:
        """FRO-02d: every URL left is on a host that rests."""
        answers = iter([_busy(2, form), page()])
        urls = [web.put(A, "/first", lambda: next(answers)), *web.pages(A, 2)]
        told = crawl(*urls, *web.pages(B, 3))
        assert told["counts"]["done"] == 6
        times = dict(zip(web.asked(A)[1:3], web.times(A)[1:3], strict=True))
        assert web.asked(A)[1:3] == ["/first", "/first"] or len(times) == 2
        first, second = web.times(A)[1:3]
        assert second - first >= (2 if form == "seconds" else 1)
        assert max(web.times(B)) < second
        assert told["cpu_seconds"] < 3

    def test_a_wait_does_not_count_against_the_page(self, web: Web, crawl: Crawl) -> None:
        answers = iter([*[_busy(0)] * 4, page()])
        url = web.put(A, "/0", lambda: next(answers))
        told = crawl(url, RETRY_TIMES=2)
        assert told["entries"][url] == ["done", ""]
        assert web.asked(A).count("/0") == 5

    def test_an_absurd_wait_is_cut(self, web: Web, crawl: Crawl) -> None:
        answers = iter([_busy(10**8), page()])
        url = web.put(A, "/0", lambda: next(answers))
        told = crawl(url, RETRY_AFTER_MAX=0.5)
        assert told["entries"][url] == ["done", ""]

    def test_back_off_doubles(self, web: Web, crawl: Crawl) -> None:
        web.put(A, "/0", Answer("", 500))
        told = crawl(web.site.url("/0"), HOST_BACKOFF_START=0.4, RETRY_TIMES=2)
        _, *times = web.times(A)
        gaps = [b - a for a, b in pairwise(times)]
        assert len(gaps) == 2
        assert gaps[0] >= 0.4
        assert gaps[1] >= 0.8
        assert told["entries"][web.site.url("/0")][0] == "failed"

    def test_one_broken_page_parks_nobody(self, web: Web, crawl: Crawl) -> None:
        broken = web.put(A, "/broken", lambda: _busy(0))
        told = crawl((broken, 0.9), *((url, 0.1) for url in web.pages(A, 3)))
        assert told["entries"][broken][0] == "failed"
        assert told["counts"]["done"] == 3

    def test_one_page_that_hangs_parks_nobody(self, web: Web, crawl: Crawl) -> None:
        hangs = web.put(A, "/hangs", page(after=3))
        told = crawl((hangs, 0.9), *((url, 0.1) for url in web.pages(A, 3)), DOWNLOAD_TIMEOUT=0.5)
        assert web.asked(A) == ["/robots.txt", *["/hangs"] * 3, "/0", "/1", "/2"]
        assert told["counts"]["done"] == 3

    def test_a_parked_host_is_asked_once_more_at_the_end(self, web: Web, crawl: Crawl) -> None:
        recovered = []
        urls = [
            web.put(A, f"/{n}", lambda: page() if recovered else Answer("", 503)) for n in range(9)
        ]
        last = web.put(B, "/last", lambda: recovered.append(1) or page())
        first = web.put(B, "/slow", page(after=4))
        told = crawl(*((url, 0.9) for url in urls), (first, 0.8), (last, 0.1))
        assert told["counts"]["done"] == 11 - 2  # two had used up their retries before
        failures = list(web.asked(A)[1 : 1 + defaults.HOST_FAILURES_MAX])
        assert failures == ["/0"] * 3 + ["/1"] * 3 + ["/2"]

    def test_a_dead_host_ends_with_its_reason(self, web: Web, crawl: Crawl) -> None:
        urls = [web.put(A, f"/{n}", Answer("", 503)) for n in range(20)]
        told = crawl(*urls, *web.pages(B, 3))
        reasons = [told["entries"][url][1] for url in urls]
        assert sum("host parked" in reason for reason in reasons) == 18
        assert len(web.asked(A)) == 1 + defaults.HOST_FAILURES_MAX + 1
        assert told["finish_reason"] == "frontier empty"

    @pytest.mark.parametrize("policy", ["all", "top", "recent-half", "best-first"])
    def test_given_up_for_one_iteration(self, web: Web, crawl: Crawl, policy: str) -> None:
        """Every policy comes to its end with a host that never answers right."""
        dead = [web.put(A, f"/d{n}", Answer("", 503)) for n in range(12)]
        web.put(B, "/", page(*((url, 0.9) for url in dead), *web.pages(B, 4)))
        told = crawl(web.site.url("/", B), SELECTION_POLICY=policy, CRAWL_ITERATIONS=9)
        assert told["counts"]["done"] == 5
        assert told["counts"]["failed"] == 12
        assert told["finish_reason"] == "frontier empty"
        assert len(web.asked(A)) < 12

    def test_a_closed_port_does_not_park_its_host(self, web: Web, crawl: Crawl) -> None:
        closed = [f"http://{A}:9/{n}" for n in range(4)]
        told = crawl(*((url, 0.5) for url in web.pages(A, 4)), *((url, 0.4) for url in closed))
        assert told["counts"]["done"] == 4
        assert all("connection refused" in told["entries"][url][1] for url in closed)

    def test_a_rest_is_remembered_by_a_crawl_that_goes_on(self, web: Web, crawl: Crawl) -> None:
        answers = iter([_busy(6), page()])
        url = web.put(A, "/0", lambda: next(answers))
        crawl(url, CLOSESPIDER_TIMEOUT=1)
        assert web.asked(A) == ["/robots.txt", "/0"]
        told = crawl(url)
        assert told["counts"]["done"] == 1
        assert web.times(A)[-1] - web.times(A)[1] > 5


def _busy(seconds: int, form: str = "seconds") -> Answer:
    until = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + seconds))
    return Answer("", 503, {"Retry-After": str(seconds) if form == "seconds" else until})


def test_sixteen_hosts(web: Web, crawl: Crawl, tmp_path: Path) -> None:
    """One answers 503 for a while, one hangs, one has a Crawl-delay: the others are kept busy."""
    busy, hanging, slow, *others = HOSTS
    started: list[float] = []

    def busy_page() -> Answer:
        started.append(time.monotonic())
        return _busy(2) if time.monotonic() - started[0] < 3 else page()

    seeds: list[tuple[str, float]] = []
    seeds += [(web.put(busy, f"/{n}", busy_page), 0.9) for n in range(5)]
    seeds += [(web.put(hanging, f"/{n}", page(after=20)), 0.95) for n in range(5)]
    seeds += [(url, 0.9) for url in web.pages(slow, 5)]
    web.robots(slow, "User-agent: *\nCrawl-delay: 1\nDisallow: /4\n")
    seeds += [(url, 0.1) for host in others for url in web.pages(host, 20)]
    told = crawl(*seeds, DOWNLOAD_TIMEOUT=2, CONCURRENT_REQUESTS=8)

    assert told["finish_reason"] == "frontier empty"
    assert [len(web.asked(host)) for host in others] == [21] * 13
    assert told["counts"]["done"] == 13 * 20 + 5 + 4
    assert told["counts"]["failed"] == 5 + 1
    assert "/4" not in web.asked(slow)
    assert min(b - a for a, b in pairwise(web.times(slow))) >= 1
    # The hanging host was asked until it was parked, and once more at the end.
    assert len(web.asked(hanging)) == 1 + defaults.HOST_SILENCES_MAX + 1
    waited = [at for host in (busy, hanging, slow) for at in web.times(host)]
    assert max(at for host in others for at in web.times(host)) < max(waited)


_DIAGNOSIS = (
    "Diagnosis: the {part} of {name} sp. nov. differs from that of all other species of the genus."
    " Type locality: hill of the {part}. Etymology: named after its {part}."
)
_KEY = (
    "Key to the species. 1. {part} longer than in the holotype of {name}: go to 2. 2. {part} with"
    " dark fur, paratype from a cave; synonymy and distribution of {name} gen. et sp. nov."
)


class TestWholeFlow:
    """The same with the settings, pipelines and reasons of a real run."""

    def test_reasons(self, web: Web, tmp_path: Path) -> None:
        web.put(A, "/robots.txt", Answer("<html><body>No such file.</body></html>"))
        web.robots(B, "User-agent: taxocrawl\nDisallow: /secret\n")
        web.put(C, "/robots.txt", Answer("", 503))
        dead = "http://no-such-host.invalid/x"
        closed = "http://127.0.0.99:9/x"
        seeds = [
            web.put(A, "/open", page(text="A short page.")),
            web.put(B, "/secret/x", page()),
            web.put(C, "/waits", page()),
            dead,
            closed,
        ]
        done = crawl_seeds(tmp_path / "run", seeds, timeout=100)
        assert done.code == 0, done.log
        reasons = {fetch["url"]: fetch["reason"] for fetch in done.fetches}
        assert reasons.pop(seeds[0]) in ("non-taxonomic", "no text")
        assert reasons == {
            seeds[1]: "robots.txt",
            seeds[2]: "robots.txt unreachable",
            dead: "host not found",
            closed: "connection refused",
        }
        assert set(web.asked(B)) == {"/robots.txt"}
        assert set(web.asked(C)) == {"/robots.txt"}
        assert "Traceback" not in done.log

    @pytest.mark.parametrize("exported", [True, False])
    def test_directives(self, web: Web, tmp_path: Path, exported: bool) -> None:
        good = '<a href="/good">a new species of bat</a>'
        nofollow = '<a rel="nofollow" href="/ad">a new species of bat</a>'
        none = '<meta name="robots" content="none">'
        seed = web.put(A, "/article", _article("Pteropus ficta", _DIAGNOSIS, nofollow + good))
        web.put(A, "/good", _article("Kerivoula major", _KEY, '<a href="/x">bat</a>', none))
        done = crawl_seeds(
            tmp_path / "run", [seed], settings=(*FAST, f"EXPORT_NOINDEX={exported}"), timeout=100
        )
        assert done.code == 0, done.log
        assert done.reasons == {"article": "", "good": "" if exported else "noindex"}
        flags = [document["flags"] for document in done.documents]
        assert flags == ([[], ["noindex"]] if exported else [[]])
        assert web.asked(A) == ["/robots.txt", "/article", "/good"]


def _article(name: str, sentence: str, links: str, head: str = "") -> Answer:
    parts = "skull skin mandible forearm humerus molar wing tail ear foot thumb snout".split()
    text = "".join(f"<p>{sentence.format(name=name, part=part)}</p>" for part in parts)
    title = f"{name}, a new species of bat (Chiroptera)"
    return Answer(
        f"<html><head>{head}<title>{title}</title></head><h2>{name} sp. nov.</h2>"
        f"<p>Holotype: adult male, skin and skull. Paratypes: three.</p>{text}{links}</html>"
    )
