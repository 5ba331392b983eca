"""Serves the frontier's URLs to Scrapy's engine, iteration by iteration, host by host.

Nothing is kept in Scrapy's own queues: a request is built when its host may be asked, so that a
better link found meanwhile goes first and a slow host holds nobody up. See docs/frontier.md.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, Self, cast

from scrapy import signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.exceptions import CloseSpider
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.misc import load_object

from taxocrawl.alarm import Alarm
from taxocrawl.exceptions import SettingError, StorageError
from taxocrawl.frontier.base import Frontier, Outcome, State
from taxocrawl.frontier.hostload import HostLoad
from taxocrawl.frontier.iterations import Iterations, push_and_select
from taxocrawl.frontier.revisit import NONE, make_revisit_policy
from taxocrawl.frontier.selection import make_policy
from taxocrawl.frontier.urls import canonicalize, unfetchable
from taxocrawl.requests import RequestsUnderWay, candidate_of, fetch_record, payload_of, request_of
from taxocrawl.signals import (
    iteration_finished,
    iteration_started,
    redirected_to_known,
    settled_without_page,
    storage_failed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scrapy import Request
    from scrapy.core.downloader import Slot
    from scrapy.core.engine import ExecutionEngine, _Slot
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from scrapy.spiders import Spider

    from taxocrawl.frontier.base import Candidate, Settled
    from taxocrawl.frontier.policy import SelectionPolicy
    from taxocrawl.frontier.politeness import TroubleStore
    from taxocrawl.frontier.revisit import RevisitPolicy

logger = logging.getLogger(__name__)


class FrontierScheduler(BaseScheduler):
    """The engine's scheduler, and what spider and pipelines see of the frontier.

    Args:
        crawler: whose engine is served.
        open_frontier: called when the spider opens.
        policy: selection policy.
        iterations: last iteration, the seeds being iteration 0.
        max_pages: downloads after which the crawl ends; 0 means no limit.
        revisit: re-visit policy; None for none.
    """

    frontier: Frontier
    shared = False
    """Whether other processes work on the same frontier."""
    troubles: TroubleStore | None = None
    """Where the failures of hosts are counted; None for this process's memory."""
    iterations_class: Callable[..., Iterations] = Iterations
    reserves: Callable[[int], Sequence[Candidate]] | None = None
    """Set by the spider: further URLs for an iteration whose last URL is settled."""

    def __init__(
        self,
        crawler: Crawler,
        open_frontier: Callable[[], Frontier],
        policy: SelectionPolicy,
        *,
        iterations: int,
        max_pages: int,
        revisit: RevisitPolicy | None,
    ) -> None:
        self._crawler = crawler
        self._open_frontier = open_frontier
        self._policy, self._revisit = policy, revisit
        self._last, self._max_pages = iterations, max_pages
        self._hosts = HostLoad(crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"))
        self._under_way = RequestsUnderWay(self._hosts)
        self._alarm = Alarm(lambda: self._slot.nextcall.schedule())
        self._broken = self._has_seeds = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        for name in ("CRAWL_ITERATIONS", "CRAWL_MAX_PAGES"):
            if settings.getint(name) < 0:
                raise SettingError(f"{name}={settings[name]}: expected a whole number from 0")
        return cls(
            crawler,
            cls.opener(settings),
            make_policy(settings["SELECTION_POLICY"], settings.getdict("SELECTION_PARAMS")),
            iterations=settings.getint("CRAWL_ITERATIONS"),
            max_pages=settings.getint("CRAWL_MAX_PAGES"),
            revisit=revisit_policy_of(settings),
        )

    @classmethod
    def opener(cls, settings: BaseSettings) -> Callable[[], Frontier]:
        """What opens the frontier that the settings choose."""
        frontier_class = load_object(settings["FRONTIER_CLASS"])
        params = settings.getdict("FRONTIER_PARAMS")
        return lambda: cast("Frontier", frontier_class(**params))

    @property
    def iteration(self) -> int:
        """Number of the iteration under way."""
        return self._iterations.current

    @property
    def finish_reason(self) -> str:
        """Why the crawl ends; empty while it goes on."""
        return self._iterations.finish_reason

    def open(self, spider: Spider) -> None:
        """Open the frontier; what was in flight when a crawl was killed is selected again."""
        self._spider = spider
        self._refusal_of: Callable[[str], str] = getattr(spider, "refusal_of", lambda url: "")
        self.frontier = self._open_frontier()
        if recovered := self.frontier.recover():
            logger.info("frontier: %d URLs were in flight and are selected again", recovered)
        self.frontier.plan_visits(self._revisit)
        connect = self._crawler.signals.connect
        connect(self._under_way.left_downloader, signal=signals.request_left_downloader)
        connect(self._idle, signal=signals.spider_idle)
        self._iterations = self.iterations_class(
            self.frontier,
            self._policy,
            last=self._last,
            max_pages=self._max_pages,
            started=self._iteration_started,
            finished=lambda iteration: self._send(iteration_finished, iteration=iteration),
            refill=self._refill,
            revisits=self._revisit is not None,
        )

    def close(self, reason: str) -> None:
        """Close the frontier; what is in flight is selected again."""
        self._alarm.set(None)
        try:
            self.frontier.recover()
        except StorageError as error:
            # What stays in flight is recovered by the next open.
            logger.error("%s", error)  # noqa: TRY400 - the line says all
        self.frontier.close()

    async def seeds_wanted(self) -> bool:
        """Whether this process is to search for seeds."""
        return not self.frontier.get_meta("seeds complete")

    def elect(self, office: str) -> bool:
        """Whether this process may do what only one of a crawl may."""
        return True

    def resign(self, office: str) -> None:
        """Leave it to the next who asks."""

    def closes_run(self) -> bool:
        """Whether this process writes the files that look back on the whole run."""
        return True

    def run_closed(self) -> None:
        """These files are written."""

    def push_seeds(self, candidates: Iterable[Candidate]) -> tuple[int, int]:
        """Add seeds to the frontier; return (new, known before)."""
        return self.frontier.push(candidates, self.iteration - 1)

    def admit_pushed(self) -> int:
        """Take seeds that others pushed; return how many. One process alone has none."""
        return 0

    def seeds_complete(self) -> None:
        """All seeds were pushed: the first iteration may be selected."""
        self.frontier.set_meta("seeds complete", True)
        self._slot.nextcall.schedule()

    def settle(self, outcome: Outcome) -> Settled:
        """Commit a page, see `Frontier.settle`; the pipelines' last step."""
        try:
            settled = self.frontier.settle(outcome)
        except StorageError as error:
            self.give_up(error)
            raise
        self._under_way.settled(outcome.entry_id)
        return settled

    def entry_of(self, request: Request) -> int | None:
        """Id of the entry that a request stands for; None for requests of others."""
        return cast("int | None", request.meta.get("frontier_id"))

    def is_in_flight(self, entry_id: int) -> bool:
        """Whether this process has a request of an entry under way."""
        return self._under_way.has(entry_id)

    def rest(self, host: str, until: float) -> None:
        """Do not ask a host before a time (`time.monotonic`, seconds); see `HostLoad.rest`."""
        self._hosts.rest(host, until)

    def slow_down(self, host: str, seconds: float) -> None:
        """A host asks for so many seconds between two requests (Crawl-delay), 0 for none."""

    def has_pending_requests(self) -> bool:
        return not (self._broken or self.finish_reason)

    def enqueue_request(self, request: Request) -> bool:
        """Take back the retry or redirect of a request in flight; push any other as a link.

        False for a request of another method than GET that stands for no entry, and for a URL
        that is never asked for.
        """
        try:
            entry_id = self.entry_of(request)
            if entry_id is not None and self._under_way.has(entry_id):
                self._ask_again(entry_id, request)
                return True
            return self._push(request)
        except StorageError as error:
            self.give_up(error)
            return False

    def next_request(self) -> Request | None:
        """The best request whose host may be asked now."""
        if self._broken:
            return None
        try:
            self._settle_lost()
            if not self._seeds_are_complete():
                return None
            now = time.monotonic()
            slots = self._engine.downloader.slots
            entry = self._iterations.next(
                self._hosts.busy(slots, now),
                live=self._under_way.live,
                unsettled=self._under_way.unsettled,
            )
        except StorageError as error:
            self.give_up(error)
            return None
        if entry is None:
            ready = self._next_ready(slots, now)
            self._alarm.set(None if self.finish_reason else ready)
            return None
        request = request_of(entry, self._spider)
        self._under_way.begin(request, entry)
        return request

    def _next_ready(self, slots: Mapping[str, Slot], now: float) -> float | None:
        """When to look again, if nothing happens before; None for not at all."""
        return self._hosts.next_ready(slots, now, idle=not self._under_way.live)

    @property
    def _engine(self) -> ExecutionEngine:
        assert self._crawler.engine is not None
        return self._crawler.engine

    @property
    def _slot(self) -> _Slot:
        # Private, and guarded by a test: what of our requests the engine still works on, and a
        # way to be asked again before its heartbeat of 5 s, exist nowhere else.
        return cast("_Slot", self._engine._slot)

    def _seeds_are_complete(self) -> bool:
        if self._has_seeds:
            return True
        if not self.frontier.get_meta("seeds complete"):
            if self._engine._start is not None:
                return False
            # `Spider.start` has ended without saying so.
            self.seeds_complete()
        self._has_seeds = True
        return True

    def _refill(self, iteration: int) -> int:
        candidates = self.reserves(iteration) if self.reserves else ()
        return push_and_select(self.frontier, candidates, iteration) if candidates else 0

    def _ask_again(self, entry_id: int, request: Request) -> None:
        before = self._under_way.take_back(entry_id)
        if canonicalize(request.url) == canonicalize(before.url):
            self.frontier.requeue(entry_id, payload_of(request))
            return
        if reason := unfetchable(request.url) or self._refusal_of(request.url):
            fetch = fetch_record(before, request.url, reason)
            self.frontier.settle(Outcome(entry_id, State.FAILED, reason, fetch=fetch))
            self._send(settled_without_page, fetch=fetch)
            return
        fetch = fetch_record(before, request.url, "redirect to known")
        decided = self.frontier.redirect(entry_id, request.url, payload_of(request), fetch)
        if not decided.followed:
            target = self.frontier.entry(decided.target)
            self._send(
                redirected_to_known,
                url=before.url,
                target_url=target.url if target else request.url,
                fetch=fetch,
            )
            self._send(settled_without_page, fetch=fetch)

    def _push(self, request: Request) -> bool:
        meta = request.meta
        if request.method != "GET" or unfetchable(request.url):
            logger.warning("%s %s: cannot stand in the frontier", request.method, request.url)
            return False
        if meta.get("revisit") and self.frontier.revisit(
            request.url, self.iteration, payload_of(request)
        ):
            return True
        is_seed = not self.frontier.get_meta("seeds complete")
        return self.frontier.push([candidate_of(request)], self.iteration - is_seed)[0] > 0

    def _settle_lost(self) -> None:
        """Settle entries whose request the engine has let go without a word from the pipelines.

        A callback that raised, an item that was dropped: nothing may stay in flight for ever.
        """
        for entry_id, request in self._under_way.lost(self._slot.inprogress):
            reason = "internal error"
            fetch = fetch_record(request, request.url, reason)
            self.settle(Outcome(entry_id, State.FAILED, reason, fetch=fetch))
            self._send(settled_without_page, fetch=fetch)
            logger.error("%s: no pipeline settled it", request.url)

    def _iteration_started(self, iteration: int, selected: int) -> None:
        self._send(iteration_started, iteration=iteration, selected=selected)

    def _idle(self) -> None:
        if self.finish_reason:
            raise CloseSpider(self.finish_reason)

    def give_up(self, error: StorageError) -> None:
        """Close the crawl: nothing can be written; what is in flight is selected again."""
        if not self._broken:
            self._broken = True
            logger.error("%s", error)
            self._send(storage_failed, error=error)
            deferred_from_coro(self._engine.close_spider_async(reason="storage failed"))

    def _send(self, signal: object, **arguments: Any) -> None:
        self._crawler.signals.send_catch_log(signal, spider=self._spider, **arguments)


def revisit_policy_of(settings: BaseSettings) -> RevisitPolicy | None:
    """The re-visit policy that the settings choose; raises SettingError when they choose none."""
    return make_revisit_policy(
        settings["REVISIT_POLICY"] or NONE,
        interval=settings.getfloat("REVISIT_INTERVAL"),
        shortest=settings.getfloat("REVISIT_MIN"),
        longest=settings.getfloat("REVISIT_MAX"),
    )
