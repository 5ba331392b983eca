"""Putting together all that one page changes."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from taxocrawl.frontier.base import Settled
from taxocrawl.frontier.copies import DUPLICATE, Added
from taxocrawl.frontier.discovery import offers_of
from taxocrawl.frontier.patterns import pattern_numbers, split, text_numbers, worth_of
from taxocrawl.frontier.redis.commands import Commands
from taxocrawl.frontier.redis.copies import RedisCopies
from taxocrawl.frontier.redis.links import digest, link_arguments
from taxocrawl.frontier.revisit import Verdict
from taxocrawl.frontier.rows import to_json
from taxocrawl.frontier.schema import STATES
from taxocrawl.frontier.traps import pattern_of
from taxocrawl.frontier.urls import canonicalize
from taxocrawl.frontier.visits import unchanged

if TYPE_CHECKING:
    from taxocrawl.frontier.base import Outcome
    from taxocrawl.frontier.redis.client import Client
    from taxocrawl.frontier.redis.commands import Argument
    from taxocrawl.frontier.redis.visits import RedisVisits
    from taxocrawl.frontier.redis.workers import Lease


class Settlement:
    """One outcome, judged on what the frontier holds now.

    Args:
        client: of the crawl.
        visits: judge second visits.
        lease: of the entry.
        outcome: of the entry.
    """

    def __init__(self, client: Client, visits: RedisVisits, lease: Lease, outcome: Outcome) -> None:
        self._client = client
        self._lease = lease
        self._commands = Commands()
        self._offered = 0
        self._verdict = visits.settled(
            outcome, lease.visit, lease.entry.iteration or 0, self._commands
        )
        has_document = outcome.document is not None
        copies = RedisCopies(client, self._commands, outcome) if has_document else None
        is_old = copies is None or copies.has_document(outcome.entry_id)
        if self._verdict is Verdict.UNCHANGED and is_old:
            outcome, copies = unchanged(outcome), None
        self._copies = copies
        self._added = copies.add(outcome) if copies else Added()
        self._outcome = outcome
        self._reason = outcome.reason or (DUPLICATE if self._added.duplicate_of else "")

    def commit(self, worker: str) -> Settled | None:
        """Write all of it; None when another worker added a document meanwhile."""
        outcome, added = self._outcome, self._added
        rest = self._rest()
        reply = self._client.run(
            "settle",
            *(outcome.entry_id, self._lease.token, worker, STATES.index(outcome.state)),
            *(self._reason, repr(time.time()), self._copies.version if self._copies else ""),
            *(self._fetch(), self._copies.number if self._copies else ""),
            *self._commands.arguments(),
            *rest,
        )
        if reply[0] == b"conflict":
            return None
        if reply[0] == b"late":
            return Settled(0, 0, exported=False, reason=outcome.reason)
        new = int(reply[1]) + int(reply[2])
        return Settled(
            new_links=new,
            known_links=self._offered - new,
            exported=added.exported,
            reason=self._reason,
            duplicate_of=added.duplicate_of,
            superseded=added.superseded,
            verdict=self._verdict,
        )

    def _fetch(self) -> str:
        if not self._outcome.fetch:
            return ""
        record = dict(self._outcome.fetch)
        if self._copies and self._copies.own_reason:
            record["reason"] = self._copies.own_reason
        elif self._verdict is Verdict.UNCHANGED and self._outcome.document is None:
            record["reason"] = self._reason
        return to_json(record)

    def _rest(self) -> list[Argument]:
        """Aliases, links and what they count for the pattern."""
        outcome, added = self._outcome, self._added
        key = self._lease.entry.key
        is_first = self._verdict in (None, Verdict.FIRST)
        flat: list[Argument] = [len(outcome.aliases)]
        for alias in outcome.aliases:
            canonical = canonicalize(alias)
            flat += (digest(canonical), canonical)
        if is_first:
            for name, values in outcome.totals.items():
                self._commands.totals(name, values)
        pattern = pattern_of(key)
        entry = self._lease.entry
        offers, refused, repeated = offers_of(outcome.links, entry.iteration or 0, self._lease.rank)
        self._offered = len(offers) + repeated
        self._commands.refused(refused + Counter(outcome.refused))
        news, others = split(pattern, offers)
        original = added.exported and not added.superseded
        worth = worth_of(pattern, outcome, exported=original)
        texts = text_numbers(key, outcome.template_hash) if outcome.template_hash else ()
        flat += (int(is_first), *link_arguments(news), len(texts), *texts)
        counted = pattern_numbers(pattern) if worth else ()
        flat += (len(counted), *counted)
        flat += (int(worth.by_new_text), worth.by_known_text) if worth else (0, 1)
        return [*flat, *link_arguments(others)]
