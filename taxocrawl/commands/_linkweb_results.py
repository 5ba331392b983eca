"""Figures of finished crawls of `scrapy experiment linkweb`, so that it can be interrupted."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from taxocrawl.evaluate.linkweb import OrderFigures
from taxocrawl.exceptions import InputFileError, StorageError
from taxocrawl.text.files import whole_lines

if TYPE_CHECKING:
    from pathlib import Path


class Results:
    """Figures by cell of the experiment, in a JSON Lines file that grows cell by cell.

    Raises InputFileError for a file of another form; a last line that was cut off is passed over.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._figures: dict[str, OrderFigures] = {}
        for number, line in enumerate(whole_lines(path, "figures by cell"), start=1):
            try:
                row = json.loads(line)
                self._figures[row["cell"]] = OrderFigures(**row["figures"])
            except (ValueError, TypeError, KeyError) as error:
                raise InputFileError(
                    f"{path}: line {number}: expected a cell and its figures: {error}"
                ) from error

    def get(self, cell: str) -> OrderFigures | None:
        """The figures of a cell; None when it was not run yet."""
        return self._figures.get(cell)

    def add(self, cell: str, figures: OrderFigures) -> None:
        """Keep a cell's figures; raises StorageError."""
        self._figures[cell] = figures
        line = json.dumps({"cell": cell, "figures": asdict(figures)})
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        except OSError as error:
            raise StorageError(f"{self._path}: cannot be written: {error.strerror}") from error
