"""The run folders that the desk shows: found by name, never by a path that someone sent."""

from __future__ import annotations

import json
import re
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from taxocrawl.exceptions import FrontierError, InputFileError
from taxocrawl.frontier.reading import FrontierReader, open_reader
from taxocrawl.runs.folder import RunFolder
from taxocrawl.runs.versions import newest_versions
from taxocrawl.web.models import Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,199}\Z")
_STORED = re.compile(r"documents/([0-9a-f]{64})\.(html|pdf|txt|bin)\Z")
TEXT_MAX = 2_000_000
"""Characters of a document's text that are read."""


def run_folder(runs: Path, name: str) -> RunFolder:
    """The folder of that name below RUNS_DIR.

    Raises InputFileError for a name that leads elsewhere, by its own letters or by a link.
    """
    path = runs / name
    if not _NAME.match(name) or path.resolve().parent != runs.resolve():
        raise InputFileError(f"{name!r}: no name of a run's folder")
    return RunFolder(path)


def find_new_runs(runs: Path) -> None:
    """Enter run folders that were made without the desk; they belong to nobody."""
    if not runs.is_dir():
        return
    known = set(Run.objects.values_list("folder", flat=True))
    for path in sorted(runs.iterdir()):
        if path.name in known or not _NAME.match(path.name) or not path.is_dir():
            continue
        try:
            info = run_folder(runs, path.name).read_info()
        except InputFileError:
            continue
        run = Run.objects.create(
            folder=path.name,
            title=title_of(info) or path.name,
            spider=str(info.get("spider") or ""),
            arguments={},
            topic=str(info["arguments"].get("topic") or "").rpartition("/")[2],
        )
        if started := _first_start(info):
            Run.objects.filter(pk=run.pk).update(created=started)


def title_of(info: dict[str, Any]) -> str:
    """The queries of a run, for headings."""
    queries = [" ".join(str(query).split()) for query in info.get("queries") or ()]
    more = f" and {len(queries) - 3} more" if len(queries) > 3 else ""
    return (", ".join(queries[:3]) + more)[:500]


def info_of(folder: RunFolder) -> dict[str, Any]:
    """run.json; empty while there is none yet."""
    try:
        return folder.read_info()
    except InputFileError:
        return {}


def reader_of(folder: RunFolder) -> FrontierReader | None:
    """A reader of the run's frontier; None while there is none that can be read."""
    if not folder.frontier.is_file():
        return None
    try:
        return open_reader(folder.frontier)
    except FrontierError:
        return None


def unreadable(folder: RunFolder) -> str:
    """Why the run's frontier cannot be read; '' when it can, and when there is none yet."""
    if folder.frontier.is_file():
        try:
            open_reader(folder.frontier).close()
        except FrontierError as error:
            return str(error)
    return ""


def documents_of(folder: RunFolder) -> list[dict[str, Any]]:
    """The documents exported so far, best first: by page score, link score and confidence.

    From the frontier, or from documents.jsonl where that cannot be read.
    """
    reader = reader_of(folder)
    if reader is None:
        return sorted(_lines(folder.documents), key=_rank)
    with closing(reader):
        return sorted(newest_versions(reader), key=_rank)


def document_of(folder: RunFolder, digest: str) -> dict[str, Any] | None:
    """The record of the document with these bytes, older versions included."""
    reader = reader_of(folder)
    if reader is None:
        return _with_hash(_lines(folder.documents), digest)
    with closing(reader):
        return _with_hash(reader.documents(), digest)


def stored_copy(folder: RunFolder, record: dict[str, Any]) -> Path | None:
    """Where a document's bytes are; None when the record names no file of the folder."""
    match = _STORED.match(str(record.get("path") or ""))
    if match is None or match[1] != record["content_hash"]:
        return None
    path = folder.path / match[0]
    return path if path.is_file() and not path.is_symlink() else None


def text_of(folder: RunFolder, digest: str, limit: int = TEXT_MAX) -> str:
    """The first characters of a document's extracted text; '' when there is none."""
    path = folder.path / "documents" / f"{digest}.text.txt"
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(limit)
    except OSError:
        return ""


def tail(path: Path, lines: int = 40, most: int = 20_000) -> Iterator[str]:
    """The last lines of a log."""
    try:
        with path.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - most))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return
    yield from text.splitlines()[-lines:]


def _with_hash(records: Iterable[dict[str, Any]], digest: str) -> dict[str, Any] | None:
    return next((record for record in records if record["content_hash"] == digest), None)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """The records of documents.jsonl; a last line that a crash left unfinished is passed over."""
    try:
        with path.open(encoding="utf-8") as file:
            for line in file:
                if line.endswith("\n"):
                    yield json.loads(line)
    except OSError:
        return


def _first_start(info: dict[str, Any]) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str((info.get("starts") or [""])[0]))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _rank(record: dict[str, Any]) -> tuple[float, ...]:
    return tuple(-float(record.get(name) or 0) for name in ("page_score", "score", "confidence"))
