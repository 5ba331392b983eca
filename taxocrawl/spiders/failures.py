"""Why a request ended without a document, in the fixed words of docs/reasons.md."""

from __future__ import annotations

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)
from twisted.internet.error import ConnectError, ConnectionClosed

from taxocrawl.downloadermiddlewares.compression import UndecodableError
from taxocrawl.downloadermiddlewares.refusals import Refused

PROGRAM_ERROR = "program error"

_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (DownloadTimeoutError, "timeout"),
    (CannotResolveHostError, "host not found"),
    (DownloadConnectionRefusedError, "connection refused"),
    (ResponseDataLossError, "truncated"),
    (DownloadCancelledError, "too large"),
    (UnsupportedURLSchemeError, "scheme"),
    (UndecodableError, "undecodable"),
    (DownloadFailedError, "connection lost"),
    (ConnectError, "connection lost"),
    (ConnectionClosed, "connection lost"),
    (OSError, "connection lost"),
)


def reason_of(error: BaseException) -> str:
    """The reason for a request that failed with an exception; `PROGRAM_ERROR` for an unknown one.

    An unknown one is no fault of a host: whoever asks has to log it.
    """
    if isinstance(error, Refused):
        return error.reason
    if isinstance(error, IgnoreRequest):
        text = str(error).lower()
        if "maxsize" in text:
            return "too large"
        return "redirect loop" if "redirect" in text else "ignored"
    for kind, reason in _REASONS:
        if isinstance(error, kind):
            return reason
    return PROGRAM_ERROR


def reason_of_status(status: int) -> str:
    """The reason for an answer with another status than 200."""
    return f"http {status}"
