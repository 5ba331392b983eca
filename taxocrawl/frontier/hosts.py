"""The hosts of the SQLite frontier: how much was taken of each, and the best URL of each."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from taxocrawl.frontier.schema import KNOWN, KNOWN_BY_HOST, KNOWN_ORDER, SELECTED

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable

    from taxocrawl.frontier.policy import Limits

_CACHE_SIZE = 50_000

_REFRESH_SELECTED = f"""
UPDATE hosts SET (next_score, next_place, next_id) = (
    SELECT score, place, id FROM urls WHERE state = {SELECTED} AND host_id = hosts.id
    ORDER BY score DESC, place, id LIMIT 1)
"""
_REFRESH_KNOWN = f"""
UPDATE hosts SET (known_score, known_place, known_id) = (
    SELECT score, place, id FROM urls
    WHERE state = {KNOWN} AND host_id = hosts.id AND depth <= :depth
    ORDER BY score DESC, place, id LIMIT 1)
"""
_ANY_DEPTH = 2**62


class Hosts:
    """Keeps, within the caller's transactions, each host's best URL up to date.

    Args:
        connection: of the frontier file.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._ids: dict[str, int] = {}
        row = connection.execute("SELECT value FROM meta WHERE name = ?", (KNOWN_ORDER,)).fetchone()
        self._known_depth: int | None = json.loads(row[0]) if row else None

    def id_of(self, host: str) -> int:
        """The host's number; a new host gets one."""
        if (number := self._ids.get(host)) is not None:
            return number
        found = self._db.execute("SELECT id FROM hosts WHERE host = ?", (host,)).fetchone()
        if found is None:
            found = self._db.execute(
                "INSERT INTO hosts (host) VALUES (?) RETURNING id", (host,)
            ).fetchone()
        if len(self._ids) >= _CACHE_SIZE:
            self._ids.clear()
        self._ids[host] = number = int(found[0])
        return number

    def forget(self) -> None:
        """Drop what was remembered of a transaction that was rolled back."""
        self._ids.clear()

    def take(self, numbers: Iterable[int], count: int = 1) -> None:
        """Count URLs of hosts as taken (or, with -1, as given back)."""
        self._db.executemany(
            "UPDATE hosts SET taken = taken + ? WHERE id = ?",
            [(times * count, number) for number, times in Counter(numbers).items()],
        )

    def selected_changed(self, numbers: Iterable[int]) -> None:
        """The set of selected URLs of these hosts has changed."""
        self._db.executemany(f"{_REFRESH_SELECTED} WHERE id = ?", [(n,) for n in set(numbers)])

    def known_changed(self, numbers: Iterable[int]) -> None:
        """The set of known URLs of these hosts has changed."""
        if self._known_depth is not None:
            self._db.executemany(
                f"{_REFRESH_KNOWN} WHERE id = :id",
                [{"depth": self._known_depth, "id": n} for n in set(numbers)],
            )

    def best_selected(self, busy: Collection[str]) -> int | None:
        """Id of the best selected URL of a host that is not busy."""
        row = self._db.execute(
            "SELECT next_id FROM hosts WHERE next_id IS NOT NULL"
            " AND host NOT IN (SELECT value FROM json_each(?))"
            " ORDER BY next_score DESC, next_place, next_id LIMIT 1",
            (json.dumps(list(busy)),),
        ).fetchone()
        return int(row[0]) if row else None

    def best_known(self, busy: Collection[str], limits: Limits) -> int | None:
        """Id of the best known URL within the limits of a host that is not busy."""
        row = self._db.execute(
            "SELECT known_id FROM hosts WHERE known_id IS NOT NULL AND taken < ?"
            " AND host NOT IN (SELECT value FROM json_each(?))"
            " ORDER BY known_score DESC, known_place, known_id LIMIT 1",
            (
                _ANY_DEPTH if limits.max_pages_per_host is None else limits.max_pages_per_host,
                json.dumps(list(busy)),
            ),
        ).fetchone()
        return int(row[0]) if row else None

    def order_known(self, max_depth: int | None) -> None:
        """From now on keep each host's best known URL of at most this depth (built once)."""
        depth = _ANY_DEPTH if max_depth is None else max_depth
        if depth == self._known_depth:
            return
        for statement in KNOWN_BY_HOST:
            self._db.execute(statement)
        self._db.execute(_REFRESH_KNOWN, {"depth": depth})
        self._db.execute("REPLACE INTO meta VALUES (?, ?)", (KNOWN_ORDER, json.dumps(depth)))
        self._known_depth = depth
