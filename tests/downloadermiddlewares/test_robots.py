"""What crawls do not show: requests of others, shared downloads, and bounded memory."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import DownloadTimeoutError, NotConfigured
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager

from taxocrawl import settings as defaults
from taxocrawl.downloadermiddlewares.hosts import HostMiddleware
from taxocrawl.downloadermiddlewares.refusals import Refused
from taxocrawl.downloadermiddlewares.robots import RobotsTxtMiddleware

PAGE = "https://a.example/secret/page"
FORBIDS = b"User-agent: *\nDisallow: /secret/\n"


class Net:
    """A crawler whose downloader answers every robots.txt with `answer`."""

    def __init__(self, answer: Response | Exception | bytes, **settings: Any) -> None:
        self.answer = answer
        self.asked: list[str] = []
        self.rests: dict[str, float] = {}
        self.settings = Settings({n: getattr(defaults, n) for n in dir(defaults) if n.isupper()})
        self.settings.update(settings, priority="cmdline")
        self.signals = SignalManager()
        self.stats = SimpleNamespace(inc_value=lambda *names: None)
        scheduler = SimpleNamespace(
            rest=self.rests.__setitem__,
            frontier=self,
            shared=False,
            troubles=None,
            slow_down=lambda host, seconds: None,
        )
        self.engine = SimpleNamespace(
            download_async=self.download,
            scheduler=scheduler,
            downloader=SimpleNamespace(slots={}),
        )
        self.hosts = HostMiddleware.from_crawler(self)  # type: ignore[arg-type]
        self.robots = RobotsTxtMiddleware.from_crawler(self)  # type: ignore[arg-type]

    def get_downloader_middleware(self, kind: type) -> HostMiddleware:
        return self.hosts

    def set_meta(self, name: str, value: Any) -> None:
        pass

    async def download(self, request: Request) -> Response:
        self.asked.append(request.url)
        await asyncio.sleep(0)
        if isinstance(self.answer, Exception):
            raise self.answer
        if isinstance(self.answer, bytes):
            return Response(request.url, body=self.answer)
        return self.answer

    def check(self, url: str = PAGE, **meta: Any) -> Request | None:
        return asyncio.run(self.robots.process_request(Request(url, meta=meta)))


def test_forbidden() -> None:
    net = Net(FORBIDS)
    with pytest.raises(Refused) as caught:
        net.check(frontier_id=1)
    assert caught.value.reason == "robots.txt"
    assert net.check("https://a.example/open", frontier_id=2) is None
    assert net.asked == ["https://a.example/robots.txt"]


def test_each_scheme_and_port_has_rules_of_its_own() -> None:
    net = Net(b"")
    for url in ("http://a.example/", "http://a.example:80/", "https://a.example/"):
        net.check(url)
    net.check("http://a.example:8080/")
    assert net.asked == [
        "http://a.example/robots.txt",
        "https://a.example/robots.txt",
        "http://a.example:8080/robots.txt",
    ]


def test_requests_that_need_no_permission() -> None:
    net = Net(FORBIDS)
    assert net.check(dont_obey_robotstxt=True) is None
    assert net.check("data:,x") is None
    assert net.asked == []


def test_requests_at_the_same_time_share_one_download() -> None:
    net = Net(b"")

    async def both() -> None:
        await asyncio.gather(*(net.robots.process_request(Request(PAGE)) for _ in range(3)))

    asyncio.run(both())
    assert len(net.asked) == 1


@pytest.mark.parametrize(
    "answer",
    [
        Response(PAGE, 500),
        Response(PAGE, 429),
        DownloadTimeoutError("slow"),
        ValueError("whatever a download raises"),
    ],
)
def test_rules_that_cannot_be_had(answer: Response | Exception) -> None:
    net = Net(answer)
    given_back = net.check(frontier_id=1)
    assert given_back is not None
    assert given_back.meta["frontier_id"] == 1
    assert net.rests["a.example"] > time.monotonic()
    # A request that is not the frontier's would come straight back.
    with pytest.raises(Refused) as caught:
        net.check(probe=True)
    assert caught.value.reason == "robots.txt unreachable"


def test_an_origin_that_is_given_up_is_not_asked() -> None:
    net = Net(Response(PAGE, 500), HOST_FAILURES_MAX=1)
    assert net.check(frontier_id=1) is not None  # parked
    with pytest.raises(Refused):
        net.check(frontier_id=1)
    with pytest.raises(Refused) as caught:
        net.hosts.process_request(Request(PAGE))
    assert caught.value.reason == "robots.txt unreachable"
    assert len(net.asked) == 2


def test_memory_is_bounded() -> None:
    net = Net(b"# " + b"x" * 50_000, ROBOTSTXT_CACHE_SIZE=1)
    for number in range(60):
        net.check(f"https://h{number}.example/")
    net.check("https://h59.example/")
    assert len(net.asked) == 60
    net.check("https://h0.example/")
    assert len(net.asked) == 61


def test_off() -> None:
    with pytest.raises(NotConfigured):
        Net(b"", ROBOTSTXT_OBEY=False)


def test_a_request_gets_the_slot_of_its_host() -> None:
    """A redirect outside the frontier still has the slot of the host that it came from."""
    net = Net(b"")
    request = Request("https://B.example:8443/", meta={"download_slot": "a.example"})
    net.hosts.process_request(request)
    assert request.meta["download_slot"] == "b.example"
