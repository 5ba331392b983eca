"""What is written when a page of the SQLite frontier is settled, in the caller's transaction."""

from __future__ import annotations

from collections import Counter
from time import time
from typing import TYPE_CHECKING

from taxocrawl.exceptions import FrontierError
from taxocrawl.frontier import discovery
from taxocrawl.frontier.base import Settled
from taxocrawl.frontier.copies import DUPLICATE, SqliteCopies
from taxocrawl.frontier.discovery import offers_of
from taxocrawl.frontier.patterns import split
from taxocrawl.frontier.revisit import Verdict
from taxocrawl.frontier.schema import IN_FLIGHT, SELECTED, STATES
from taxocrawl.frontier.traps import pattern_of
from taxocrawl.frontier.visits import SETTLED, unchanged

if TYPE_CHECKING:
    from taxocrawl.frontier.addresses import Addresses
    from taxocrawl.frontier.base import Outcome
    from taxocrawl.frontier.patterns import Patterns
    from taxocrawl.frontier.tables import Tables
    from taxocrawl.frontier.visits import Visits


class Settling:
    """Moves a page's state, and all that came along, to where each belongs.

    Args:
        tables: of the frontier file.
        patterns: told of what the page brought.
        addresses: told of the page's other URLs.
        visits: told of the page's content.
    """

    def __init__(
        self, tables: Tables, patterns: Patterns, addresses: Addresses, visits: Visits
    ) -> None:
        self._tables = tables
        self._db, self._hosts, self._ledger = tables
        self._patterns, self._addresses, self._visits = patterns, addresses, visits
        self._copies = SqliteCopies(self._db, self._ledger)

    def settle(self, outcome: Outcome) -> Settled:
        """See `Frontier.settle`. Raises FrontierError for an id that no entry has."""
        if outcome.state not in SETTLED:
            raise ValueError(f"state {outcome.state!r}: expected done, failed or gone")
        row = self._db.execute(
            "SELECT state, iteration, rank, again, host_id, coalesce(key, url) FROM urls"
            " WHERE id = ?",
            (outcome.entry_id,),
        ).fetchone()
        if row is None:
            raise FrontierError(f"no entry {outcome.entry_id} in the frontier")
        state, iteration, rank, wanted_again, host_id, key = row
        if state != IN_FLIGHT:
            return Settled(0, 0, exported=False, reason=outcome.reason)
        fetch_seq = self._ledger.fetch(outcome.entry_id, outcome.fetch)
        verdict = self._visits.settled(outcome, iteration)
        if verdict is Verdict.UNCHANGED and self._is_old(outcome):
            outcome = unchanged(outcome)
            self._ledger.fetch_reason(fetch_seq, outcome.reason)
        added = self._copies.add(outcome, fetch_seq)
        reason = outcome.reason or (DUPLICATE if added.duplicate_of else "")
        self._move(outcome, reason, again=bool(wanted_again), host_id=host_id)
        for alias in outcome.aliases:
            self._addresses.alias(outcome.entry_id, alias)
        offers, refused, repeated = offers_of(outcome.links, iteration, rank)
        self._ledger.refused(refused + Counter(outcome.refused))
        news, others = split(pattern_of(key), offers)
        new, known = discovery.add(self._tables, news, iteration)
        if verdict in (None, Verdict.FIRST):
            original = added.exported and not added.superseded
            self._patterns.settled(key, outcome, new_links=new, exported=original)
            for name, values in outcome.totals.items():
                self._ledger.add_totals(name, values)
        more, again = discovery.add(self._tables, others, iteration)
        return Settled(
            new_links=new + more,
            known_links=known + again + repeated,
            exported=added.exported,
            reason=reason,
            duplicate_of=added.duplicate_of,
            superseded=added.superseded,
            verdict=verdict,
        )

    def _move(self, outcome: Outcome, reason: str, *, again: bool, host_id: int) -> None:
        after = SELECTED if again else STATES.index(outcome.state)
        self._db.execute(
            "UPDATE urls SET state = ?, reason = ?, payload = '', again = 0, changed_at = ?"
            " WHERE id = ?",
            (after, reason, time(), outcome.entry_id),
        )
        self._ledger.moved(IN_FLIGHT, after)
        if again:
            self._hosts.selected_changed([host_id])

    def _is_old(self, outcome: Outcome) -> bool:
        """Whether the document of an unchanged page, if it is any, was there before."""
        return outcome.document is None or self._copies.has_document(outcome.entry_id)
