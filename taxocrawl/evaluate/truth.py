"""What the downloads of a crawl really are: the truth file of KU 4.1, `url,label`."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from taxocrawl.exceptions import InputFileError
from taxocrawl.frontier.urls import canonicalize
from taxocrawl.text.tables import open_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
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
        rows = open_table(path, "a CSV file url,label")
        url_at, label_at = _columns(path, rows.fieldnames or ())
        for row in rows:
            if not any(isinstance(cell, str) and cell.strip() for cell in row.values()):
                continue
            where = f"{path}, line {rows.line_num}"
            url, label = row[url_at], row[label_at]
            if url is None or label is None:
                raise InputFileError(f"{where}: expected a url and a label")
            _add(labels, url.strip(), label, where)
    except csv.Error as error:
        raise InputFileError(f"{path}: not a CSV file ({error})") from error
    if not labels:
        raise InputFileError(f"{path}: lists no document; expected rows of url,label")
    return Truth(labels)


def _columns(path: Path, header: Sequence[str]) -> tuple[str, str]:
    names = {name.strip().casefold(): name for name in header}
    if "url" not in names or "label" not in names:
        found = ", ".join(name for name in names if name) or "none"
        raise InputFileError(
            f"{path}: expected a header line with the columns url and label, found {found[:80]}"
        )
    return names["url"], names["label"]


def _add(labels: dict[str, Label], url: str, word: str, where: str) -> None:
    label = LABELS.get(word.strip().casefold())
    if label is None:
        raise InputFileError(f"{where}: label {word!r} is none of {', '.join(LABELS)}")
    if not url:
        raise InputFileError(f"{where}: the url is empty")
    if labels.setdefault(canonicalize(url), label) is not label:
        raise InputFileError(f"{where}: {url} has another label further up")
