"""A frontier as JSON Lines, and back: to move a crawl, to mend one, or to read it elsewhere.

The first line is ``{"taxocrawl frontier": VERSION}``; each further one is
``{"TABLE": {"COLUMN": VALUE, …}}`` with the tables of `taxocrawl.frontier.schema`, states by their
names and bytes as ``{"base64": …}``. What follows from the rest (counters, the best URL of each
host) is left out and made anew.
"""

from __future__ import annotations

import base64
import binascii
import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from taxocrawl.exceptions import FrontierError, InputFileError
from taxocrawl.frontier import schema
from taxocrawl.frontier.base import State
from taxocrawl.frontier.database import Database
from taxocrawl.frontier.hosts import Hosts
from taxocrawl.frontier.reading import connect_to_read
from taxocrawl.frontier.schema import STATES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_HEADER = "taxocrawl frontier"
_TABLES = (
    *("urls", "hosts", "aliases", "fetches", "documents", "document_keys", "patterns", "texts"),
    *("events", "refusals", "visits", "revisits", "meta"),
)
_DERIVED = {
    "hosts": {"next_score", "next_place", "next_id", "known_score", "known_place", "known_id"}
}
_COUNT = f"""
UPDATE counts SET n = CASE name
    WHEN 'fetches' THEN (SELECT COUNT(*) FROM fetches)
    WHEN 'downloads' THEN (SELECT COUNT(*) FROM fetches WHERE {schema.HAS_ANSWER})
    WHEN 'documents' THEN (SELECT COUNT(*) FROM documents WHERE superseded_by IS NULL)
    ELSE coalesce((SELECT n FROM states WHERE states.name = counts.name), 0) END
"""


def export_lines(path: Path) -> Iterator[str]:
    """The lines of a frontier file as it is at this moment, even while a crawl writes it.

    Raises FrontierError when there is no such file or it is no frontier of this version.
    """
    with closing(connect_to_read(path)) as db:
        db.execute("BEGIN")
        # The first look at a table fixes what the transaction sees.
        db.execute("SELECT 1 FROM meta LIMIT 1").fetchone()
        yield json.dumps({_HEADER: schema.VERSION})
        for table in _TABLES:
            columns = _columns(db, table)
            order = "1, 2" if len(columns) > 1 else "1"
            rows = db.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}")
            for row in rows:
                record = {name: _shown(value) for name, value in zip(columns, row, strict=True)}
                if table == "urls":
                    record["state"] = STATES[record["state"]]
                if table != "meta" or record["name"] != schema.KNOWN_ORDER:
                    yield json.dumps({table: record}, ensure_ascii=False)


def import_lines(path: Path, lines: Iterable[str], source: str) -> int:
    """Fill an empty frontier file, which is made when there is none; return the number of URLs.

    Args:
        path: of the frontier.
        lines: as by `export_lines`.
        source: their name in messages.

    Raises:
        FrontierError: the frontier is not empty, or cannot be opened; see `Database`.
        InputFileError: a line is not of the form expected; nothing is imported then.
    """
    database = Database(path)
    try:
        if database.connection.execute("SELECT 1 FROM urls LIMIT 1").fetchone():
            raise FrontierError(f"{path}: has URLs in it; only an empty frontier is filled")
        with database.transaction() as db:
            _fill(db, lines, source)
            db.execute(
                "CREATE TEMP TABLE states AS SELECT CASE state"
                + "".join(f" WHEN {n} THEN '{name}'" for n, name in enumerate(STATES))
                + " END AS name, COUNT(*) AS n FROM urls GROUP BY state"
            )
            db.execute(_COUNT)
            Hosts(db).selected_changed(row[0] for row in db.execute("SELECT id FROM hosts"))
        return int(database.connection.execute("SELECT COUNT(*) FROM urls").fetchone()[0])
    finally:
        database.close()


def _fill(db: sqlite3.Connection, lines: Iterable[str], source: str) -> None:
    columns = {table: _columns(db, table) for table in _TABLES}
    number = 0
    for number, line in enumerate(lines, 1):
        if number == 1:
            _check_header(line, source)
            continue
        try:
            [(table, record)] = json.loads(line).items()
            values = [_stored(table, name, record[name]) for name in columns[table]]
            if len(record) != len(values):
                raise ValueError("columns")
            marks = ", ".join("?" * len(values))
            names = ", ".join(columns[table])
            db.execute(f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})", values)
        except (
            *(AttributeError, KeyError, TypeError, ValueError, binascii.Error, OverflowError),
            *(sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError),
        ) as error:
            raise InputFileError(
                f"{source}, line {number}: expected a table and its columns as export writes them"
                f" ({type(error).__name__}: {error})"
            ) from error
    if not number:
        _check_header("", source)


def _check_header(line: str, source: str) -> None:
    try:
        version = json.loads(line)[_HEADER]
    except (ValueError, KeyError, TypeError):
        raise InputFileError(
            f'{source}: no exported frontier; expected {{"{_HEADER}": …}}'
        ) from None
    if version != schema.VERSION:
        raise InputFileError(
            f"{source}: frontier version {version}; expected version {schema.VERSION}"
        )


def _columns(db: sqlite3.Connection, table: str) -> list[str]:
    names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    return [name for name in names if name not in _DERIVED.get(table, ())]


def _shown(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode("ascii")}
    return value


def _stored(table: str, name: str, value: Any) -> Any:
    if table == "urls" and name == "state":
        return STATES.index(State(value))
    if isinstance(value, dict):
        return base64.b64decode(value["base64"], validate=True)
    return value
