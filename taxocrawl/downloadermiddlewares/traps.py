"""Refuses requests whose pattern of URLs turned out to bring nothing after they were found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, cast

from taxocrawl.downloadermiddlewares.refusals import Refused
from taxocrawl.frontier.traps import pattern_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from taxocrawl.scheduler import FrontierScheduler


class TrapMiddleware:
    """Asks the frontier once more when a link is due.

    Seeds, retries, redirects and second visits pass.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.under_way: dict[str, set[int]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Let a request pass, or raise Refused with a reason of `taxocrawl.frontier.traps`."""
        meta = request.meta
        entry_id = meta.get("frontier_id")
        if entry_id is None or not meta.get("depth"):
            return
        if meta.get("redirect_urls") or meta.get("revisit"):
            return
        scheduler = cast("FrontierScheduler", self.crawler.engine.scheduler)
        key = pattern_of(request.url).key
        others = set(filter(scheduler.is_in_flight, self.under_way.pop(key, set()) - {entry_id}))
        if others:
            self.under_way[key] = others
        if reason := scheduler.frontier.trap(request.url, len(others)):
            raise Refused(reason)
        self.under_way[key] = others | {entry_id}
