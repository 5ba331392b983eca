"""Visits in the SQLite frontier: what a page was when it was had last, and when it is due."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from time import time
from typing import TYPE_CHECKING, NamedTuple

from taxocrawl.frontier.base import State
from taxocrawl.frontier.ordering import page_rank
from taxocrawl.frontier.payload import pack
from taxocrawl.frontier.revisit import Verdict, age, judge
from taxocrawl.frontier.schema import SELECTED, STATES
from taxocrawl.items import NOT_MODIFIED, UNCHANGED

if TYPE_CHECKING:
    from taxocrawl.frontier.base import Entry, Outcome
    from taxocrawl.frontier.revisit import RevisitPolicy, Visit
    from taxocrawl.frontier.tables import Tables

SETTLED = (State.DONE, State.FAILED, State.GONE)
PLANNED_BY = "visits planned by"
"""Meta value: the policy that planned all visits."""
NEVER_DUE = ("alias", "redirect to known")
"""Reasons of entries whose page has another one."""
_BATCH = 500
_DUE = f"""
SELECT v.entry_id, u.state, u.host_id, v.etag, v.last_modified
FROM visits v CROSS JOIN urls u ON u.id = v.entry_id
WHERE v.next_at <= ? AND u.state IN ({", ".join(str(STATES.index(s)) for s in SETTLED)})
ORDER BY v.next_at, v.entry_id LIMIT {_BATCH}
"""
_MAY_BE_DUE = (
    f"u.state IN ({STATES.index(State.DONE)}, {STATES.index(State.FAILED)})"
    f" AND u.reason NOT IN {NEVER_DUE}"
)
_SELECT = f"""
UPDATE urls SET state = {SELECTED}, iteration = ?, payload = ?, reason = '', changed_at = ?,
rank = coalesce(?, rank) WHERE id = ?
"""


class VisitRow(NamedTuple):
    """What is kept of a page that was had."""

    text_hash: str
    etag: str
    last_modified: str
    visited_at: float
    interval: float | None
    """Seconds to the next visit; None before a policy gave it."""
    next_at: float | None
    """None when no further visit is planned."""


class Visited(NamedTuple):
    """What a settled download changes of it."""

    verdict: Verdict
    row: VisitRow
    at: float
    age: float | None
    """See `revisit.age`."""


class Visits:
    """Changes within the caller's transactions.

    Args:
        tables: of the frontier file.
    """

    def __init__(self, tables: Tables) -> None:
        self._db, self._hosts, self._ledger = tables
        self._policy: RevisitPolicy | None = None

    def plan(self, policy: RevisitPolicy | None) -> None:
        """Follow a policy from now on, and plan all visits anew when another one planned them."""
        self._policy = policy
        name = asdict(policy) if policy else None
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (PLANNED_BY,)).fetchone()
        if (json.loads(row[0]) if row else None) != name:
            self._plan_all(policy)
            self._ledger.meta(PLANNED_BY, name)
        if policy is not None:
            # A clock that was ahead when they were planned must not put visits off for ever.
            self._db.execute(
                "UPDATE visits SET next_at = :latest WHERE next_at > :latest",
                {"latest": time() + policy.longest},
            )

    def again(self, entry: Entry, iteration: int, payload: str) -> None:
        """An entry is to be asked for once more, whether it is due or not."""
        if entry.state is State.IN_FLIGHT:
            self._db.execute("UPDATE urls SET again = 1 WHERE id = ?", (entry.id,))
        elif entry.state in SETTLED:
            self._db.execute(_SELECT, (iteration, payload, time(), None, entry.id))
            self._ledger.moved(STATES.index(entry.state), SELECTED)
            self._hosts.selected_changed([self._hosts.id_of(entry.host)])
        self._ledger.event(entry.id, "second visit wanted")

    def select_due(self, iteration: int) -> int:
        """See `Frontier.select_due`."""
        hosts: set[int] = set()
        total, now, taken = 0, time(), self._ledger.taken(iteration)
        while rows := self._db.execute(_DUE, (now,)).fetchall():
            for number, (entry_id, state, host_id, etag, last_modified) in enumerate(rows, total):
                payload = conditional(etag, last_modified)
                rank = page_rank(taken + number)
                self._db.execute(_SELECT, (iteration, payload, now, rank, entry_id))
                self._ledger.moved(state, SELECTED)
                hosts.add(host_id)
            self._db.executemany(
                "UPDATE visits SET next_at = NULL WHERE entry_id = ?", [(row[0],) for row in rows]
            )
            total += len(rows)
        self._hosts.selected_changed(hosts)
        if total:
            self._ledger.selected(iteration, total)
            self._ledger.meta("revisited in", iteration)
        return total

    def settled(self, outcome: Outcome, iteration: int) -> Verdict | None:
        """Note what became of a page; None for a page that was never had, and is not now."""
        row = self._db.execute(
            "SELECT text_hash, etag, last_modified, visited_at, interval, next_at FROM visits"
            " WHERE entry_id = ?",
            (outcome.entry_id,),
        ).fetchone()
        change = visited(VisitRow(*row) if row else None, outcome, self._policy)
        if change is None:
            return None
        if row:
            self._db.execute(
                "INSERT INTO revisits (entry_id, iteration, at, verdict, age)"
                " VALUES (?, ?, ?, ?, ?)",
                (outcome.entry_id, iteration, change.at, change.verdict, change.age),
            )
        self._db.execute(
            "REPLACE INTO visits VALUES (?, ?, ?, ?, ?, ?, ?)", (outcome.entry_id, *change.row)
        )
        return change.verdict

    def _plan_all(self, policy: RevisitPolicy | None) -> None:
        if policy is None:
            self._db.execute("UPDATE visits SET next_at = NULL")
            return
        self._db.execute(
            "UPDATE visits SET next_at ="
            " visited_at + min(max(coalesce(interval, :start), :low), :high)"
            f" WHERE EXISTS (SELECT 1 FROM urls u WHERE u.id = entry_id AND {_MAY_BE_DUE})",
            {"start": policy.start, "low": policy.shortest, "high": policy.longest},
        )


def visited(
    before: VisitRow | None, outcome: Outcome, policy: RevisitPolicy | None
) -> Visited | None:
    """What an outcome says of a page, and what is kept of it; None for a page that was never had,
    and is not now."""
    visit = outcome.visit
    if before is None:
        if visit is None or not visit.text_hash:
            return None
        return Visited(Verdict.FIRST, _row(visit, None, Verdict.FIRST, policy), visit.at, None)
    verdict = judge(before.text_hash, visit, gone=outcome.state is State.GONE)
    at = visit.at if visit else time()
    modified = visit.last_modified if visit else ""
    seconds_old = age(verdict, before.visited_at, at, modified)
    if visit is None:
        # It brought no page: what is known of it stays, a page that is gone is left.
        next_at = None
        if policy and verdict is not Verdict.GONE:
            next_at = time() + policy.interval(before.interval, verdict)
        return Visited(verdict, before._replace(next_at=next_at), at, seconds_old)
    if not visit.text_hash:
        visit = replace(
            visit,
            text_hash=before.text_hash,
            etag=visit.etag or before.etag,
            last_modified=visit.last_modified or before.last_modified,
        )
    return Visited(verdict, _row(visit, before.interval, verdict, policy), at, seconds_old)


def _row(
    visit: Visit, interval: float | None, verdict: Verdict, policy: RevisitPolicy | None
) -> VisitRow:
    seconds = policy.interval(interval, verdict) if policy else interval
    next_at = visit.at + seconds if policy and seconds is not None else None
    return VisitRow(visit.text_hash, visit.etag, visit.last_modified, visit.at, seconds, next_at)


def clock() -> float:
    """The time by which visits are due, seconds since the epoch."""
    return time()


def conditional(etag: str, last_modified: str) -> str:
    """The payload of a request for a page that was had with these headers."""
    headers = {"If-None-Match": etag, "If-Modified-Since": last_modified}
    return pack(
        headers={name: [value] for name, value in headers.items() if value},
        meta={"revisit": True},
    )


def unchanged(outcome: Outcome) -> Outcome:
    """The outcome of a page that is as it was: nothing is exported."""
    reason = NOT_MODIFIED if outcome.reason == NOT_MODIFIED else UNCHANGED
    return replace(outcome, reason=reason, document=None)
