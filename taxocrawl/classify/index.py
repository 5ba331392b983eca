"""The index of a labelled collection: a CSV file with the columns path, label and kind."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from taxocrawl.exceptions import InputFileError, TrainingError
from taxocrawl.items import Category
from taxocrawl.text.tables import open_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

COLUMNS = ("path", "label", "kind")
BORDERLINE = "borderline"
LABELS: dict[str, Category | None] = {
    **{category.value: category for category in Category},
    BORDERLINE: None,
}
"""What the label column may say, after case and blanks are folded."""


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One labelled document."""

    path: Path
    category: Category | None
    """None for a borderline document, which is in no figure and in no training set."""
    kind: str
    """As the index says it, such as html, html_rendered or pdf."""
    title: str = ""
    source: str = ""
    """Where the document was collected, from the column source_repo."""
    line: int = 0


def read_index(path: Path) -> list[IndexRow]:
    """The rows of an index; paths are relative to it, unknown columns do not matter.

    Label and kind are folded for case and blanks, blank lines left out. Raises InputFileError for
    a file that cannot be read, has other columns, or has a row with an empty path or another label
    than taxonomic, non-taxonomic and borderline; and for an index without rows.
    """
    try:
        reader = open_table(path, "an index in CSV")
        _check_columns(path, reader.fieldnames)
        rows = [
            _row(path, {_folded(name): cell for name, cell in record.items() if name}, line)
            for record, line in ((record, reader.line_num) for record in reader)
            if any(isinstance(cell, str) and cell.strip() for cell in record.values())
        ]
    except csv.Error as error:
        raise InputFileError(f"index {path}: expected CSV ({error})") from error
    if not rows:
        raise InputFileError(f"index {path}: has no rows; expected {','.join(COLUMNS)}")
    return rows


def is_of_kind(kind: str, wanted: str) -> bool:
    """Whether an index's kind counts as the wanted one: html_rendered is html."""
    return kind == wanted or kind.startswith(f"{wanted}_")


def of_kinds(rows: Iterable[IndexRow], kinds: Sequence[str]) -> list[IndexRow]:
    """The rows of any of these kinds, in order."""
    return [row for row in rows if any(is_of_kind(row.kind, kind) for kind in kinds)]


def check_trainable(index: str, rows: Sequence[IndexRow], folds: int) -> None:
    """Raises TrainingError unless a classifier can be trained and cross-validated on the rows.

    `index` names the file or files. Needs rows, both categories, and no more folds than the
    smaller category has documents (CLS-03).
    """
    sizes = Counter(row.category for row in rows if row.category is not None)
    if not sizes:
        raise TrainingError(f"index {index}: no rows of the kind asked for with a usable label")
    if len(sizes) < len(Category):
        only = next(iter(sizes))
        raise TrainingError(
            f"index {index}: column label has only {only.value!r} ({sizes[only]} rows); "
            "both taxonomic and non-taxonomic are needed"
        )
    if min(sizes.values()) < folds:
        counts = ", ".join(f"{sizes[category]} {category.value}" for category in Category)
        raise TrainingError(
            f"index {index}: {folds} folds need at least {folds} documents of either category, "
            f"found {counts}"
        )


def article_groups(rows: Sequence[IndexRow]) -> list[str]:
    """A name per row that is the same for rows of one article.

    Rows belong together when they have the same title, or the same file name in different kinds
    (an article's HTML beside its JATS).
    """
    kinds_of_stem: dict[str, set[str]] = {}
    for row in rows:
        kinds_of_stem.setdefault(row.path.stem, set()).add(row.kind)
    parents: dict[str, str] = {}

    def root(key: str) -> str:
        while parents.setdefault(key, key) != key:
            key = parents[key]
        return key

    keys = []
    for row in rows:
        own = f"path {row.path}"
        keys.append(own)
        title = " ".join(row.title.lower().split())
        links = [f"title {title}"] if title else []
        if len(kinds_of_stem[row.path.stem]) > 1:
            links.append(f"stem {row.path.stem}")
        for link in links:
            one, other = sorted((root(own), root(link)))
            parents[other] = one
    return [root(key) for key in keys]


def _check_columns(path: Path, names: Sequence[str] | None) -> None:
    found = [_folded(name) for name in names or ()]
    missing = [name for name in COLUMNS if name not in found]
    if missing:
        raise InputFileError(
            f"index {path}: expected the columns {','.join(COLUMNS)}, "
            f"found {','.join(found) or 'none'} (missing: {', '.join(missing)})"
        )


def _row(index: Path, cells: dict[str, str | None], line: int) -> IndexRow:
    name = (cells["path"] or "").strip()
    label = _folded(cells["label"])
    where = f"index {index}, line {line}"
    if not name:
        raise InputFileError(f"{where}: column path is empty")
    if label not in LABELS:
        raise InputFileError(f"{where}: column label is {label!r}; expected {', '.join(LABELS)}")
    return IndexRow(
        path=index.parent / name,
        category=LABELS[label],
        kind=_folded(cells["kind"]),
        title=(cells.get("title") or "").strip(),
        source=(cells.get("source_repo") or "").strip(),
        line=line,
    )


def _folded(cell: str | None) -> str:
    return " ".join((cell or "").lower().split())
