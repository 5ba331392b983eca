"""What can be asked of a frontier file, also of one that a crawl is writing."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Any

from taxocrawl.exceptions import FrontierError
from taxocrawl.frontier import schema
from taxocrawl.frontier.base import Entry, State
from taxocrawl.frontier.discovery import locate
from taxocrawl.frontier.ledger import totals_name
from taxocrawl.frontier.patterns import Patterns
from taxocrawl.frontier.policy import Ranked
from taxocrawl.frontier.politeness import RESTS
from taxocrawl.frontier.revisit import RevisitFigures
from taxocrawl.frontier.rows import ENTRY, entry_of
from taxocrawl.frontier.schema import IN_FLIGHT, KNOWN, SELECTED, STATES
from taxocrawl.frontier.traps import BUDGET
from taxocrawl.frontier.urls import canonicalize

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BATCH = 500
_MAX_REFERRERS = 50
_RANKED = (
    "SELECT u.id, u.score, h.host, u.depth, u.found_in FROM urls u"
    f" CROSS JOIN hosts h ON h.id = u.host_id WHERE u.state = {KNOWN} {{found}}"
    " ORDER BY u.score DESC, u.place, u.id"
)


class FrontierReader:
    """The questions; a reader never changes the file.

    Args:
        connection: to a frontier file, in autocommit mode.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def close(self) -> None:
        self._db.close()

    def count(self, state: State) -> int:
        return self._counter(state)

    def counts(self) -> dict[State, int]:
        rows: dict[str, int] = dict(self._db.execute("SELECT name, n FROM counts").fetchall())
        return {state: rows[state] for state in State}

    def fetched(self) -> int:
        return self._counter("fetches")

    def downloaded(self) -> int:
        return self._counter("downloads")

    def exported(self) -> int:
        """Number of document records."""
        return self._counter("documents")

    def refusals(self) -> dict[str, int]:
        return dict(self._db.execute("SELECT reason, n FROM refusals ORDER BY reason").fetchall())

    def outstanding(self) -> dict[int, int]:
        rows = self._db.execute(
            "SELECT iteration, COUNT(*) FROM urls INDEXED BY urls_pending"
            f" WHERE state IN ({SELECTED}, {IN_FLIGHT}) GROUP BY iteration"
        )
        return dict(rows.fetchall())

    def taken(self, host: str) -> int:
        row = self._db.execute("SELECT taken FROM hosts WHERE host = ?", (host,)).fetchone()
        return int(row[0]) if row else 0

    def hosts(self) -> Iterator[tuple[str, int]]:
        """Each host with the number of its URLs that were selected, most first."""
        yield from self._db.execute("SELECT host, taken FROM hosts ORDER BY taken DESC, id")

    def host_states(self) -> Iterator[tuple[str, int, dict[State, int]]]:
        """Each host with the number of its URLs that were selected and those in each state, most
        first. Reads the whole table."""
        states: dict[str, dict[State, int]] = {}
        for host, state, number in self._db.execute(
            "SELECT h.host, u.state, COUNT(*) FROM urls u JOIN hosts h ON h.id = u.host_id"
            " GROUP BY u.host_id, u.state"
        ):
            states.setdefault(host, {})[STATES[state]] = number
        for host, taken in self.hosts():
            yield host, taken, states.get(host, {})

    def ahead(self, entry: Entry) -> int:
        """Number of URLs that wait in an entry's state and go out before it."""
        row = self._db.execute(
            "SELECT COUNT(*) FROM urls u JOIN urls e ON e.id = ? WHERE u.state = e.state AND"
            " (u.score > e.score OR u.score = e.score AND (u.place, u.id) < (e.place, e.id))",
            (entry.id,),
        ).fetchone()
        return int(row[0])

    def trap(self, url: str, under_way: int = 0) -> str:
        return Patterns(self._db, BUDGET).refusal(url, under_way)

    def ranked(
        self, *, found_in: int | None = None, found_before: int | None = None
    ) -> Iterator[Ranked]:
        found = ""
        if found_in is not None:
            found = "AND u.found_in = :found"
        elif found_before is not None:
            if not self._anything_found_before(found_before):
                return
            # Best first, passing over what the last iteration found in the index alone; the plus
            # keeps SQLite from collecting and sorting all that is older.
            found = "AND +u.found_in < :found"
        statement = _RANKED.format(found=found)
        bound = found_before if found_in is None else found_in
        with closing(self._db.execute(statement, {"found": bound})) as rows:
            for row in rows:
                yield Ranked(*row)

    def best_known(
        self,
        limit: int | None = None,
        *,
        found_in: int | None = None,
        found_before: int | None = None,
    ) -> list[Entry]:
        best = self.ranked(found_in=found_in, found_before=found_before)
        return [entry for known in islice(best, limit) if (entry := self.entry(known.id))]

    def entry(self, entry_id: int) -> Entry | None:
        row = self._db.execute(f"{ENTRY} WHERE u.id = ?", (entry_id,)).fetchone()
        return entry_of(row) if row else None

    def entries(self, state: State | None = None) -> Iterator[Entry]:
        """All entries (of a state) in the order of discovery. Reads the whole table."""
        last = 0
        while rows := self._db.execute(
            f"{ENTRY} WHERE u.id > ? ORDER BY u.id LIMIT {_BATCH}", (last,)
        ).fetchall():
            last = rows[-1][0]
            for row in rows:
                entry = entry_of(row)
                if state is None or entry.state is state:
                    yield entry

    def find(self, url: str) -> Entry | None:
        key = canonicalize(url)
        located = locate(self._db, [key]).get(key)
        return self.entry(located.id) if located else None

    def exported_as(self, content_hash: str) -> str | None:
        row = self._db.execute(
            "SELECT u.url FROM documents d JOIN urls u ON u.id = d.entry_id"
            " WHERE d.content_hash = ? AND d.superseded_by IS NULL",
            (content_hash,),
        ).fetchone()
        return row[0] if row else None

    def why(self, url: str) -> dict[str, Any] | None:
        entry = self.find(url)
        if entry is None:
            return None
        fields: dict[str, Any] = {name: getattr(entry, name) for name in Entry.__slots__}
        aliases = self._db.execute("SELECT url FROM aliases WHERE entry_id = ?", (entry.id,))
        events = self._db.execute(
            "SELECT at, kind, detail FROM events WHERE entry_id = ? ORDER BY seq", (entry.id,)
        )
        changed = self._db.execute("SELECT changed_at FROM urls WHERE id = ?", (entry.id,))
        return {
            **fields,
            "state": entry.state.value,
            "when": changed.fetchone()[0],
            "referrers": self._referrers(entry),
            "aliases": [row[0] for row in aliases],
            "events": [
                {"at": at, "kind": kind, **json.loads(detail)} for at, kind, detail in events
            ],
            "fetches": self._fetches_of(entry.id),
            "versions": self.versions(entry.id),
            "visit": self._visit(entry.id),
            "revisits": self._revisits(entry.id),
        }

    def fetches(self) -> Iterator[dict[str, Any]]:
        return self._records("fetches WHERE")

    def documents(self) -> Iterator[dict[str, Any]]:
        return self._records("documents WHERE superseded_by IS NULL AND")

    def versions(self, entry_id: int) -> list[str]:
        rows = self._db.execute(
            "SELECT content_hash FROM documents WHERE entry_id = ? ORDER BY seq", (entry_id,)
        )
        return [row[0] for row in rows]

    def revisited(self, iteration: int | None = None) -> RevisitFigures:
        of = "" if iteration is None else "WHERE iteration = :iteration"
        rows = self._db.execute(
            f"SELECT verdict, COUNT(*), SUM(age) FROM revisits {of} GROUP BY verdict",
            {"iteration": iteration},
        )
        return RevisitFigures.of(rows)

    def get_meta(self, name: str, default: Any = None) -> Any:
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return json.loads(row[0]) if row else default

    def rests(self) -> dict[str, float]:
        """Hosts that were told to rest, and until when (seconds of `time.time`)."""
        return dict(self.get_meta(RESTS, {}))

    def totals(self, name: str) -> list[float]:
        return list(self.get_meta(totals_name(name), ()))

    def _counter(self, name: str) -> int:
        row = self._db.execute("SELECT n FROM counts WHERE name = ?", (name,)).fetchone()
        return int(row[0])

    def _anything_found_before(self, iteration: int) -> bool:
        return bool(
            self._db.execute(
                f"SELECT 1 FROM urls WHERE state = {KNOWN} AND found_in < ? LIMIT 1",
                (iteration,),
            ).fetchone()
        )

    def _referrers(self, entry: Entry) -> list[str]:
        """The pages that led to it, nearest first, up to a seed."""
        chain: list[str] = []
        at: Entry | None = entry
        while at and at.referrer and at.referrer not in chain and len(chain) < _MAX_REFERRERS:
            chain.append(at.referrer)
            at = self.find(at.referrer)
        return chain

    def _fetches_of(self, entry_id: int) -> list[dict[str, Any]]:
        rows = self._db.execute(
            "SELECT record FROM fetches WHERE entry_id = ? ORDER BY seq", (entry_id,)
        )
        return [json.loads(row[0]) for row in rows]

    def _visit(self, entry_id: int) -> dict[str, Any] | None:
        names = ("visited_at", "next_at", "interval", "etag", "last_modified", "text_hash")
        row = self._db.execute(
            f"SELECT {', '.join(names)} FROM visits WHERE entry_id = ?", (entry_id,)
        ).fetchone()
        return dict(zip(names, row, strict=True)) if row else None

    def _revisits(self, entry_id: int) -> list[dict[str, Any]]:
        names = ("iteration", "at", "verdict", "age")
        rows = self._db.execute(
            f"SELECT {', '.join(names)} FROM revisits WHERE entry_id = ? ORDER BY seq", (entry_id,)
        )
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _records(self, rows_where: str) -> Iterator[dict[str, Any]]:
        # In batches: an open statement would keep the log from being emptied meanwhile.
        last = 0
        while rows := self._db.execute(
            f"SELECT seq, record FROM {rows_where} seq > ? ORDER BY seq LIMIT {_BATCH}", (last,)
        ).fetchall():
            last = rows[-1][0]
            for _, record in rows:
                yield json.loads(record)


def open_reader(path: Path) -> FrontierReader:
    """Read a frontier file, even while a crawl holds it.

    Raises FrontierError when there is no such file or it is no frontier.
    """
    return FrontierReader(connect_to_read(path))


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, in autocommit mode; raises as `open_reader`."""
    try:
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None
        )
        found = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error as error:
        raise FrontierError(f"{path}: no readable frontier: {error}") from error
    if found != schema.APPLICATION_ID:
        connection.close()
        raise FrontierError(f"{path}: no taxocrawl frontier")
    if version != schema.VERSION:
        connection.close()
        raise FrontierError(
            f"{path}: frontier version {version}; this taxocrawl reads version {schema.VERSION}"
            " (an older file is brought up to date when its crawl is resumed)"
        )
    return connection
