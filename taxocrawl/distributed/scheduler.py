"""Serves the shared frontier to one worker's engine."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from typing import TYPE_CHECKING, cast

from scrapy import Request, signals
from scrapy.utils.asyncio import create_looping_call

from taxocrawl.distributed.connection import open_frontier
from taxocrawl.distributed.seeds import PushedSeeds
from taxocrawl.exceptions import FrontierError, StorageError
from taxocrawl.frontier.redis.iterations import FINISHED, SharedIterations
from taxocrawl.frontier.urls import host_of
from taxocrawl.scheduler import FrontierScheduler

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scrapy.core.downloader import Slot
    from scrapy.settings import BaseSettings
    from scrapy.spiders import Spider

    from taxocrawl.frontier.redis.store import RedisFrontier

logger = logging.getLogger(__name__)

_POLL = 0.25
"""Seconds after which a worker that has nothing to do looks what the others have done."""
_PUSHED_POLL = 1.0
_SEEDING, _CLOSING = "seeds", "closing"
"""Offices: who searches for seeds, and who writes the closing files."""
_CLOSED = "closing files written"


class RedisScheduler(FrontierScheduler):
    """A worker of a crawl: what it holds is leased, and hosts are spared by all workers together.

    A host's delay counts from the end of the request before, whichever worker made it: so it holds
    in the host's own log too.
    """

    frontier: RedisFrontier
    shared = True
    iterations_class = SharedIterations

    @classmethod
    def opener(cls, settings: BaseSettings) -> Callable[[], RedisFrontier]:
        def open_shared() -> RedisFrontier:
            frontier = open_frontier(settings, settings["REDIS_CRAWL"])
            if settings.getbool("SCHEDULER_FLUSH_ON_START") and not frontier.others():
                frontier.erase()
                frontier.beat()
            return frontier

        return open_shared

    def open(self, spider: Spider) -> None:
        """Join the crawl; what a dead worker of this machine held is selected again."""
        super().open(spider)
        settings, frontier = self._crawler.settings, self.frontier
        frontier.concurrency = settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        frontier.delay = settings.getfloat("DOWNLOAD_DELAY")
        self.troubles = frontier.troubles
        if not frontier.others():
            # A crawl that had ended is to go on.
            frontier.forget_metas(FINISHED, _CLOSED)
        rounds = cast("SharedIterations", self._iterations)
        wait = settings["MAX_IDLE_TIME_BEFORE_CLOSE"]
        rounds.idle_wait = 0.0 if wait is None else float(wait) or math.inf
        self._pushed = PushedSeeds(self._crawler, frontier, rounds.admit)
        self._beating = create_looping_call(self._beat)
        self._beating.start(frontier.worker.lease / 3, now=False)
        self._reading = create_looping_call(self._read_pushed)
        self._reading.start(_PUSHED_POLL, now=False)
        self._crawler.signals.connect(self._left, signal=signals.request_left_downloader)

    def close(self, reason: str) -> None:
        """Leave the crawl; what this worker holds is selected again."""
        for call in (self._beating, self._reading):
            if call.running:
                call.stop()
        if self.finish_reason and not self._crawler.settings.getbool("SCHEDULER_PERSIST"):
            try:
                if not self.frontier.others():
                    self.frontier.erase()
            except StorageError as error:
                logger.warning("%s", error)
        super().close(reason)

    async def seeds_wanted(self) -> bool:
        """Whether this worker is to search for seeds; the others wait until they are there."""
        while not self.frontier.get_meta("seeds complete"):
            if self.elect(_SEEDING):
                return True
            await asyncio.sleep(_POLL)
        return False

    def admit_pushed(self) -> int:
        return self._pushed.admit_pushed()

    def seeds_complete(self) -> None:
        super().seeds_complete()
        self.resign(_SEEDING)

    def elect(self, office: str) -> bool:
        return self.frontier.elect(office)

    def resign(self, office: str) -> None:
        self.frontier.resign(office)

    def closes_run(self) -> bool:
        """One worker does, once: the last one of a crawl that is interrupted, or one of those of
        a crawl that has ended."""
        if not self.finish_reason:
            return not self.frontier.others()
        while not self.frontier.get_meta(_CLOSED):
            if self.elect(_CLOSING):
                return True
            time.sleep(_POLL)
        return False

    def run_closed(self) -> None:
        if self.finish_reason:
            self.frontier.set_meta(_CLOSED, True)

    def rest(self, host: str, until: float) -> None:
        self._safely(lambda: self.frontier.rest(host, max(0.0, until - time.monotonic())))

    def slow_down(self, host: str, seconds: float) -> None:
        self._safely(lambda: self.frontier.slow_down(host, seconds))

    def _next_ready(self, slots: Mapping[str, Slot], now: float) -> float | None:
        times = [self._hosts.next_ready(slots, now), now + _POLL]
        if self.frontier.ready_in is not None:
            times.append(now + self.frontier.ready_in)
        return min(time for time in times if time is not None)

    def _ask_again(self, entry_id: int, request: Request) -> None:
        try:
            super()._ask_again(entry_id, request)
        except FrontierError:
            # The lease ran out, and the entry is another worker's.
            logger.info("%s: not held any more", request.url)

    def _left(self, request: Request) -> None:
        """A request is through with its host."""
        host = request.meta.get("download_slot") or host_of(request.url)
        slot = self._engine.downloader.slots.get(host)
        delay = max(self.frontier.delay, slot.delay if slot else 0.0)
        if slot and delay:
            # This worker's own next request, such as the page after its robots.txt, waits as long.
            slot.lastseen, slot.jitter = time.monotonic(), 0.0
        entry_id = self.entry_of(request)
        if entry_id is not None:
            self._safely(lambda: self.frontier.release(entry_id, delay))
        elif delay:
            self._safely(lambda: self.frontier.rest(host, delay))

    def _beat(self) -> None:
        def beat() -> None:
            if returned := self.frontier.beat():
                logger.info("%d URLs of workers that are gone are selected again", returned)

        self._safely(beat)

    def _read_pushed(self) -> None:
        def read() -> None:
            if self._seeds_are_complete() and self.admit_pushed():
                self._slot.nextcall.schedule()

        if not self.finish_reason:
            self._safely(read)

    def _safely(self, change: Callable[[], object]) -> None:
        """Make a change that no caller waits for."""
        if self._broken:
            return
        try:
            change()
        except StorageError as error:
            self.give_up(error)
