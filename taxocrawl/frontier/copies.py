"""The documents of the SQLite frontier: all copies of a work are kept, the best one is exported."""

from __future__ import annotations

import json
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
_MAX_SHARING = 64
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


class Copies:
    """Adds documents within the caller's transaction.

    Args:
        connection: of the frontier file.
        ledger: told of what is counted and of what became of an entry.
    """

    def __init__(self, connection: sqlite3.Connection, ledger: Ledger) -> None:
        self._db = connection
        self._ledger = ledger

    def add(self, outcome: Outcome, fetch_seq: int | None = None) -> Added:
        """Store the document of an outcome and export the best copy of its work.

        One without a fingerprint is known by its record's ``content_hash`` alone. `fetch_seq` is
        its fetch record, whose reason tells later that it is a duplicate.
        """
        entry_id, record = outcome.entry_id, outcome.document
        if record is None:
            return Added()
        marks = outcome.fingerprint or Fingerprint(content=str(record["content_hash"]))
        found = self._copies_of(entry_id, marks)
        works = {copy.work for copy, _ in found} | self._work_of(entry_id)
        seq = self._insert(entry_id, record, marks, fetch_seq)
        work = self._join(seq, works)
        exported = self._exported(work)
        best = max(exported, key=Copy.rank)
        others = [copy for copy in exported if copy.entry_id != best.entry_id]
        others += [copy for copy in exported if copy.seq == seq and _had(copy, exported)]
        self._ledger.shift("documents", 1 - len(others))
        for copy in others:
            self._supersede(copy, best)
        superseded = tuple(copy.record for copy in others if copy.seq != seq)
        if all(copy.seq != seq for copy in others):
            return Added(exported=True, superseded=superseded)
        url, how = self._url_of(best), found[0][1]
        self._ledger.event(entry_id, "duplicate", of=url, by=how)
        return Added(duplicate_of=url, superseded=superseded)

    def has_document(self, entry_id: int) -> bool:
        """Whether a document of an entry is stored, exported or not."""
        statement = "SELECT 1 FROM documents WHERE entry_id = ? LIMIT 1"
        return self._db.execute(statement, (entry_id,)).fetchone() is not None

    def _copies_of(self, entry_id: int, marks: Fingerprint) -> list[tuple[Copy, str]]:
        """Stored copies of the same work, with how each was found, the surest first."""
        sharing = self._sharing_keys(marks)
        found = [(copy, how) for copy in sharing if (how := same_work(copy.fingerprint, marks))]
        if self._work_of(entry_id):
            # What a page became is a version of it, not a copy: only the same bytes are old. The
            # versions of a page whose work is exported from elsewhere are copies as it was.
            found = [(copy, how) for copy, how in found if how == "content"]
        return sorted(found, key=lambda item: (CERTAINTY.index(item[1]), item[0].seq))

    def _work_of(self, entry_id: int) -> set[int]:
        """The work that is exported from an entry's page, with all its versions; else nothing."""
        rows = self._db.execute(
            "SELECT work FROM documents WHERE entry_id = ? AND superseded_by IS NULL", (entry_id,)
        )
        return {row[0] for row in rows}

    def _sharing_keys(self, marks: Fingerprint) -> list[Copy]:
        numbers = {
            seq
            for key in marks.match_keys()
            for (seq,) in self._db.execute(
                "SELECT seq FROM document_keys WHERE hash = ? ORDER BY seq LIMIT ?",
                (hash_of(key), _MAX_SHARING),
            )
        }
        rows = self._db.execute(
            f"{_COLUMNS} WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq",
            (json.dumps(sorted(numbers)),),
        )
        return [_copy(row) for row in rows.fetchall()]

    def _insert(
        self, entry_id: int, record: Mapping[str, Any], marks: Fingerprint, fetch_seq: int | None
    ) -> int:
        is_version = bool(self._work_of(entry_id))
        fields = asdict(marks)
        sketch = fields.pop("sketch")
        cursor = self._db.execute(
            "INSERT INTO documents (entry_id, fetch_seq, content_hash, record, work, fingerprint,"
            " sketch) VALUES (?, ?, ?, ?, 0, ?, ?)",
            (entry_id, fetch_seq, marks.content, to_json(record), to_json(fields), sketch),
        )
        seq = int(cursor.lastrowid or 0)
        # Nothing is a copy of a page's later versions but the same bytes.
        keys = [f"content {marks.content}"] if is_version else list(marks.match_keys())
        self._db.executemany(
            "INSERT OR IGNORE INTO document_keys VALUES (?, ?)",
            [(hash_of(key), seq) for key in keys],
        )
        return seq

    def _join(self, seq: int, works: set[int]) -> int:
        """Make one work of a new document and the works of its copies; return its number."""
        work = min(works, default=seq)
        self._db.execute("UPDATE documents SET work = ? WHERE seq = ?", (work, seq))
        self._db.execute(
            "UPDATE documents SET work = ? WHERE work IN (SELECT value FROM json_each(?))",
            (work, json.dumps(sorted(works - {work}))),
        )
        return work

    def _exported(self, work: int) -> list[Copy]:
        rows = self._db.execute(
            f"{_COLUMNS} WHERE work = ? AND superseded_by IS NULL ORDER BY seq", (work,)
        )
        return [_copy(row) for row in rows.fetchall()]

    def _supersede(self, copy: Copy, best: Copy) -> None:
        """Another copy is exported in this one's place."""
        self._db.execute(
            "UPDATE documents SET superseded_by = ? WHERE seq = ?", (best.seq, copy.seq)
        )
        self._db.execute("UPDATE urls SET reason = ? WHERE id = ?", (DUPLICATE, copy.entry_id))
        self._ledger.fetch_reason(copy.fetch_seq, DUPLICATE)
        if copy.seq < best.seq:
            self._ledger.event(copy.entry_id, "superseded", by=self._url_of(best))

    def _url_of(self, copy: Copy) -> str:
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


def _copy(row: Sequence[Any]) -> Copy:
    seq, entry_id, fetch_seq, work, record, fields, sketch = row
    known = json.loads(fields)
    marks = Fingerprint(**{**known, "surnames": tuple(known["surnames"])}, sketch=sketch)
    return Copy(seq, entry_id, fetch_seq, work, json.loads(record), marks)
