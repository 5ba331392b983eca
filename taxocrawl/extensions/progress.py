"""A line that shows the crawl moving: rewritten on a terminal, logged now and then elsewhere."""

from __future__ import annotations

import logging
import sys
import time
from typing import TYPE_CHECKING, Self, TextIO, cast

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from taxocrawl.frontier.base import State

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from taxocrawl.scheduler import FrontierScheduler

logger = logging.getLogger(__name__)

_TERMINAL_SECONDS = 1.0
_LOG_SECONDS = 60.0


class ProgressLine:
    """Pages so far, pages a second, documents, iteration, and URLs waiting."""

    def __init__(self, crawler: Crawler, stream: TextIO) -> None:
        self.crawler = crawler
        self.stream = stream
        self.terminal = stream.isatty()
        self.started = time.monotonic()
        self.call = create_looping_call(self.show)
        crawler.signals.connect(self.opened, signal=signals.spider_opened)
        crawler.signals.connect(self.closed, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.getbool("PROGRESS_ENABLED"):
            raise NotConfigured
        return cls(crawler, sys.stderr)

    def opened(self) -> None:
        self.started = time.monotonic()
        self.call.start(_TERMINAL_SECONDS if self.terminal else _LOG_SECONDS, now=False)

    def closed(self) -> None:
        if self.call.running:
            self.call.stop()
        if self.terminal:
            self.stream.write("\n")

    def show(self) -> None:
        """Write the line."""
        line = self.line()
        if self.terminal:
            self.stream.write(f"\r\x1b[K{line}")
            self.stream.flush()
        else:
            logger.info("%s", line)

    def line(self) -> str:
        """The line as it would be shown now."""
        stats = self.crawler.stats
        scheduler = cast("FrontierScheduler", self.crawler.engine.scheduler)
        pages = stats.get_value("pages/count", 0)
        documents = stats.get_value("export/documents", 0)
        counts = scheduler.frontier.counts()
        rate = pages / max(1e-9, time.monotonic() - self.started)
        return (
            f"iteration {scheduler.iteration}: "
            f"{pages} pages ({rate:.1f}/s), {documents} documents, "
            f"{counts[State.SELECTED]} selected, {counts[State.KNOWN]} known"
        )
