"""Tables that users write: CSV as text editors, scripts and spreadsheets save it."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from taxocrawl.text.files import read_text_file

if TYPE_CHECKING:
    from pathlib import Path

DELIMITERS = ",;\t"


def open_table(path: Path, what: str) -> csv.DictReader[str]:
    """A reader of a table's rows; its first row names the columns.

    Cells are apart by the one of comma, semicolon and tab that is most frequent in the first line
    (a comma in doubt): spreadsheets write semicolons where the comma is the decimal sign. Lines
    before the first row that begin with ``#`` are left out.

    Raises InputFileError as `read_text_file` does; the reader raises csv.Error for rows that are
    no CSV.
    """
    text = read_text_file(path, what)
    while text.startswith("#"):
        text = text.partition("\n")[2]
    header = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(DELIMITERS, key=header.count)
    return csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
