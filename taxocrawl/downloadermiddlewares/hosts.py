"""Tells how hosts answer: next to the downloader, so that retries see a host already resting."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
)

from taxocrawl.downloadermiddlewares.politeness import Politeness
from taxocrawl.downloadermiddlewares.refusals import Refused
from taxocrawl.frontier.urls import host_of
from taxocrawl.seeds.polite import retry_after

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

SILENCES = (CannotResolveHostError, DownloadConnectionRefusedError, DownloadTimeoutError)
"""What the downloader raises when nobody answers at all."""

_PARKED = "host parked"
# Times that a URL may meet a host's request to wait before the URL itself is taken for the cause;
# fewer than park the host, so that one broken page does not park it.
_SPARED = 2


class HostMiddleware:
    """Reports answers and failures to `Politeness`, and refuses requests to hosts given up."""

    def __init__(self, crawler: Crawler, politeness: Politeness) -> None:
        self.politeness = politeness
        settings = crawler.settings
        self._waits = max(
            settings.getint("RETRY_TIMES"), settings.getint("HOST_FAILURES_MAX") - _SPARED
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler, Politeness.from_crawler(crawler))

    def process_request(self, request: Request) -> None:
        """Raise Refused for a host that is given up; put any other in its host's slot."""
        if reason := self.politeness.given_up(request.url):
            raise Refused(reason)
        # A redirect that is followed outside the frontier still has the slot of the first host.
        request.meta["download_slot"] = host_of(request.url)

    def process_response(self, request: Request, response: Response) -> Response:
        """Report an answer. One that says when to come back does not count against its URL."""
        if request.meta.get("search") or request.meta.get("robots"):
            return response
        if not is_failure(response.status):
            self.politeness.answered(request.url)
            return response
        wait = asked_wait(response)
        if wait is not None:
            request.meta["max_retry_times"] = self._waits
        self.politeness.failed(request.url, _PARKED, asked_wait=wait)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Report that there was no answer, or one that broke off."""
        if request.meta.get("search") or request.meta.get("robots"):
            return
        if isinstance(exception, (*SILENCES, DownloadFailedError)):
            silent = isinstance(exception, SILENCES)
            self.politeness.failed(request.url, _PARKED, silent=silent)


def is_failure(status: int) -> bool:
    """Whether a status says that the host cannot answer now: 429 and 5xx."""
    return status == 429 or 500 <= status <= 599


def asked_wait(response: Response) -> float | None:
    """Seconds to wait by the Retry-After of a 429 or 503; None when there is none."""
    if response.status not in (429, 503):
        return None
    headers = {
        name.lower(): (response.headers.get(name) or b"").decode("latin-1")
        for name in ("Retry-After", "Date")
    }
    return retry_after(headers, time.time())
