"""Keeps the pace that hosts ask for, and lets those that fail rest."""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING, Any, Self, cast

from scrapy import signals

from taxocrawl.exceptions import StorageError
from taxocrawl.frontier.politeness import RESTS, BackOff, Fate, HostTrouble, Recent, origin_of
from taxocrawl.frontier.urls import host_of
from taxocrawl.signals import iteration_started

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.core.downloader import Slot
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from taxocrawl.scheduler import FrontierScheduler

logger = logging.getLogger(__name__)

_REMEMBERED_HOSTS = 50_000
# Shorter rests are over by the time a crawl that was stopped has started again.
_KEPT_SECONDS = 5.0


class Politeness:
    """What the middlewares beside it learn of hosts, and what follows from it.

    A host's delay is the longest of DOWNLOAD_DELAY, its Crawl-delay, and what AutoThrottle finds.
    A Crawl-delay counts from the end of the request before, so that it also holds in the host's
    own log, and is set on a download slot at each request, because idle slots are dropped.

    Args:
        crawler: whose downloader and scheduler obey.
        back_off: how patient we are with hosts that fail.
        crawl_delay_max: seconds to which a longer Crawl-delay is cut.
    """

    def __init__(self, crawler: Crawler, back_off: BackOff, crawl_delay_max: float) -> None:
        self._crawler = crawler
        self._trouble = HostTrouble(back_off)
        self._crawl_delay_max = crawl_delay_max
        self._delays: Recent[float] = Recent(_REMEMBERED_HOSTS)
        self._rests: dict[str, float] = {}
        connect = crawler.signals.connect
        connect(self._spider_opened, signal=signals.spider_opened)
        connect(self._iteration_started, signal=iteration_started)
        connect(self._reached_downloader, signal=signals.request_reached_downloader)
        # AutoThrottle is connected before and has changed the delay by then.
        connect(self._ended, signal=signals.response_downloaded)
        connect(self._ended, signal=signals.request_left_downloader)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        return cls(crawler, back_off_of(settings), settings.getfloat("CRAWL_DELAY_MAX"))

    def answered(self, url: str) -> None:
        """A host gave an answer that is no failure."""
        self._trouble.answered(host_of(url), origin_of(url))

    def failed(
        self, url: str, reason: str, *, silent: bool = False, asked_wait: float | None = None
    ) -> None:
        """A host failed; see `HostTrouble.failed`. It rests, is parked or given up."""
        host, origin = host_of(url), origin_of(url)
        consequence = self._trouble.failed(
            host, origin, reason=reason, silent=silent, asked_wait=asked_wait
        )
        self._crawler.stats.inc_value(f"hosts/{consequence.fate.value}")
        if consequence.fate is Fate.PARKED:
            logger.info("%s fails again and again: parked until all others are done", host)
            self._scheduler.rest(host, math.inf)
        elif consequence.fate is Fate.GIVEN_UP:
            logger.info("%s is given up for this iteration: %s", origin, reason)
        else:
            logger.debug("%s rests for %.1f s", host, consequence.seconds)
            self._scheduler.rest(host, time.monotonic() + consequence.seconds)
            if not self._scheduler.shared:
                self._keep(host, consequence.seconds)

    def given_up(self, url: str) -> str:
        """The reason with which a URL ends unasked; empty when it may be asked."""
        return self._trouble.given_up(origin_of(url))

    def set_crawl_delay(self, url: str, seconds: float) -> None:
        """A URL's host is asked no more often than once in so many seconds."""
        host = host_of(url)
        if min(seconds, self._crawl_delay_max) != (self._delays.get(host) or 0.0):
            self._scheduler.slow_down(host, min(seconds, self._crawl_delay_max))
        if not seconds:
            self._delays.drop(host)
            return
        if seconds > self._crawl_delay_max and self._delays.get(host) is None:
            logger.warning(
                "%s asks for %g s between requests; CRAWL_DELAY_MAX makes it %g s",
                host,
                seconds,
                self._crawl_delay_max,
            )
        self._delays.put(host, min(seconds, self._crawl_delay_max))

    def hold(self, url: str) -> float:
        """Count a host's Crawl-delay from now; return it (0 when there is none)."""
        host = host_of(url)
        delay = self._delays.get(host)
        slot = self._crawler.engine.downloader.slots.get(host)
        if delay is None or slot is None:
            return 0.0
        self._slow_down(slot, delay)
        slot.lastseen = time.monotonic()
        return delay

    @property
    def _scheduler(self) -> FrontierScheduler:
        return cast("FrontierScheduler", self._crawler.engine.scheduler)

    def _reached_downloader(self, request: Request) -> None:
        key = request.meta["download_slot"]
        if (delay := self._delays.get(key)) is not None:
            self._slow_down(self._crawler.engine.downloader.slots[key], delay)

    def _ended(self, request: Request) -> None:
        self.hold(request.url)

    @staticmethod
    def _slow_down(slot: Slot, delay: float) -> None:
        slot.delay, slot.concurrency, slot.jitter = max(slot.delay, delay), 1, 0.0

    def _iteration_started(self) -> None:
        self._trouble.new_iteration()

    def _keep(self, host: str, seconds: float) -> None:
        """Let a crawl that is interrupted remember a rest."""
        if seconds < _KEPT_SECONDS:
            return
        now = time.time()
        self._rests = {name: until for name, until in self._rests.items() if until > now}
        self._rests[host] = now + seconds
        try:
            self._scheduler.frontier.set_meta(RESTS, self._rests)
        except StorageError as error:
            # The next page that is settled meets the same error and ends the crawl.
            logger.debug("%s", error)

    def _spider_opened(self) -> None:
        if self._scheduler.troubles is not None:
            self._trouble.keep_in(self._scheduler.troubles)
        kept: dict[str, Any] = self._scheduler.frontier.get_meta(RESTS) or {}
        longest = self._trouble.longest_rest
        for host, until in kept.items():
            # A clock that was set back must not make a host rest for ever.
            seconds = min(until - time.time(), longest)
            if seconds > 0:
                self._scheduler.rest(host, time.monotonic() + seconds)


def back_off_of(settings: BaseSettings) -> BackOff:
    """How patient the settings say we are."""
    return BackOff(
        start=settings.getfloat("HOST_BACKOFF_START"),
        longest=settings.getfloat("HOST_BACKOFF_MAX"),
        longest_wait=settings.getfloat("RETRY_AFTER_MAX"),
        failures=settings.getint("HOST_FAILURES_MAX"),
        silences=settings.getint("HOST_SILENCES_MAX"),
    )
