"""Asks each host once for an address that cannot exist, to know its error pages with status 200."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from scrapy import Request

from taxocrawl.documents.soft404 import SoftNotFound

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from taxocrawl.scheduler import FrontierScheduler

logger = logging.getLogger(__name__)

_WAIT = 0.1
"""Seconds between two looks whether another worker has its answer."""


class SoftNotFoundProbes:
    """What the hosts answer is kept in the frontier: a host is asked once in a crawl, whichever
    worker asks, and however often the crawl is interrupted.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.not_found = SoftNotFound()
        self._crawler = crawler
        self._learning: dict[str, asyncio.Task[None]] = {}

    async def learn(self, url: str) -> None:
        """Return when it is known how the URL's host answers, or that it does not."""
        host = urlsplit(url).netloc.lower()
        if host not in self._learning:
            self._learning[host] = asyncio.ensure_future(self._learn(host, url))
        await asyncio.shield(self._learning[host])

    async def _learn(self, host: str, url: str) -> None:
        scheduler = cast("FrontierScheduler", self._crawler.engine.scheduler)
        name = f"soft 404 {host}"
        while (known := scheduler.frontier.get_meta(name)) is None:
            if not scheduler.elect(name):
                await asyncio.sleep(_WAIT)
                continue
            try:
                # Another worker may have learned it before this one was elected.
                if scheduler.frontier.get_meta(name) is None:
                    await self._ask(url)
                    scheduler.frontier.set_meta(name, self.not_found.state(url))
            finally:
                scheduler.resign(name)
        self.not_found.restore(url, known)

    async def _ask(self, url: str) -> None:
        address = self.not_found.probe_url(url)
        request = Request(address, meta={"probe": True, "dont_retry": True}, dont_filter=True)
        self._crawler.stats.inc_value("documents/probes")
        try:
            answer = await self._crawler.engine.download_async(request)
        except Exception as error:  # whatever a download can raise: then the host has no known page
            logger.debug("no answer to the probe %s: %r", address, error)
            return
        self.not_found.learn(address, answer.status, answer.url, answer.body)
