"""A run's folder: the names of its files, and how each is written so that a crash loses nothing.

    run.json          arguments, settings, versions, models' hashes, outcome
    frontier.sqlite   the truth: states, fetch records, document records
    fetches.csv       one line per download, in order
    documents.jsonl   one line per exported document, in order
    iterations.csv    one line per iteration
    aspects.csv       one line per iteration of a run with aspects
    documents/        <hash>.html|pdf|txt as downloaded, <hash>.text.txt as extracted
    bibliography.bib  bibliography.ris  report.html

The two line files are written as the crawl goes and made anew from the frontier when a run is
resumed or ends, because a line may be missing after a crash between commit and write.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

from taxocrawl.exceptions import InputFileError, StorageError
from taxocrawl.items import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

FETCH_COLUMNS = (
    "time",
    "url",
    "final_url",
    "status",
    "kind",
    "category",
    "confidence",
    "score",
    "iteration",
    "depth",
    "referrer",
    "reason",
)
_SUFFIX = {Kind.HTML: "html", Kind.PDF: "pdf", Kind.TEXT: "txt", Kind.OTHER: "bin"}
# A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def content_hash(body: bytes) -> str:
    """SHA-256 of the bytes, in hexadecimal."""
    return hashlib.sha256(body).hexdigest()


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file by a whole new one, or leave the old one as it is.

    Raises StorageError when the disk is full or the folder cannot be written.
    """
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        try:
            new.write_bytes(data)
            new.replace(path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StorageError(f"{path}: cannot be written: {error.strerror}") from error


def fetch_row(record: Mapping[str, Any]) -> list[str]:
    """A fetch record as the cells of fetches.csv; no cell can be taken for a formula."""
    cells = ["" if record.get(name) is None else str(record[name]) for name in FETCH_COLUMNS]
    return [f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in cells]


def _made(path: Path) -> bool:
    """Make a folder; False when it is there, so that two runs at once never share one."""
    try:
        path.mkdir()
    except FileExistsError:
        return False
    return True


class RunFolder:
    """The folder of one run.

    Args:
        path: the folder; made by `create`, expected by `open`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def frontier(self) -> Path:
        return self.path / "frontier.sqlite"

    @property
    def fetches(self) -> Path:
        return self.path / "fetches.csv"

    @property
    def documents(self) -> Path:
        return self.path / "documents.jsonl"

    @property
    def iterations(self) -> Path:
        return self.path / "iterations.csv"

    @property
    def aspects(self) -> Path:
        return self.path / "aspects.csv"

    @property
    def link_model(self) -> Path:
        """What the link model was told of pages, for a resumed run; only with LINKSCORE_MODEL."""
        return self.path / "linkmodel.jsonl"

    @property
    def info(self) -> Path:
        return self.path / "run.json"

    @property
    def bibtex(self) -> Path:
        return self.path / "bibliography.bib"

    @property
    def ris(self) -> Path:
        return self.path / "bibliography.ris"

    @property
    def report(self) -> Path:
        return self.path / "report.html"

    @classmethod
    def claim_below(cls, parent: Path, name: str) -> Self:
        """Make an empty folder `name` in `parent`, or `name-2` and so on when it is taken.

        Raises StorageError when it cannot be made.
        """
        number, path = 1, parent / name
        try:
            parent.mkdir(parents=True, exist_ok=True)
            while not _made(path):
                number += 1
                path = parent / f"{name}-{number}"
        except OSError as error:
            raise StorageError(
                f"{path}: cannot be made the run's folder: {error.strerror}"
            ) from error
        return cls(path)

    def create(self, *, shared: bool = False) -> bool:
        """Make the folder, or take an empty one.

        One that is shared by several processes is made by the first one; True for that one.

        Raises StorageError when it cannot be written, InputFileError when it has files in it.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if shared and self.info.exists():
                return False
            strangers = sorted(p.name for p in self.path.iterdir() if p.name != "documents")
            if not strangers:
                (self.path / "documents").mkdir(exist_ok=True)
                # Of two runs that are given one folder at once, one makes the file.
                self.info.touch(exist_ok=False)
        except FileExistsError as error:
            if not (self.path / "documents").is_dir():
                text = f"{self.path}: cannot be made the run's folder: Not a directory"
                raise StorageError(text) from error
            if shared:
                return False
            strangers = [self.info.name]
        except OSError as error:
            raise StorageError(
                f"{self.path}: cannot be made the run's folder: {error.strerror}"
            ) from error
        if strangers:
            raise InputFileError(
                f"{self.path}: has files in it ({strangers[0]}); give an empty folder, or resume="
            )
        write_atomically(self.info, b"{}\n")
        return True

    def remove_if_unused(self) -> None:
        """Remove the folder of a run that did not begin; leave one that holds anything fetched.

        What cannot be removed stays: the run's own error is the one to tell.
        """
        with suppress(OSError):
            documents = self.path / "documents"
            if {p.name for p in self.path.iterdir()} <= {self.info.name, documents.name}:
                documents.rmdir()
                self.info.unlink(missing_ok=True)
                self.path.rmdir()

    def has_lines(self) -> bool:
        """Whether downloads or documents of an earlier start are listed."""
        with suppress(OSError):
            for path, header in ((self.fetches, 1), (self.documents, 0)):
                if path.exists():
                    with path.open("rb") as file:
                        if sum(1 for _ in islice(file, header + 1)) > header:
                            return True
        return False

    def read_info(self) -> dict[str, Any]:
        """run.json of an earlier run. Raises InputFileError when this is no run's folder."""
        try:
            info = json.loads(self.info.read_text(encoding="utf-8"))
        except OSError as error:
            raise InputFileError(
                f"{self.path}: not a run's folder (no run.json): {error}"
            ) from error
        except ValueError as error:
            raise InputFileError(f"{self.info}: not a run's description: {error}") from error
        if not isinstance(info, dict) or not isinstance(info.get("arguments"), dict):
            raise InputFileError(f"{self.info}: not a run's description (no arguments)")
        return info

    def write_info(self, info: Mapping[str, Any]) -> None:
        """Write run.json."""
        text = json.dumps(info, ensure_ascii=False, indent=2, default=str) + "\n"
        write_atomically(self.info, text.encode("utf-8"))

    def store(self, digest: str, kind: Kind, body: bytes, text: str) -> str:
        """Keep a document's bytes and text under its hash; return the path below the folder.

        The name comes from the hash alone: nothing fetched has a say in it.
        """
        name = f"documents/{digest}.{_SUFFIX[kind]}"
        for path, data in (
            (self.path / name, body),
            (self.path / f"documents/{digest}.text.txt", text.encode("utf-8")),
        ):
            if not path.exists():
                write_atomically(path, data)
        return name

    def discard(self, record: Mapping[str, Any]) -> None:
        """Remove the files of a document that is not exported any more."""
        for name in (record["path"], f"documents/{record['content_hash']}.text.txt"):
            (self.path / str(name)).unlink(missing_ok=True)

    def append_fetch(self, record: Mapping[str, Any]) -> None:
        """Add a line to fetches.csv."""
        self._append_rows(self.fetches, FETCH_COLUMNS, [fetch_row(record)])

    def append_document(self, record: Mapping[str, Any]) -> None:
        """Add a line to documents.jsonl."""
        line = json.dumps(record, ensure_ascii=False) + "\n"
        try:
            with self.documents.open("a", encoding="utf-8") as file:
                file.write(line)
        except OSError as error:
            raise StorageError(f"{self.documents}: cannot be written: {error.strerror}") from error

    def write_iterations(self, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> None:
        """Write iterations.csv anew: figures relative to the last iteration change with it."""
        self._write_table(self.iterations, columns, rows)

    def write_aspects(self, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> None:
        """Write aspects.csv anew."""
        self._write_table(self.aspects, columns, rows)

    @staticmethod
    def _write_table(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> None:
        text = io.StringIO()
        writer = csv.DictWriter(text, columns)
        writer.writeheader()
        writer.writerows(rows)
        write_atomically(path, text.getvalue().encode("utf-8"))

    def rebuild(
        self, fetches: Iterable[Mapping[str, Any]], documents: Iterable[Mapping[str, Any]]
    ) -> None:
        """Make fetches.csv and documents.jsonl anew from the frontier's records."""
        self._replace(self.fetches, self._write_fetches, fetches)
        self._replace(self.documents, self._write_documents, documents)

    @staticmethod
    def _write_fetches(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(FETCH_COLUMNS)
            writer.writerows(fetch_row(record) for record in records)

    @staticmethod
    def _write_documents(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
        with path.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(r, ensure_ascii=False) + "\n" for r in records)

    @staticmethod
    def _replace(
        path: Path,
        write: Callable[[Path, Iterable[Mapping[str, Any]]], None],
        records: Iterable[Mapping[str, Any]],
    ) -> None:
        new = path.with_name(f".{path.name}.new")
        try:
            write(new, records)
            new.replace(path)
        except OSError as error:
            raise StorageError(f"{path}: cannot be written: {error.strerror}") from error

    @staticmethod
    def _append_rows(path: Path, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
        try:
            with path.open("a", encoding="utf-8", newline="") as file:
                writer = csv.writer(file)
                if file.tell() == 0:
                    writer.writerow(columns)
                writer.writerows(rows)
        except OSError as error:
            raise StorageError(f"{path}: cannot be written: {error.strerror}") from error
