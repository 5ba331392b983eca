"""Keeps page texts and bodies out of the log."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy.logformatter import LogFormatter, LogFormatterResult

from taxocrawl.items import Page

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.http import Response
    from twisted.python.failure import Failure


class QuietLogFormatter(LogFormatter):
    """One short line a page, at debug level; Scrapy's default would print the whole item."""

    def scraped(
        self, item: Any, response: Response | Failure | None, spider: Spider
    ) -> LogFormatterResult:
        """Name the page and what became of it."""
        if not isinstance(item, Page):
            return super().scraped(item, response, spider)
        return self._line(item)

    def dropped(
        self, item: Any, exception: BaseException, response: Any, spider: Spider
    ) -> LogFormatterResult:
        """Name the page; why it was dropped was said once, when the crawl was given up."""
        if not isinstance(item, Page):
            return super().dropped(item, exception, response, spider)
        return self._line(item)

    @staticmethod
    def _line(item: Page) -> LogFormatterResult:
        return {
            "level": logging.DEBUG,
            "msg": "%(state)s %(url)s%(reason)s",
            "args": {
                "state": item.state,
                "url": item.url,
                "reason": f" ({item.reason})" if item.reason else "",
            },
        }
