"""What the SQLite frontier writes down of a change, within the caller's transaction."""

from __future__ import annotations

import json
import math
from time import time
from typing import TYPE_CHECKING, Any

from taxocrawl.frontier.rows import hash_of, to_json
from taxocrawl.frontier.schema import STATES

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence


def totals_name(name: str) -> str:
    """Name of the meta value that holds running totals."""
    return f"totals {name}"


class Ledger:
    """Counters, fetch records, aliases, events and meta values.

    Args:
        connection: of the frontier file.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def shift(self, name: str, by: int) -> None:
        """Change a counter."""
        if by:
            self._db.execute("UPDATE counts SET n = n + ? WHERE name = ?", (by, name))

    def moved(self, before: int, after: int, count: int = 1) -> None:
        """So many URLs went from one state to another."""
        self.shift(STATES[before], -count)
        self.shift(STATES[after], count)

    def fetch(self, entry_id: int, record: Mapping[str, Any] | None) -> int | None:
        """Add a fetch record and return its number, unless it is empty."""
        if not record:
            return None
        cursor = self._db.execute(
            "INSERT INTO fetches (entry_id, record) VALUES (?, ?)", (entry_id, to_json(record))
        )
        self.shift("fetches", 1)
        self.shift("downloads", int(record.get("status") is not None))
        return cursor.lastrowid

    def fetch_reason(self, seq: int | None, reason: str) -> None:
        """Give a fetch record another reason."""
        row = self._db.execute("SELECT record FROM fetches WHERE seq = ?", (seq,)).fetchone()
        if row:
            record = {**json.loads(row[0]), "reason": reason}
            self._db.execute("UPDATE fetches SET record = ? WHERE seq = ?", (to_json(record), seq))

    def alias(self, key: str, entry_id: int) -> None:
        """A canonical URL leads to an entry."""
        self._db.execute(
            "INSERT OR IGNORE INTO aliases VALUES (?, ?, ?)", (hash_of(key), key, entry_id)
        )

    def refused(self, reasons: Mapping[str, int]) -> None:
        """Count URLs that are not followed."""
        self._db.executemany(
            "INSERT INTO refusals VALUES (?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
            list(reasons.items()),
        )

    def event(self, entry_id: int, kind: str, **detail: Any) -> None:
        """Something out of the ordinary happened to an entry."""
        self._db.execute(
            "INSERT INTO events (at, entry_id, kind, detail) VALUES (?, ?, ?, ?)",
            (time(), entry_id, kind, to_json(detail)),
        )

    def meta(self, name: str, value: Any) -> None:
        """Set a meta value."""
        self._db.execute("REPLACE INTO meta VALUES (?, ?)", (name, to_json(value)))

    def add_totals(self, name: str, values: Sequence[float]) -> None:
        """Add to the running totals of a name; see `Frontier.add_totals`."""
        if not all(map(math.isfinite, values)):
            raise ValueError(f"totals {name!r}: expected finite numbers, not {list(values)}")
        row = self._db.execute(
            "SELECT value FROM meta WHERE name = ?", (totals_name(name),)
        ).fetchone()
        before = json.loads(row[0]) if row else [0.0] * len(values)
        if len(before) != len(values):
            raise ValueError(f"totals {name!r}: {len(values)} values for {len(before)} totals")
        self.meta(totals_name(name), [a + b for a, b in zip(before, values, strict=True)])

    def selected(self, iteration: int, count: int) -> None:
        """So many URLs were selected for an iteration, which is now the one under way."""
        count += self.taken(iteration)
        self.meta("iteration", iteration)
        self.meta("iteration taken", count)

    def taken(self, iteration: int) -> int:
        """Number of URLs that were selected for an iteration so far; 0 for one that is over."""
        row = self._db.execute(
            "SELECT t.value FROM meta i JOIN meta t ON t.name = 'iteration taken'"
            " WHERE i.name = 'iteration' AND i.value = ?",
            (to_json(iteration),),
        ).fetchone()
        return int(row[0]) if row else 0
