"""Which of a run's documents are current, when pages were visited again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class DocumentRecords(Protocol):
    """What holds document records: a frontier, or a reader of one."""

    def documents(self) -> Iterable[dict[str, Any]]: ...


def newest_versions(source: DocumentRecords) -> Iterator[dict[str, Any]]:
    """The exported documents, of each page its last version alone."""
    newest = {
        record["url"]: record["content_hash"]
        for record in source.documents()
        if record.get("previous")
    }
    for record in source.documents():
        if newest.get(record["url"], record["content_hash"]) == record["content_hash"]:
            yield record
