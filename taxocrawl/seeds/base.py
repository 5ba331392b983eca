"""What every seed provider promises.

Providers never touch the network themselves: they are given a `Fetch`, which the spider backs with
Scrapy's own downloader and the tests with recorded answers.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer as a provider sees it; header names are lower case."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


Fetch = Callable[[str], Awaitable[Answer]]
"""Gets one URL; raises OSError (or a subclass) when there is no answer at all."""

Sleep = Callable[[float], Awaitable[None]]
"""Waits for some seconds without blocking, such as `asyncio.sleep`."""


class Use(IntEnum):
    """What a link leads to; the lowest is used first."""

    NAMED = 0
    """The user asked for this very address."""
    OPEN_PDF = 1
    OPEN_HTML = 2
    LANDING = 3
    UNSTATED = 4
    DOI = 5
    CLOSED = 6
    """A full text behind a paywall."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One hit of a scholarly search that has a usable link."""

    url: str
    title: str
    snippet: str
    doi: str
    rank: int
    """From 1, in the provider's order, counting distinct works with a usable link."""
    provider: str
    query: str
    alternatives: tuple[str, ...] = ()
    """Further links of the same work, best first (for instance the landing page beside the PDF)."""
    uses: tuple[Use, ...] = ()
    """What `url` and each of `alternatives` lead to; empty when not known."""


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What one query brought."""

    results: tuple[SearchResult, ...]
    without_link: int = 0
    """Rows left out because no link of theirs can be fetched."""
    repeats: int = 0
    """Rows joined to an earlier row of the same work."""
    requests: int = 0
    reserves: tuple[SearchResult, ...] = ()
    """Distinct results that came with the answers beyond the limit, in rank order."""
    problem: str = ""
    """One line when a later page failed, so that the results are fewer than there may be."""


class SeedProvider(Protocol):
    """A scholarly search (or a file) that turns a query into seed URLs."""

    name: str
    uses_query: bool
    """False for a provider whose seeds are the same for every query: it is asked once."""

    async def search(self, query: str, limit: int) -> SearchOutcome:
        """At most `limit` (from 1) distinct results in rank order.

        Raises SeedError, naming the provider, when it is down, rate-limited beyond its retries
        or answers something else than expected; after a first good page the results so far are
        returned instead, with the `problem`. Raises ArgumentError for a blank query.
        """
