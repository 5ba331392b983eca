"""What the downloads of a crawl really are: the truth file of KU 4.1, `url,label`."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from taxocrawl.exceptions import InputFileError
from taxocrawl.frontier.urls import canonicalize

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Label(StrEnum):
    """What a document is, whatever a classifier says of it."""

    RELEVANT = "relevant"
    OTHER = "other"
    BORDERLINE = "borderline"
    """People disagree or cannot tell: left out of the figures, and counted."""


LABELS: Mapping[str, Label] = {
    "taxonomic": Label.RELEVANT,
    "relevant": Label.RELEVANT,
    "non-taxonomic": Label.OTHER,
    "other": Label.OTHER,
    "borderline": Label.BORDERLINE,
}
"""The words a truth file may use, in any case."""


@dataclass(frozen=True, slots=True)
class Truth:
    """Labels by canonical URL."""

    labels: Mapping[str, Label]

    def label_of(self, *urls: str) -> Label | None:
        """The label of the first of these URLs that is listed; None when none is."""
        for url in urls:
            label = self.labels.get(canonicalize(url)) if url else None
            if label is not None:
                return label
        return None

    def of(self, record: Mapping[str, Any]) -> Label | None:
        """The label of a fetch record: of where it led, else of the URL that was asked for."""
        return self.label_of(str(record.get("final_url") or ""), str(record.get("url") or ""))

    def is_relevant(self, record: Mapping[str, Any]) -> bool:
        """Whether a fetch record's page is listed as relevant."""
        return self.of(record) is Label.RELEVANT

    @property
    def relevant_urls(self) -> list[str]:
        """The canonical URLs of the relevant documents listed."""
        return [url for url, label in self.labels.items() if label is Label.RELEVANT]

    @property
    def relevant(self) -> int:
        """Number of relevant documents listed."""
        return len(self.relevant_urls)


def read_truth(path: Path) -> Truth:
    """Read a CSV file with the columns `url` and `label` (see `LABELS`); others are ignored.

    Raises InputFileError, naming the file and the line, for a file that cannot be read, lacks a
    column, lists nothing, uses another label, or gives one URL two labels.
    """
    labels: dict[str, Label] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, strict=True)
            url_at, label_at = _columns(path, next(rows, []))
            for row in rows:
                if not any(cell.strip() for cell in row):
                    continue
                where = f"{path}, line {rows.line_num}"
                if len(row) <= max(url_at, label_at):
                    raise InputFileError(f"{where}: expected a url and a label")
                _add(labels, row[url_at].strip(), row[label_at], where)
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read ({error.strerror}); expected CSV") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputFileError(f"{path}: not a CSV file in UTF-8 ({error})") from error
    if not labels:
        raise InputFileError(f"{path}: lists no document; expected rows of url,label")
    return Truth(labels)


def _columns(path: Path, header: list[str]) -> tuple[int, int]:
    names = [name.strip().casefold() for name in header]
    if "url" not in names or "label" not in names:
        raise InputFileError(f"{path}: expected a header line with the columns url and label")
    return names.index("url"), names.index("label")


def _add(labels: dict[str, Label], url: str, word: str, where: str) -> None:
    label = LABELS.get(word.strip().casefold())
    if label is None:
        raise InputFileError(f"{where}: label {word!r} is none of {', '.join(LABELS)}")
    if not url:
        raise InputFileError(f"{where}: the url is empty")
    if labels.setdefault(canonicalize(url), label) is not label:
        raise InputFileError(f"{where}: {url} has another label further up")
