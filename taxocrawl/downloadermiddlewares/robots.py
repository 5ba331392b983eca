"""Obeys robots.txt (RFC 9309); a host whose rules cannot be had is asked again later."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, NamedTuple, Self
from urllib.parse import urljoin

from scrapy import Request, signals
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    IgnoreRequest,
    NotConfigured,
    StopDownload,
)
from scrapy.http.request import NO_CALLBACK

from taxocrawl.downloadermiddlewares.hosts import (
    HostMiddleware,
    asked_wait,
    is_failure,
)
from taxocrawl.downloadermiddlewares.refusals import Refused
from taxocrawl.frontier.politeness import Recent, origin_of
from taxocrawl.frontier.robots import MAX_BYTES, RobotsRules

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from taxocrawl.downloadermiddlewares.politeness import Politeness

logger = logging.getLogger(__name__)

_MAX_REDIRECTS = 5
# What the rules of a small file weigh in the cache, in characters.
_LEAST_WEIGHT = 1024
# A request that would wait longer inside the downloader goes back to the frontier.
_WAIT_IN_DOWNLOADER = 2.0
# Expired rules are kept so long when the file cannot be had (RFC 9309, 2.4).
_GRACE = 3600.0


class _Cached(NamedTuple):
    rules: RobotsRules
    expires: float


class RobotsTxtMiddleware:
    """Refuses what a site's robots.txt forbids, and keeps its Crawl-delay.

    Args:
        crawler: whose downloader fetches robots.txt, and whose `HostMiddleware` is told of
            Crawl-delays and of hosts whose rules cannot be had.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured("ROBOTSTXT_OBEY is off")
        self._crawler = crawler
        self._user_agent = settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"]
        self._max_age = settings.getfloat("ROBOTSTXT_MAX_AGE")
        self._timeout = min(
            settings.getfloat("ROBOTSTXT_TIMEOUT"), settings.getfloat("DOWNLOAD_TIMEOUT")
        )
        self._cache: Recent[_Cached] = Recent(
            int(settings.getfloat("ROBOTSTXT_CACHE_SIZE") * 2**20),
            lambda cached: max(_LEAST_WEIGHT, cached.rules.size),
        )
        self._asked: dict[str, asyncio.Task[RobotsRules | None]] = {}
        crawler.signals.connect(self._bytes_received, signal=signals.bytes_received)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    @property
    def _politeness(self) -> Politeness:
        hosts = self._crawler.get_downloader_middleware(HostMiddleware)
        assert hosts is not None
        return hosts.politeness

    async def process_request(self, request: Request) -> Request | None:
        """Let a request pass, refuse it, or give it back until the rules are known.

        Raises Refused, with reason ``robots.txt`` for what the rules forbid.
        """
        url = request.url
        if request.meta.get("dont_obey_robotstxt") or not url.startswith(("http://", "https://")):
            return None
        fresh = not self._known(origin_of(url))
        rules = await self._rules_of(origin_of(url))
        if rules is None:
            return self._later(request, "robots.txt unreachable")
        if not rules.allows(url):
            self._count("forbidden")
            raise Refused("robots.txt")
        self._politeness.set_crawl_delay(url, rules.crawl_delay)
        # The request for robots.txt was one too.
        if fresh and self._politeness.hold(url) > _WAIT_IN_DOWNLOADER:
            return self._later(request)
        return None

    def _later(self, request: Request, reason: str = "") -> Request | None:
        """Give a request back to the frontier; its host is not asked for a while.

        Other requests are not the frontier's to keep: they are refused with the reason, or wait in
        the downloader when there is none.
        """
        if refusal := self._politeness.given_up(request.url):
            raise Refused(refusal)
        if "frontier_id" in request.meta:
            return request.copy()
        if reason:
            raise Refused(reason)
        return None

    def _known(self, origin: str) -> RobotsRules | None:
        cached = self._cache.get(origin)
        return cached.rules if cached and cached.expires > time.monotonic() else None

    async def _rules_of(self, origin: str) -> RobotsRules | None:
        """An origin's rules, fetched when they are not known; None when they cannot be had."""
        if rules := self._known(origin):
            return rules
        if origin not in self._asked:
            self._asked[origin] = asyncio.ensure_future(self._fetch(origin))
            self._asked[origin].add_done_callback(lambda _: self._asked.pop(origin))
        return await asyncio.shield(self._asked[origin])

    async def _fetch(self, origin: str) -> RobotsRules | None:
        url = f"{origin}/robots.txt"
        try:
            response = await self._follow(url)
        except Refused:
            raise
        except Exception as error:  # whatever a download can raise: the rules cannot be had
            logger.info("%s: %s", url, _one_line(error))
            self._politeness.failed(
                url, _reason(error), silent=not isinstance(error, IgnoreRequest)
            )
            return self._expired(origin)
        self._count(f"status/{response.status}")
        if is_failure(response.status):
            logger.info("%s: HTTP %d", url, response.status)
            self._politeness.failed(url, "robots.txt unreachable", asked_wait=asked_wait(response))
            return self._expired(origin)
        self._politeness.answered(url)
        # Any other status means that there are no rules (RFC 9309, 2.3.1.3).
        rules = RobotsRules(response.body if response.status == 200 else b"", self._user_agent)
        self._cache.put(origin, _Cached(rules, time.monotonic() + self._max_age))
        return rules

    async def _follow(self, url: str) -> Response:
        """The answer for a robots.txt, after at most five redirects."""
        for _ in range(_MAX_REDIRECTS + 1):
            response = await self._crawler.engine.download_async(self._request(url))
            location = response.headers.get("Location")
            if not 300 <= response.status <= 399 or not location:
                break
            url = urljoin(url, location.decode("latin-1").strip())
            if not url.startswith(("http://", "https://")):
                break
        return response

    def _request(self, url: str) -> Request:
        return Request(
            url,
            callback=NO_CALLBACK,
            # Sizes are counted as they come in: see `_bytes_received`.
            headers={"Accept-Encoding": "identity"},
            meta={
                "robots": True,
                "dont_obey_robotstxt": True,
                "dont_redirect": True,
                "dont_retry": True,
                "download_timeout": self._timeout,
                "download_maxsize": 0,
            },
        )

    def _bytes_received(self, data: bytes, request: Request) -> None:
        """Stop the download of a robots.txt when as much is there as will be read."""
        if "robots" in request.meta:
            received = request.meta.get("robots_bytes", 0) + len(data)
            request.meta["robots_bytes"] = received
            if received > MAX_BYTES:
                raise StopDownload(fail=False)

    def _expired(self, origin: str) -> RobotsRules | None:
        """Rules that have expired hold on for a while when new ones cannot be had."""
        cached = self._cache.get(origin)
        if cached is None:
            return None
        self._cache.put(origin, _Cached(cached.rules, time.monotonic() + _GRACE))
        return cached.rules

    def _count(self, what: str) -> None:
        self._crawler.stats.inc_value(f"robotstxt/{what}")


def _reason(error: Exception) -> str:
    """Why the URLs of an origin end that is given up."""
    if isinstance(error, CannotResolveHostError):
        return "host not found"
    if isinstance(error, DownloadConnectionRefusedError):
        return "connection refused"
    return "robots.txt unreachable"


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
