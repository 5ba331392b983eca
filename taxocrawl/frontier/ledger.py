"""What the SQLite frontier writes down of a change, within the caller's transaction."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING, Any

from taxocrawl.frontier.rows import hash_of, to_json
from taxocrawl.frontier.schema import STATES

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping


class Ledger:
    """Counters, fetch and document records, aliases, events and meta values.

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

    def fetch(self, entry_id: int, record: Mapping[str, Any] | None) -> None:
        """Add a fetch record, unless it is empty."""
        if record:
            self._db.execute(
                "INSERT INTO fetches (entry_id, record) VALUES (?, ?)", (entry_id, to_json(record))
            )
            self.shift("fetches", 1)

    def document(self, entry_id: int, record: Mapping[str, Any] | None) -> bool:
        """Add a document record; False when there is none, or its content was there before."""
        if record is None:
            return False
        new = self._db.execute(
            "INSERT OR IGNORE INTO documents (entry_id, content_hash, record) VALUES (?, ?, ?)",
            (entry_id, record["content_hash"], to_json(record)),
        ).rowcount
        self.shift("documents", new)
        return new == 1

    def alias(self, key: str, entry_id: int) -> None:
        """A canonical URL leads to an entry."""
        self._db.execute(
            "INSERT OR IGNORE INTO aliases VALUES (?, ?, ?)", (hash_of(key), key, entry_id)
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

    def selected(self, iteration: int, count: int) -> None:
        """So many URLs were selected for an iteration, which is now the one under way."""
        row = self._db.execute(
            "SELECT t.value FROM meta i JOIN meta t ON t.name = 'iteration taken'"
            " WHERE i.name = 'iteration' AND i.value = ?",
            (to_json(iteration),),
        ).fetchone()
        self.meta("iteration", iteration)
        self.meta("iteration taken", count + (int(row[0]) if row else 0))
