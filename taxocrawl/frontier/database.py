"""Opening, locking and writing the one file of the SQLite frontier, and what can go wrong."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from taxocrawl.exceptions import FrontierError, StorageError
from taxocrawl.frontier import schema

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_WAL_LIMIT = 8 * 1024 * 1024
"""Bytes of the write-ahead log at which it is copied into the database."""
_MAGIC = b"SQLite format 3\0"
_STORAGE_CODES = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk cannot be written or read",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_CANTOPEN: "its folder cannot be written",
}
# Files open in this process: POSIX locks keep only other processes out.
_held: set[Path] = set()


def refuse_if_in_use(path: Path) -> None:
    """Raise FrontierError, naming its process, when a frontier file serves a crawl already.

    For who is about to write beside it. A file that is not there is not made.
    """
    if path.exists():
        _take_lock(path.resolve()).close()
        _held.discard(path.resolve())


def _take_lock(path: Path) -> IO[str]:
    name = path.with_name(f"{path.name}.lock")
    # Not even opened then: closing a second handle would give the lock away.
    if path in _held:
        raise FrontierError(f"{path}: already open in this process")
    try:
        file = name.open("a+", encoding="ascii")
    except OSError as error:
        raise FrontierError(f"{path}: cannot be opened for writing: {error.strerror}") from error
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.seek(0)
        holder = file.read().strip()
        file.close()
        raise FrontierError(
            f"{path}: in use by another process{f' ({holder})' if holder else ''};"
            " one frontier file serves one crawl at a time"
        ) from error
    _held.add(path)
    file.truncate(0)
    file.write(f"process {os.getpid()}")
    file.flush()
    return file


class Database:
    """One frontier file, held by one process until `close` or the process's end.

    Args:
        path: the file; made with its tables when it does not exist or is empty.
        synchronous: ``NORMAL`` (a power cut may cost the last transactions, never consistency;
            a killed process costs nothing) or ``FULL`` (nothing, at two to three times the time).
        cache_mib: page cache in MiB.

    Raises:
        FrontierError: the file is held by another process, is no frontier, is damaged, was
            written by a newer version, or cannot be opened for writing.
    """

    def __init__(self, path: Path, *, synchronous: str = "NORMAL", cache_mib: int = 32) -> None:
        if synchronous not in ("NORMAL", "FULL"):
            raise ValueError(f"synchronous={synchronous!r}: expected NORMAL or FULL")
        self.path = path.resolve()
        self._wal_limit = _WAL_LIMIT
        self._wal = self.path.with_name(f"{self.path.name}-wal")
        self._lock = _take_lock(self.path)
        try:
            self.connection = self._open(synchronous, cache_mib)
        except BaseException:
            self._release_lock()
            raise

    def close(self) -> None:
        """Write everything into the one file and let others open it. Closing twice is harmless."""
        if self._lock.closed:
            return
        try:
            self.connection.close()
        finally:
            self._release_lock()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing. Raises StorageError when the disk is full or cannot be written."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
            self._checkpoint_when_due()
        except sqlite3.Error as error:
            raise self.translated(error) from error

    def translated(self, error: sqlite3.Error) -> StorageError | FrontierError:
        """SQLite's error as one of ours, in one line with the file's name."""
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _STORAGE_CODES:
            return StorageError(f"{self.path}: {_STORAGE_CODES[code]} ({error})")
        return FrontierError(f"{self.path}: {error}")

    def _checkpoint_when_due(self) -> None:
        """Empty the log into the database in one go.

        Automatic checkpoints leave copied frames in the log; a log cut within them would give
        pages of different ages. After this one the log holds only what the database does not.
        """
        try:
            size = self._wal.stat().st_size
        except FileNotFoundError:
            return
        if size <= self._wal_limit:
            return
        try:
            busy = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.OperationalError as error:
            # A statement of our own is still being read.
            if error.sqlite_errorcode != sqlite3.SQLITE_LOCKED:
                raise
            busy = True
        # A reader holds the log: try again when it has grown by as much once more.
        self._wal_limit = size + _WAL_LIMIT if busy else _WAL_LIMIT

    def _release_lock(self) -> None:
        _held.discard(self.path)
        self._lock.close()

    def _open(self, synchronous: str, cache_mib: int) -> sqlite3.Connection:
        self._refuse_foreign_file()
        try:
            connection = sqlite3.connect(self.path, isolation_level=None, timeout=0.05)
        except sqlite3.Error as error:
            raise FrontierError(f"{self.path}: cannot be opened: {error}") from error
        try:
            self._prepare(connection, synchronous, cache_mib)
        except sqlite3.Error as error:
            connection.close()
            raise FrontierError(f"{self.path}: no usable frontier: {error}") from error
        except BaseException:
            connection.close()
            raise
        return connection

    def _refuse_foreign_file(self) -> None:
        """SQLite takes a short file of anything for an empty database, and overwrites it."""
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            start = file.read(len(_MAGIC))
        if start not in (b"", _MAGIC):
            raise FrontierError(f"{self.path}: no usable frontier: file is not a database")

    def _prepare(self, connection: sqlite3.Connection, synchronous: str, cache_mib: int) -> None:
        unclean = self._wal.exists() and self._wal.stat().st_size > 0
        for pragma in (
            "journal_mode = WAL",
            f"synchronous = {synchronous}",
            "wal_autocheckpoint = 0",
            f"cache_size = {-1024 * cache_mib}",
            "trusted_schema = OFF",
        ):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        version = _number(connection, "user_version")
        tables = connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()[0]
        if not tables:
            connection.executescript(f"BEGIN IMMEDIATE;{schema.TABLES}COMMIT;")
        elif _number(connection, "application_id") != schema.APPLICATION_ID:
            raise FrontierError(f"{self.path}: an SQLite database, but no taxocrawl frontier")
        elif version > schema.VERSION:
            raise FrontierError(
                f"{self.path}: written by a newer taxocrawl (frontier version {version};"
                f" this one reads up to {schema.VERSION})"
            )
        else:
            if unclean:
                self._check(connection)
            for older in range(version, schema.VERSION):
                connection.executescript(f"BEGIN IMMEDIATE;{schema.UPGRADES[older]}COMMIT;")

    def _check(self, connection: sqlite3.Connection) -> None:
        """After a crash only: reads the whole file, about a second for each GiB or two."""
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise FrontierError(f"{self.path}: damaged: {' '.join(str(found).split())}")


def _number(connection: sqlite3.Connection, pragma: str) -> Any:
    return connection.execute(f"PRAGMA {pragma}").fetchone()[0]
