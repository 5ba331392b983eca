"""What the pages of each pattern of URLs have brought, kept in the SQLite frontier."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from taxocrawl.frontier.base import State
from taxocrawl.frontier.rows import hash_of
from taxocrawl.frontier.traps import (
    BOILERPLATE,
    CALENDAR,
    KNOWN_TEXT,
    PAGINATION,
    SHORTCUT,
    Pattern,
    Yield,
    counts_as_news,
    is_exempt,
    pattern_of,
    spent,
)
from taxocrawl.frontier.urls import canonicalize, host_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Mapping

    from taxocrawl.frontier.base import Outcome
    from taxocrawl.frontier.discovery import Offer

# Reasons of pages whose text is their own, and not an error's or a form's.
_READABLE = ("", "non-taxonomic")


class Worth(NamedTuple):
    """What a page without new links counts for its pattern."""

    by_new_text: bool
    """Whether it is productive when its text is new to its host."""
    by_known_text: int
    """Its weight when the text is not new."""


class Patterns:
    """One row for each pattern and one for each form, written in the caller's transaction.

    Args:
        connection: of the frontier file.
        budget: `taxocrawl.frontier.traps.BUDGET`.
    """

    def __init__(self, connection: sqlite3.Connection, budget: int) -> None:
        self._db = connection
        self._budget = budget

    def refusal(self, url: str, under_way: int = 0) -> str:
        """The kind of a URL's pattern when it is spent; else empty."""
        return self._refusal(url, under_way, self._read)

    def refusals(self, urls: Iterable[str]) -> dict[str, str]:
        """Those of many URLs whose pattern is spent, with its kind."""
        # A page's links are of few patterns.
        read = cache(self._read)
        return {url: kind for url in urls if (kind := self._refusal(url, 0, read))}

    def _refusal(self, url: str, under_way: int, read: Callable[[int], Yield]) -> str:
        if is_exempt(url):
            return ""
        pattern = pattern_of(url)
        past, anywhere = (read(number) for number in pattern_numbers(pattern))
        return pattern.kind if spent(pattern, past, self._budget, under_way, anywhere) else ""

    def settled(self, url: str, outcome: Outcome, *, new_links: int, exported: bool) -> None:
        """Count what a page brought: new links, or a text that neither its host had sent nor a
        page of its form on another.

        Texts that differ in numbers alone are one. A calendar's text is news only where it is a
        document that is exported. Pages that failed say nothing; missing ones speak against their
        pattern, but for lists.
        """
        new_text = self._new_text(url, outcome.template_hash)
        pattern = pattern_of(url)
        worth = worth_of(pattern, outcome, exported=exported)
        if worth is None:
            return
        productive = new_links > 0 or (new_text and worth.by_new_text)
        self._add(pattern, productive=productive, weight=1 if new_text else worth.by_known_text)

    def led_to_known(self, url: str, target: str) -> None:
        """A redirect ended at a page that the frontier had: a shortcut brings nothing."""
        if is_shortcut(url, target):
            self._add(pattern_of(url), productive=False, weight=SHORTCUT)

    def _add(self, pattern: Pattern, *, productive: bool, weight: int) -> None:
        for number in pattern_numbers(pattern):
            past = self._read(number)
            past.add(productive=productive, weight=weight)
            self._db.execute(
                "REPLACE INTO patterns VALUES (?, ?, ?, ?)",
                (number, past.productive, past.barren, past.run),
            )

    def _new_text(self, url: str, template: str) -> bool:
        if not template:
            return False
        numbers = text_numbers(url, template)
        added = self._db.execute(
            "INSERT OR IGNORE INTO texts SELECT value FROM json_each(?)", (json.dumps(numbers),)
        )
        return added.rowcount == len(numbers)

    def _read(self, number: int) -> Yield:
        row = self._db.execute(
            "SELECT productive, barren, run FROM patterns WHERE hash = ?", (number,)
        ).fetchone()
        return Yield(*row) if row else Yield()


def split(
    pattern: Pattern, offers: Mapping[str, Offer]
) -> tuple[dict[str, Offer], dict[str, Offer]]:
    """The links of a page of a pattern that are news when they are new, and the others."""
    news: dict[str, Offer] = {}
    others: dict[str, Offer] = {}
    for key, offer in offers.items():
        (news if counts_as_news(pattern, key) else others)[key] = offer
    return news, others


def worth_of(pattern: Pattern, outcome: Outcome, *, exported: bool) -> Worth | None:
    """What a settled page counts for its pattern; None when it says nothing."""
    if outcome.state is State.GONE:
        counts = pattern.kind != PAGINATION
    else:
        counts = outcome.state is State.DONE and bool(outcome.fetch)
    if not counts:
        return None
    has_text = bool(outcome.template_hash) and pattern.kind != PAGINATION
    return Worth(
        by_new_text=outcome.reason in _READABLE and (exported or pattern.kind != CALENDAR),
        by_known_text=KNOWN_TEXT if has_text else 1,
    )


def is_shortcut(url: str, target: str) -> bool:
    """Whether a redirect to a known page counts against the pattern of the URL it came from."""
    moved = _address(url) != _address(target)
    return moved and pattern_of(url).kind == BOILERPLATE and not is_exempt(url)


def pattern_numbers(pattern: Pattern) -> tuple[int, int]:
    """64 bits that stand for a pattern, and for its form on all hosts together."""
    return hash_of(pattern.key), hash_of(f"* {pattern.form}")


def text_numbers(url: str, template: str) -> tuple[int, int]:
    """64 bits that stand for a text (`Outcome.template_hash`) on a URL's host, and for one on the
    pages of its form anywhere: it is new when neither was there."""
    return hash_of(f"{host_of(url)} {template}"), hash_of(f"{pattern_of(url).form} {template}")


def _address(url: str) -> str:
    """A URL in which moving to https, to ``www`` or to a final slash is no move."""
    return canonicalize(url).partition("://")[2].removeprefix("www.").rstrip("/")
