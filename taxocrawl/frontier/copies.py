"""The documents of the SQLite frontier: all copies of a work are kept, the best one is exported."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from taxocrawl.documents.duplicates import CERTAINTY, Fingerprint, same_work
from taxocrawl.frontier.rows import hash_of, to_json

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from taxocrawl.frontier.base import Outcome
    from taxocrawl.frontier.ledger import Ledger

DUPLICATE = "duplicate"
MAX_SHARING = 64
"""Documents looked at that share one key: more share a template, not a text."""
_COLUMNS = "SELECT seq, entry_id, fetch_seq, work, record, fingerprint, sketch FROM documents"


@dataclass(frozen=True, slots=True)
class Copy:
    """One stored copy of a work."""

    seq: int
    entry_id: int
    fetch_seq: int | None
    work: int
    record: dict[str, Any]
    fingerprint: Fingerprint

    def rank(self) -> tuple[Any, ...]:
        """The total order of copies: among equal ones the first address in the alphabet wins."""
        url = str(self.record.get("url") or "")
        return *self.fingerprint.rank(), [-ord(character) for character in url], -self.seq


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a document."""

    exported: bool = False
    duplicate_of: str = ""
    """URL of the copy that is exported in its place."""
    superseded: Sequence[Mapping[str, Any]] = ()
    """Records that had been exported and are not any more."""


class Copies(ABC):
    """What becomes of a document, whatever store keeps it; changes are the caller's transaction."""

    def add(self, outcome: Outcome, fetch_seq: int | None = None) -> Added:
        """Store the document of an outcome and export the best copy of its work.

        One without a fingerprint is known by its record's ``content_hash`` alone. `fetch_seq` is
        its fetch record, whose reason tells later that it is a duplicate.
        """
        entry_id, record = outcome.entry_id, outcome.document
        if record is None:
            return Added()
        marks = marks_of(outcome, record)
        found = self._copies_of(entry_id, marks)
        works = {copy.work for copy, _ in found} | self.work_of(entry_id)
        seq = self.insert(entry_id, record, marks, fetch_seq)
        work = self.join(seq, works)
        exported = self.exported(work)
        best = max(exported, key=Copy.rank)
        others = [copy for copy in exported if copy.entry_id != best.entry_id]
        others += [copy for copy in exported if copy.seq == seq and _had(copy, exported)]
        self.exported_more(1 - len(others))
        for copy in others:
            self.supersede(copy, best)
        superseded = tuple(copy.record for copy in others if copy.seq != seq)
        if all(copy.seq != seq for copy in others):
            return Added(exported=True, superseded=superseded)
        url, how = self.url_of(best), found[0][1]
        self.event(entry_id, "duplicate", of=url, by=how)
        return Added(duplicate_of=url, superseded=superseded)

    def _copies_of(self, entry_id: int, marks: Fingerprint) -> list[tuple[Copy, str]]:
        """Stored copies of the same work, with how each was found, the surest first."""
        sharing = self.sharing_keys(marks)
        found = [(copy, how) for copy in sharing if (how := same_work(copy.fingerprint, marks))]
        if self.work_of(entry_id):
            # What a page became is a version of it, not a copy: only the same bytes are old. The
            # versions of a page whose work is exported from elsewhere are copies as it was.
            found = [(copy, how) for copy, how in found if how == "content"]
        return sorted(found, key=lambda item: (CERTAINTY.index(item[1]), item[0].seq))

    @abstractmethod
    def work_of(self, entry_id: int) -> set[int]:
        """The work that is exported from an entry's page, with all its versions; else nothing."""

    @abstractmethod
    def sharing_keys(self, marks: Fingerprint) -> list[Copy]:
        """Stored copies that share a match key, of each key the first `MAX_SHARING`, by seq."""

    @abstractmethod
    def insert(
        self, entry_id: int, record: Mapping[str, Any], marks: Fingerprint, fetch_seq: int | None
    ) -> int:
        """Store a document, found by the numbers of `findable_by`; return its number."""

    @abstractmethod
    def join(self, seq: int, works: set[int]) -> int:
        """Make one work of a new document and the works of its copies; return its number."""

    @abstractmethod
    def exported(self, work: int) -> list[Copy]:
        """The copies of a work that no other one replaces, by seq."""

    @abstractmethod
    def exported_more(self, number: int) -> None:
        """So many documents more are exported."""

    @abstractmethod
    def supersede(self, copy: Copy, best: Copy) -> None:
        """Another copy is exported in this one's place."""

    @abstractmethod
    def url_of(self, copy: Copy) -> str: ...

    @abstractmethod
    def event(self, entry_id: int, kind: str, **detail: Any) -> None: ...


