"""What every seed provider promises.

Providers never touch the network themselves: they are given a `Fetch`, which the spider backs with
Scrapy's own downloader and the tests with recorded answers.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer as a provider sees it; header names are lower case."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


Fetch = Callable[[str], Awaitable[Answer]]
"""Gets one URL; raises OSError (or a subclass) when there is no answer at all."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One hit of a scholarly search that has a usable link."""

    url: str
    title: str
    snippet: str
    doi: str
    rank: int
    """From 1, in the provider's order."""
    provider: str
    query: str
    alternatives: tuple[str, ...] = ()
    """Further links of the same work, best first (for instance the landing page beside the PDF)."""


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What one query brought."""

    results: tuple[SearchResult, ...]
    without_link: int = 0
    repeats: int = 0
    requests: int = 0


class SeedProvider(Protocol):
    """A scholarly search (or a file) that turns a query into seed URLs."""

    name: str

    async def search(self, query: str, limit: int) -> SearchOutcome:
        """At most `limit` distinct results in rank order.

        Raises SeedError, naming the provider, when it is down, rate-limited beyond its retries
        or answers something else than expected.
        """
