"""The documents of the shared frontier.

    documents            hash: number -> record as JSON
    document marks       hash: number -> entry, work, number of the copy that replaces it or '',
                         fingerprint as JSON, sketch in base64; by lines
    document fetches     hash: number -> number of its fetch record
    document keys        hash: number of `findable_by` -> documents
    documents of         hash: entry -> documents
    works                hash: work -> documents
    exported             sorted set of the documents that no other one replaces
    documents by content hash: content hash -> documents
    documents version    how often a document was added

What is read is judged here, and what follows is written by the script that settles the page, unless
another worker has added a document meanwhile (`version` tells): then all is read and judged anew.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from taxocrawl.frontier.copies import (
    DUPLICATE,
    MAX_SHARING,
    Copies,
    Copy,
    copy_of,
    findable_by,
    marks_of,
    stored_marks,
)
from taxocrawl.frontier.redis.client import decoded, joined, numbers
from taxocrawl.frontier.rows import to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from taxocrawl.documents.duplicates import Fingerprint
    from taxocrawl.frontier.base import Outcome
    from taxocrawl.frontier.redis.client import Client
    from taxocrawl.frontier.redis.commands import Commands


class _Stored(NamedTuple):
    """A document, and the copy that replaces it (0 when it is exported)."""

    copy: Copy
    superseded_by: int


class RedisCopies(Copies):
    """What becomes of one document, judged on what is stored now.

    Args:
        client: of the crawl.
        commands: to which all changes are added.
        outcome: with the document.
    """

    def __init__(self, client: Client, commands: Commands, outcome: Outcome) -> None:
        assert outcome.document is not None
        self._client = client
        self._commands = commands
        self._stored: dict[int, _Stored] = {}
        self._works: dict[int, list[int]] = {}
        marks = marks_of(outcome, outcome.document)
        keys = [*findable_by(marks), *findable_by(marks, is_version=True)]
        # The version first: what comes in between is noticed by the script that settles the page.
        version, of_keys, of_content, of_entry = client.together(
            ("GET", "documents version"),
            ("HMGET", "document keys", *keys),
            ("HGET", "documents by content", marks.content),
            ("HGET", "documents of", outcome.entry_id),
        )
        self.version = int(version or 0)
        self._of_key = dict(zip(keys, map(numbers, of_keys), strict=True))
        self._of_content = numbers(of_content)
        self._of_entry = {outcome.entry_id: numbers(of_entry)}
        self.number = 0
        """Of the document that was added; 0 before."""
        self.own_reason = ""
        """What the fetch record of the added document is to say besides."""

    def has_document(self, entry_id: int) -> bool:
        """Whether a document of an entry is stored, exported or not."""
        return bool(self._documents_of(entry_id))

    def work_of(self, entry_id: int) -> set[int]:
        own = self._load(self._documents_of(entry_id))
        return {stored.copy.work for stored in own if not stored.superseded_by}

    def sharing_keys(self, marks: Fingerprint) -> list[Copy]:
        found: set[int] = set()
        for key in findable_by(marks):
            found.update(self._of_key[key][:MAX_SHARING])
        return [stored.copy for stored in self._load(sorted(found))]

    def insert(
        self, entry_id: int, record: Mapping[str, Any], marks: Fingerprint, fetch_seq: int | None
    ) -> int:
        self.number = seq = self.version + 1
        self._commands.add("SET", "documents version", seq)
        for key in dict.fromkeys(findable_by(marks, is_version=bool(self.work_of(entry_id)))):
            known = self._of_key[key]
            if len(known) < MAX_SHARING:
                self._commands.add("HSET", "document keys", key, joined([*known, seq]))
        of_entry = [*self._documents_of(entry_id), seq]
        self._commands.add("HSET", "documents of", entry_id, joined(of_entry))
        self._of_entry[entry_id] = of_entry
        self._commands.add("HSET", "documents", seq, to_json(record))
        self._commands.add("ZADD", "exported", seq, seq)
        of_content = joined([*self._of_content, seq])
        self._commands.add("HSET", "documents by content", marks.content, of_content)
        self._store(Copy(seq, entry_id, None, seq, dict(record), marks), 0)
        return seq

    def join(self, seq: int, works: set[int]) -> int:
        work = min(works, default=seq)
        members = [*self._members(work)] if works else []
        for other in sorted(works - {work}):
            members += self._members(other)
            self._commands.add("HDEL", "works", other)
        members = sorted({*members, seq})
        self._commands.add("HSET", "works", work, joined(members))
        self._works[work] = members
        for stored in self._load(members):
            if stored.copy.work != work:
                self._store(_moved(stored.copy, work), stored.superseded_by)
        return work

    def exported(self, work: int) -> list[Copy]:
        return [s.copy for s in self._load(self._members(work)) if not s.superseded_by]

    def exported_more(self, number: int) -> None:
        if number:
            self._commands.add("HINCRBY", "counts", "documents", number)

    def supersede(self, copy: Copy, best: Copy) -> None:
        self._store(copy, best.seq)
        self._commands.add("ZREM", "exported", copy.seq)
        if copy.seq == self.number:
            self.own_reason = DUPLICATE
        else:
            self._commands.add("HSET", f"u:{copy.entry_id}", "r", DUPLICATE)
            self._fetch_reason(copy.seq)
        if copy.seq < best.seq:
            self.event(copy.entry_id, "superseded", by=self.url_of(best))

    def url_of(self, copy: Copy) -> str:
        return decoded(self._client.command("HGET", "text", copy.entry_id)).partition("\n")[0]

    def event(self, entry_id: int, kind: str, **detail: Any) -> None:
        self._commands.event(entry_id, kind, **detail)

    def _store(self, copy: Copy, superseded_by: int) -> None:
        self._stored[copy.seq] = _Stored(copy, superseded_by)
        fields, sketch = stored_marks(copy.fingerprint)
        lines = (
            str(copy.entry_id),
            str(copy.work),
            str(superseded_by or ""),
            fields,
            base64.b64encode(sketch).decode("ascii"),
        )
        self._commands.add("HSET", "document marks", copy.seq, "\n".join(lines))

    def _fetch_reason(self, seq: int) -> None:
        """The fetch record of a copy that is not exported any more says so."""
        fetch = decoded(self._client.hmget("document fetches", [seq])[0])
        record = self._client.hmget("fetches", [fetch])[0] if fetch else None
        if record:
            changed = {**json.loads(record), "reason": DUPLICATE}
            self._commands.add("HSET", "fetches", fetch, to_json(changed))

    def _documents_of(self, entry_id: int) -> list[int]:
        if entry_id not in self._of_entry:
            self._of_entry[entry_id] = numbers(self._client.hmget("documents of", [entry_id])[0])
        return self._of_entry[entry_id]

    def _members(self, work: int) -> list[int]:
        if work not in self._works:
            self._works[work] = numbers(self._client.hmget("works", [work])[0])
        return self._works[work]

    def _load(self, wanted: Iterable[int]) -> list[_Stored]:
        wanted = list(wanted)
        missing = [seq for seq in wanted if seq not in self._stored]
        records = self._client.hmget("documents", missing)
        for seq, marks, record in zip(
            missing, self._client.hmget("document marks", missing), records, strict=True
        ):
            entry, work, superseded_by, fields, sketch = decoded(marks).split("\n")
            row = (seq, int(entry), None, int(work), record, fields, base64.b64decode(sketch))
            self._stored[seq] = _Stored(copy_of(row), int(superseded_by or 0))
        return [self._stored[seq] for seq in wanted]


def _moved(copy: Copy, work: int) -> Copy:
    return Copy(copy.seq, copy.entry_id, None, work, copy.record, copy.fingerprint)
