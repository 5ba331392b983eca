"""Requests that are refused before they are sent."""

from __future__ import annotations

from scrapy.exceptions import IgnoreRequest


class Refused(IgnoreRequest):
    """Raised for a request that must not be sent; `reason` is one of docs/reasons.md."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"not asked: {reason}")
        self.reason = reason
