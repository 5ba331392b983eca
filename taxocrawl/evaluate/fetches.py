"""Reading the fetch records of a finished or interrupted run."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from taxocrawl.exceptions import InputFileError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NEEDED = ("url", "final_url", "status", "kind", "category", "iteration", "reason")
"""The columns of fetches.csv that figures are made from."""


def read_fetches(path: Path) -> Iterator[dict[str, str]]:
    """The lines of a fetches.csv, one at a time.

    Raises InputFileError, naming the file and the line, for a file that cannot be read, lacks a
    column, has a line of another width, or a status or iteration that is no whole number.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file, strict=True)
            header = next(rows, [])
            missing = [name for name in NEEDED if name not in header]
            if missing:
                raise InputFileError(f"{path}: no fetches.csv, lacks {', '.join(missing)}")
            for row in rows:
                yield _record(header, row, f"{path}, line {rows.line_num}")
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read ({error.strerror})") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputFileError(f"{path}: not a CSV file in UTF-8 ({error})") from error


def _record(header: list[str], row: list[str], where: str) -> dict[str, str]:
    if len(row) != len(header):
        raise InputFileError(f"{where}: {len(row)} cells where {len(header)} are expected")
    record = dict(zip(header, row, strict=True))
    for name in ("status", "iteration"):
        number = "0" if name == "status" and not record[name] else record[name]
        if not (number.isascii() and number.isdigit()):
            raise InputFileError(f"{where}: {name} {record[name]!r} is no whole number")
    return record