class SqliteCopies(Copies):
    """The documents in the SQLite frontier.

    Args:
        connection: of the frontier file.
        ledger: told of what is counted and of what became of an entry.
    """

    def __init__(self, connection: sqlite3.Connection, ledger: Ledger) -> None:
        self._db = connection
        self._ledger = ledger

    def event(self, entry_id: int, kind: str, **detail: Any) -> None:
        self._ledger.event(entry_id, kind, **detail)

    def exported_more(self, number: int) -> None:
        self._ledger.shift("documents", number)

    def has_document(self, entry_id: int) -> bool:
        """Whether a document of an entry is stored, exported or not."""
        statement = "SELECT 1 FROM documents WHERE entry_id = ? LIMIT 1"
        return self._db.execute(statement, (entry_id,)).fetchone() is not None

    def work_of(self, entry_id: int) -> set[int]:
        rows = self._db.execute(
            "SELECT work FROM documents WHERE entry_id = ? AND superseded_by IS NULL", (entry_id,)
        )
        return {row[0] for row in rows}

    def sharing_keys(self, marks: Fingerprint) -> list[Copy]:
        numbers = {
            seq
            for number in findable_by(marks)
            for (seq,) in self._db.execute(
                "SELECT seq FROM document_keys WHERE hash = ? ORDER BY seq LIMIT ?",
                (number, MAX_SHARING),
            )
        }
        rows = self._db.execute(
            f"{_COLUMNS} WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq",
            (json.dumps(sorted(numbers)),),
        )
        return [copy_of(row) for row in rows.fetchall()]

    def insert(
        self, entry_id: int, record: Mapping[str, Any], marks: Fingerprint, fetch_seq: int | None
    ) -> int:
        keys = findable_by(marks, is_version=bool(self.work_of(entry_id)))
        fields, sketch = stored_marks(marks)
        cursor = self._db.execute(
            "INSERT INTO documents (entry_id, fetch_seq, content_hash, record, work, fingerprint,"
            " sketch) VALUES (?, ?, ?, ?, 0, ?, ?)",
            (entry_id, fetch_seq, marks.content, to_json(record), fields, sketch),
        )
        seq = int(cursor.lastrowid or 0)
        self._db.executemany(
            "INSERT OR IGNORE INTO document_keys VALUES (?, ?)",
            [(number, seq) for number in keys],
        )
        return seq

    def join(self, seq: int, works: set[int]) -> int:
        work = min(works, default=seq)
        self._db.execute("UPDATE documents SET work = ? WHERE seq = ?", (work, seq))
        self._db.execute(
            "UPDATE documents SET work = ? WHERE work IN (SELECT value FROM json_each(?))",
            (work, json.dumps(sorted(works - {work}))),
        )
        return work

    def exported(self, work: int) -> list[Copy]:
        rows = self._db.execute(
            f"{_COLUMNS} WHERE work = ? AND superseded_by IS NULL ORDER BY seq", (work,)
        )
        return [copy_of(row) for row in rows.fetchall()]

    def supersede(self, copy: Copy, best: Copy) -> None:
        self._db.execute(
            "UPDATE documents SET superseded_by = ? WHERE seq = ?", (best.seq, copy.seq)
        )
        self._db.execute("UPDATE urls SET reason = ? WHERE id = ?", (DUPLICATE, copy.entry_id))
        self._ledger.fetch_reason(copy.fetch_seq, DUPLICATE)
        if copy.seq < best.seq:
            self._ledger.event(copy.entry_id, "superseded", by=self.url_of(best))

    def url_of(self, copy: Copy) -> str:
        row = self._db.execute("SELECT url FROM urls WHERE id = ?", (copy.entry_id,)).fetchone()
        return str(row[0])


def _had(version: Copy, exported: Sequence[Copy]) -> bool:
    """Whether a page's version is byte for byte one that is exported."""
    others = (copy for copy in exported if copy.seq != version.seq)
    return any(
        copy.entry_id == version.entry_id
        and copy.fingerprint.content == version.fingerprint.content
        for copy in others
    )


def marks_of(outcome: Outcome, record: Mapping[str, Any]) -> Fingerprint:
    """What a document is known by."""
    return outcome.fingerprint or Fingerprint(content=str(record["content_hash"]))


def findable_by(marks: Fingerprint, *, is_version: bool = False) -> list[int]:
    """The numbers under which a document is found by its copies.

    Nothing is a copy of a page's later versions but the same bytes.
    """
    keys = [f"content {marks.content}"] if is_version else marks.match_keys()
    return [hash_of(key) for key in keys]


def stored_marks(marks: Fingerprint) -> tuple[str, bytes]:
    """A fingerprint as JSON, and its sketch."""
    fields = asdict(marks)
    sketch = fields.pop("sketch")
    return to_json(fields), sketch


def copy_of(row: Sequence[Any]) -> Copy:
    """A copy from seq, entry id, fetch seq, work, record, and what `stored_marks` gave."""
    seq, entry_id, fetch_seq, work, record, fields, sketch = row
    known = json.loads(fields)
    marks = Fingerprint(**{**known, "surnames": tuple(known["surnames"])}, sketch=sketch)
    return Copy(seq, entry_id, fetch_seq, work, json.loads(record), marks)
