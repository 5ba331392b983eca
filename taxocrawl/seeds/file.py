"""Seeds that the user names: a file of URLs, or the URLs themselves."""

from __future__ import annotations

import csv
import json
import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.exceptions import InputFileError
from taxocrawl.seeds.base import SearchOutcome, Use
from taxocrawl.seeds.polite import one_line
from taxocrawl.seeds.works import Row, Works, make_row, outcome, usable_link
from taxocrawl.text.doi import doi_from_url
from taxocrawl.text.files import read_text_file
from taxocrawl.text.tables import open_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

logger = logging.getLogger(__name__)

Line = tuple[int, dict[str, object]]
"""Line number from 1, and the fields found there: ``url``, and perhaps ``title`` and ``doi``."""

BAD_LINES_SHOWN = 5
COLUMNS = ("url", "title", "doi")

_COMMENT = re.compile(r"(^|\s)#.*")


class FileSeeds:
    """URLs of a file, in its order; a DOI may stand in place of a URL.

    Forms, by the file's ending: ``.csv`` and ``.tsv`` with a column ``url``, ``.jsonl`` and
    ``.ndjson`` with a key ``url`` (both perhaps with ``title`` and ``doi``), anything else one URL
    a line with ``#`` comments. UTF-8, with or without byte order mark, any line ends.

    Raises InputFileError, one line, when the file cannot be read as that or holds no URL at all.
    `bad_lines` has one line of text for each entry that is no http(s) URL and no DOI.
    """

    name = "file"
    uses_query = False

    def __init__(self, path: str | Path) -> None:
        path = Path(path)
        self._fill(str(path), _read_lines(path))

    @classmethod
    def of_urls(cls, urls: Sequence[str]) -> FileSeeds:
        """Seeds given one by one. Raises InputFileError when none of them is a URL."""
        seeds = cls.__new__(cls)
        seeds._fill("seeds", ((n, {"url": url}) for n, url in enumerate(urls, start=1)))
        return seeds

    def _fill(self, source: str, lines: Iterable[Line]) -> None:
        self.source = source
        self.bad_lines: list[str] = []
        self._works = Works()
        for number, fields in lines:
            row = _row(fields)
            if self._works.add(row) < 0:
                shown = one_line(fields.get("url") or "nothing", 80)
                self.bad_lines.append(f"{source}:{number}: expected an http(s) URL, got {shown!r}")
        if not len(self._works):
            first = f"; {self.bad_lines[0]}" if self.bad_lines else ""
            raise InputFileError(f"{source}: no http(s) URL in it{first}")

    def __len__(self) -> int:
        return len(self._works)

    async def search(self, query: str, limit: int) -> SearchOutcome:
        """The first `limit` URLs whatever the query; `without_link` counts the bad lines."""
        for line in self.bad_lines[:BAD_LINES_SHOWN]:
            logger.warning("seeds: %s", line)
        if (more := len(self.bad_lines) - BAD_LINES_SHOWN) > 0:
            logger.warning("seeds: %s: %d more such lines", self.source, more)
        return outcome(self._works, self.name, query, limit)


def _row(fields: dict[str, object]) -> Row:
    value, doi = fields.get("url"), fields.get("doi")
    if usable_link(value):
        doi = doi or doi_from_url(str(value))
        return make_row(fields.get("title"), "", doi, [(Use.NAMED, value)])
    bare = isinstance(value, str) and value.strip().lower().startswith(("10.", "doi:"))
    return make_row(fields.get("title"), "", value if bare else "", [])


def _read_lines(path: Path) -> Iterator[Line]:
    what = "a file of URLs"
    ending = path.suffix.lower()
    if ending in {".csv", ".tsv"}:
        return _csv_lines(path, what)
    text = read_text_file(path, what)
    if ending in {".jsonl", ".ndjson"}:
        return _json_lines(text)
    return _plain_lines(text)


def _plain_lines(text: str) -> Iterator[Line]:
    for number, line in enumerate(text.splitlines(), start=1):
        url = _COMMENT.sub("", line).strip()
        if url:
            yield number, {"url": url}


def _csv_lines(path: Path, what: str) -> Iterator[Line]:
    reader = open_table(path, what)
    try:
        names = {(name or "").strip().lower(): name for name in reader.fieldnames or ()}
        if "url" not in names:
            found = one_line(", ".join(n for n in names if n), 80) or "none"
            raise InputFileError(f"{path}: expected a column 'url', found {found}")
        for row in reader:
            fields: dict[str, object] = {
                name: row.get(names[name]) or "" for name in COLUMNS if name in names
            }
            yield reader.line_num, fields
    except csv.Error as error:
        raise InputFileError(f"{path}:{reader.line_num}: {error}") from error


def _json_lines(text: str) -> Iterator[Line]:
    # Not splitlines(): JSON strings may hold U+2028 and the like.
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = line
        yield number, entry if isinstance(entry, dict) else {"url": entry}
