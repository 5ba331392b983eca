"""The embedded frontier: one SQLite file, held by one process, safe against being killed."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from taxocrawl.exceptions import FrontierError
from taxocrawl.frontier import discovery
from taxocrawl.frontier.addresses import Addresses
from taxocrawl.frontier.base import Candidate, Entry, Outcome, Redirected, Settled, State
from taxocrawl.frontier.database import Database
from taxocrawl.frontier.discovery import offers_of
from taxocrawl.frontier.hosts import Hosts
from taxocrawl.frontier.ledger import Ledger
from taxocrawl.frontier.ordering import page_rank
from taxocrawl.frontier.patterns import Patterns
from taxocrawl.frontier.reading import FrontierReader
from taxocrawl.frontier.schema import (
    IN_FLIGHT,
    KNOWN,
    KNOWN_BY_ITERATION,
    KNOWN_BY_SCORE,
    SELECTED,
)
from taxocrawl.frontier.settling import Settling
from taxocrawl.frontier.tables import Tables
from taxocrawl.frontier.traps import BUDGET
from taxocrawl.frontier.urls import canonicalize
from taxocrawl.frontier.visits import Visits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from taxocrawl.frontier.policy import Limits, Ranked, SelectionPolicy
    from taxocrawl.frontier.revisit import RevisitPolicy

_BATCH = 500
_SELECT = f"""
UPDATE urls SET state = {SELECTED}, iteration = ?, changed_at = ?, rank = json_each.value ->> 1
FROM json_each(?) WHERE urls.id = json_each.value ->> 0 AND urls.state = {KNOWN}
RETURNING host_id
"""


class SqliteFrontier(FrontierReader):
    """`taxocrawl.frontier.base.Frontier` in one SQLite file (and its log beside it).

    Args:
        path: the file; made when it does not exist.
        synchronous: ``NORMAL`` or ``FULL``, see `Database`.
        cache_mib: page cache in MiB; memory does not grow beyond it with the number of URLs.
        trap_budget: pages of a pattern of URLs that may bring nothing new, at least 2.

    Raises:
        FrontierError: the file cannot be opened, see `Database`.
        StorageError: from any method that writes, when the disk is full or cannot be written.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        synchronous: str = "NORMAL",
        cache_mib: int = 32,
        trap_budget: int = BUDGET,
    ) -> None:
        self._database = Database(Path(path), synchronous=synchronous, cache_mib=cache_mib)
        super().__init__(self._database.connection)
        try:
            self._hosts, self._ledger = Hosts(self._db), Ledger(self._db)
            self._tables = Tables(self._db, self._hosts, self._ledger)
            self._patterns = Patterns(self._db, trap_budget)
            self._addresses = Addresses(self._tables)
            self._visits = Visits(self._tables)
            self._settling = Settling(self._tables, self._patterns, self._addresses, self._visits)
        except sqlite3.Error as error:
            self._database.close()
            raise FrontierError(f"{path}: no usable frontier: {error}") from error

    def close(self) -> None:
        self._database.close()

    def push(self, candidates: Iterable[Candidate], iteration: int) -> tuple[int, int]:
        with self._changes():
            offers, refused, repeated = offers_of(candidates, iteration)
            self._ledger.refused(refused)
            new, known = discovery.add(self._tables, offers, iteration)
        return new, known + repeated

    def rescore(self, candidates: Iterable[Candidate]) -> int:
        with self._changes():
            return discovery.rescore(self._tables, candidates)

    def ranked(
        self, *, found_in: int | None = None, found_before: int | None = None
    ) -> Iterator[Ranked]:
        with self._changes() as db:
            if found_in is None:
                db.execute(KNOWN_BY_SCORE)
            if found_in is not None or found_before is not None:
                db.execute(KNOWN_BY_ITERATION)
        return super().ranked(found_in=found_in, found_before=found_before)

    def select(self, policy: SelectionPolicy, iteration: int) -> int:
        chosen = policy.choose(self, iteration)
        hosts: Counter[int] = Counter()
        with self._changes() as db:
            taken = self._ledger.taken(iteration)
            for at in range(0, len(chosen), _BATCH):
                batch = [
                    (entry_id, page_rank(taken + number))
                    for number, entry_id in enumerate(chosen[at : at + _BATCH], at)
                ]
                rows = db.execute(_SELECT, (iteration, time(), json.dumps(batch)))
                hosts.update(row[0] for row in rows)
            self._ledger.moved(KNOWN, SELECTED, hosts.total())
            self._hosts.take(hosts.elements())
            self._hosts.selected_changed(hosts)
            self._hosts.known_changed(hosts)
            if hosts:
                self._ledger.selected(iteration, hosts.total())
        return hosts.total()

    def pop(self, busy_hosts: Collection[str] = ()) -> Entry | None:
        entry_id = self._hosts.best_selected(busy_hosts)
        if entry_id is None:
            return None
        with self._changes():
            row = self._fly(entry_id)
            self._ledger.moved(SELECTED, IN_FLIGHT)
            self._hosts.selected_changed(row)
        return self.entry(entry_id)

    def pop_known(
        self, iteration: int, limits: Limits, busy_hosts: Collection[str] = ()
    ) -> Entry | None:
        with self._changes() as db:
            self._hosts.order_known(limits.max_depth)
            entry_id = self._hosts.best_known(busy_hosts, limits)
            if entry_id is None:
                return None
            rank = page_rank(self._ledger.taken(iteration))
            db.execute(
                "UPDATE urls SET iteration = ?, rank = ? WHERE id = ?", (iteration, rank, entry_id)
            )
            row = self._fly(entry_id)
            self._ledger.moved(KNOWN, IN_FLIGHT)
            self._hosts.take(row)
            self._hosts.known_changed(row)
            self._ledger.selected(iteration, 1)
        return self.entry(entry_id)

    def can_pop_known(self, limits: Limits, busy_hosts: Collection[str] = ()) -> bool:
        with self._changes():
            self._hosts.order_known(limits.max_depth)
        return self._hosts.best_known(busy_hosts, limits) is not None

    def requeue(self, entry_id: int, payload: str) -> None:
        with self._changes() as db:
            row = db.execute(
                f"UPDATE urls SET state = {SELECTED}, payload = ?, changed_at = ?"
                f" WHERE id = ? AND state = {IN_FLIGHT} RETURNING host_id",
                (payload, time(), entry_id),
            ).fetchone()
            if row:
                self._ledger.moved(IN_FLIGHT, SELECTED)
                self._hosts.selected_changed(row)
                self._ledger.event(entry_id, "asked again")

    def redirect(
        self, entry_id: int, url: str, payload: str, fetch: Mapping[str, Any] | None = None
    ) -> Redirected:
        entry = self._in_flight(entry_id)
        with self._changes():
            target = self._addresses.redirect(entry, url, payload)
            if target is None:
                return Redirected(followed=True, target=entry_id)
            self._ledger.fetch(entry_id, fetch)
            self._patterns.led_to_known(entry.key, canonicalize(url))
        return Redirected(followed=False, target=target.id)

    def revisit(self, url: str, iteration: int, payload: str = "") -> bool:
        entry = self.find(url)
        if entry is None:
            return False
        with self._changes():
            self._visits.again(entry, iteration, payload)
        return True

    def plan_visits(self, policy: RevisitPolicy | None) -> None:
        with self._changes():
            self._visits.plan(policy)

    def select_due(self, iteration: int) -> int:
        with self._changes():
            return self._visits.select_due(iteration)

    def settle(self, outcome: Outcome) -> Settled:
        with self._changes():
            return self._settling.settle(outcome)

    def trap(self, url: str, under_way: int = 0) -> str:
        return self._patterns.refusal(url, under_way)

    def trapped(self, urls: Collection[str]) -> dict[str, str]:
        return self._patterns.refusals(urls)

    def recover(self) -> int:
        with self._changes() as db:
            rows = db.execute(
                f"UPDATE urls SET state = {SELECTED} WHERE state = {IN_FLIGHT}"
                " RETURNING id, host_id"
            ).fetchall()
            self._ledger.moved(IN_FLIGHT, SELECTED, len(rows))
            self._hosts.selected_changed(host_id for _, host_id in rows)
            for entry_id, _ in rows:
                self._ledger.event(entry_id, "recovered")
        return len(rows)

    def set_meta(self, name: str, value: Any) -> None:
        with self._changes():
            self._ledger.meta(name, value)

    def add_totals(self, name: str, values: Sequence[float]) -> None:
        with self._changes():
            self._ledger.add_totals(name, values)

    @contextmanager
    def _changes(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._database.transaction() as db:
                yield db
        except BaseException:
            self._hosts.forget()
            raise

    def _in_flight(self, entry_id: int) -> Entry:
        entry = self.entry(entry_id)
        if entry is None or entry.state is not State.IN_FLIGHT:
            raise FrontierError(f"{self._database.path}: entry {entry_id} is not in flight")
        return entry

    def _fly(self, entry_id: int) -> tuple[int]:
        """Move to in flight; return its host's number."""
        row: tuple[int] = self._db.execute(
            f"UPDATE urls SET state = {IN_FLIGHT}, attempts = attempts + 1, changed_at = ?"
            " WHERE id = ? RETURNING host_id",
            (time(), entry_id),
        ).fetchone()
        return row
