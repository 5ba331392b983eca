"""A taxonomy read from a CSV table of species; the one of bats ships with taxocrawl.

The table's columns are described in docs/queries.md; `taxocrawl.queries.build_table` makes one from
a release of the Mammal Diversity Database.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from taxocrawl.exceptions import InputFileError
from taxocrawl.queries.taxonomy import Taxon
from taxocrawl.shipped import shipped_path
from taxocrawl.text.tables import open_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

BATS = shipped_path("queries/data/chiroptera.csv")
GROUP_NAMES = shipped_path("queries/data/group_names.csv")
RANKS = ("order", "suborder", "superfamily", "family", "subfamily", "tribe", "genus")
"""Columns of the ranks above the species, highest first."""
MANY = ("synonyms", "disputed", "subspecies", "vernacular")
"""Columns with several names, apart by `|`."""
SUGGESTION_SCORE = 84.0
"""Lowest similarity in [0, 100] of a suggested name: about one wrong letter in six."""


class TableTaxonomy:
    """Taxa of a table of species.

    A name that is accepted somewhere wins over one that is a synonym elsewhere, a synonym over a
    subspecies, that over a placement which only some checklists hold (column ``disputed``), and
    scientific names over vernacular ones; among equals, the species first in the table wins.

    Raises InputFileError, one line, for a table that cannot be read or lacks a column.
    """

    def __init__(self, path: str | Path = BATS, groups: str | Path | None = GROUP_NAMES) -> None:
        path = Path(path)
        self.name = path.stem
        self._taxa: dict[str, Taxon] = {}
        self._index: dict[str, str] = {}
        rows = _read_rows(path, ("species", "genus"))
        group_rows = _read_rows(Path(groups), ("taxon",)) if groups else []
        names = {row["taxon"]: row for row in group_rows}
        self._add_groups(rows, names)
        for row in rows:
            self._taxa[row["species"]] = _species(row)
        self._fill_index(rows, names)

    def lookup(self, name: str) -> Taxon | None:
        """See `Taxonomy.lookup`."""
        known = self._index.get(fold_name(name))
        return self._taxa[known] if known else None

    def suggest(self, name: str) -> str:
        """See `Taxonomy.suggest`; a name of fewer than 5 letters is close to too many."""
        folded = fold_name(name)
        if len(folded) < 5:
            return ""
        best = process.extractOne(
            folded, self._index.keys(), scorer=fuzz.ratio, score_cutoff=SUGGESTION_SCORE
        )
        return self._spelt[best[0]] if best else ""

    def _add_groups(
        self, rows: list[dict[str, str]], names: Mapping[str, Mapping[str, str]]
    ) -> None:
        """Add the taxa above the species, each with its place and its children."""
        sizes: Counter[str] = Counter()
        parents: dict[str, tuple[tuple[str, str], ...]] = {}
        ranks: dict[str, str] = {}
        children: dict[str, dict[str, int]] = {}
        for row in rows:
            line = _classification(row)
            for depth, (rank, name) in enumerate(line):
                sizes[name] += 1
                # A genus and its subgenus or a family and its type may share a name: first wins.
                ranks.setdefault(name, rank)
                parents.setdefault(name, line[:depth])
                below = line[depth + 1][1] if depth + 1 < len(line) else row["species"]
                counts = children.setdefault(name, {})
                counts[below] = counts.get(below, 0) + 1
        for name, rank in ranks.items():
            counts = children[name]
            given = names.get(name, {})
            self._taxa[name] = Taxon(
                name,
                rank,
                parents[name],
                synonyms=_many(given.get("synonyms")),
                vernacular=_many(given.get("vernacular")),
                children=tuple(sorted(counts, key=lambda below: (-counts[below], below))),
            )

    def _fill_index(
        self, rows: list[dict[str, str]], names: Mapping[str, Mapping[str, str]]
    ) -> None:
        self._spelt: dict[str, str] = {}
        for name in self._taxa:
            self._point(name, name)
        known_groups = [(group, row) for group, row in names.items() if group in self._taxa]
        for group, row in known_groups:
            self._point_all(_many(row.get("synonyms")), group)
        for column in ("synonyms", "subspecies", "disputed"):
            for row in rows:
                self._point_all(_many(row.get(column)), row["species"])
        for group, row in known_groups:
            self._point_all(_both_numbers(_many(row.get("vernacular"))), group)
        for row in rows:
            self._point_all(_both_numbers(_many(row.get("vernacular"))), row["species"])

    def _point_all(self, names: Iterable[str], taxon: str) -> None:
        for name in names:
            self._point(name, taxon)

    def _point(self, name: str, taxon: str) -> None:
        folded = fold_name(name)
        if folded and folded not in self._index:
            self._index[folded] = taxon
            self._spelt[folded] = name


def fold_name(name: str) -> str:
    """A name as it is compared: lower case, single blanks, straight apostrophes, no underscore."""
    folded = name.casefold().replace("\u2019", "'").replace("_", " ")
    return " ".join(folded.split())


def _species(row: Mapping[str, str]) -> Taxon:
    return Taxon(
        row["species"],
        "species",
        _classification(row),
        synonyms=_many(row.get("synonyms")) + _many(row.get("disputed")),
        subspecies=_many(row.get("subspecies")),
        vernacular=_many(row.get("vernacular")),
        children=_many(row.get("subspecies")),
    )


def _classification(row: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((rank, row[rank]) for rank in RANKS if row.get(rank))


def _many(value: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (value or "").split("|") if name.strip())


def _both_numbers(names: Iterable[str]) -> list[str]:
    """English names in the singular and the plural of their last word."""
    both: list[str] = []
    for name in names:
        both.append(name)
        if name.endswith("xes"):
            both.append(name[:-2])
        elif name.endswith("s"):
            both.append(name[:-1])
        elif name.endswith("x"):
            both.append(f"{name}es")
        else:
            both.append(f"{name}s")
    return both


def _read_rows(path: Path, needed: tuple[str, ...]) -> list[dict[str, str]]:
    what = f"a CSV table with the columns {', '.join(needed)}"
    reader = open_table(path, what)
    try:
        missing = [name for name in needed if name not in (reader.fieldnames or ())]
        if missing:
            raise InputFileError(f"{path}: expected {what}; {missing[0]!r} is missing")
        rows = [{k: (v or "").strip() for k, v in row.items() if k} for row in reader]
    except csv.Error as error:
        raise InputFileError(
            f"{path}: expected {what}; {error} in row {reader.line_num}"
        ) from error
    rows = [row for row in rows if all(row[name] for name in needed)]
    if not rows:
        raise InputFileError(f"{path}: expected {what}, found no row")
    return rows
