from __future__ import annotations

import pytest
from scrapy.exceptions import DownloadFailedError, DownloadTimeoutError, IgnoreRequest
from twisted.internet.error import ConnectError, ConnectionDone, ConnectionLost

from taxocrawl.downloadermiddlewares.compression import UndecodableError
from taxocrawl.downloadermiddlewares.refusals import Refused
from taxocrawl.spiders.failures import reason_of


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (DownloadTimeoutError("60 s"), "timeout"),
        (DownloadFailedError("broke off"), "connection lost"),
        (ConnectError(osError=113), "connection lost"),
        (ConnectionLost(), "connection lost"),
        (ConnectionDone(), "connection lost"),
        (ConnectionResetError(), "connection lost"),
        (UndecodableError("no gzip"), "undecodable"),
        (Refused("robots.txt"), "robots.txt"),
        (IgnoreRequest("larger than maxsize"), "too large"),
        (IgnoreRequest("max redirections reached"), "redirect loop"),
        (ValueError("Invalid IPv6 URL"), "program error"),
        (KeyError("frontier_id"), "program error"),
        (AssertionError(), "program error"),
    ],
)
def test_each_failure_has_its_reason(error: Exception, reason: str) -> None:
    assert reason_of(error) == reason
