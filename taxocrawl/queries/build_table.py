"""Makes a table for `TableTaxonomy` from a release of the Mammal Diversity Database.

    python -m taxocrawl.queries.build_table MDD.csv TABLE.csv \\
        [--checklists NAMES.tsv] [--source "whose facts they are, and their licence"]

MDD.csv is the species file of a release (sciName, genus, family, …); NAMES.tsv, optional, aligns
the names of several checklists, one column each, oldest first, with ``X y [synonym of]`` where a
list holds the row's name for a synonym of X y. The table that ships was made from MDD v1.2 (CC BY
4.0) and such an alignment of 14 lists of bats, 1980-2025 (CC0).
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from taxocrawl.queries.table import MANY, RANKS
from taxocrawl.text.tables import open_table

COLUMNS = ("species", *reversed(RANKS), "authority", "year", *MANY)

_WHAT = "a table of names"
_CELL = re.compile(r"([A-Z][a-z]+ [a-z-]+)( [a-z-]+)?( \[synonym of\])?")
_EPITHET = re.compile(r"[a-z][a-z-]{2,}(?= |$)")
"""Of a nominal name, such as `crispus Macgillivray, 1827`."""
_TRANSFER = re.compile(r"Name transfer: ([a-z]+) -> ([a-z]+)")
Row = Mapping[str, str]


@dataclass(slots=True)
class _Names:
    """Names of one species, each with the number of checklists that place it there."""

    synonyms: Counter[str] = field(default_factory=Counter)
    disputed: Counter[str] = field(default_factory=Counter)
    subspecies: Counter[str] = field(default_factory=Counter)


def build(species: Sequence[Row], checklists: Iterable[Row] = ()) -> list[dict[str, str]]:
    """Rows of the table, in the order of `species`.

    Synonyms are the other combinations and spellings of older lists, and names that the newest
    list that mentions them sinks in the species (the species file's own placement comes first);
    where lists disagree, the others' placement goes to ``disputed``. Subspecies are the trinomials
    that a list accepts for a taxon that is no species of its own.
    """
    names: defaultdict[str, _Names] = defaultdict(_Names)
    known = {_spaced(row["sciName"]) for row in species}
    for row in species:
        _add_own_names(row, names)
    placed = {name: species for species, own in names.items() for name in own.synonyms}
    for row in checklists:
        _add_aligned_names(row, known, placed, names)
    return [_table_row(row, names[_spaced(row["sciName"])]) for row in species]


def _add_own_names(row: Row, names: Mapping[str, _Names]) -> None:
    """Names that the species file itself holds: older lists' names, synonyms, a name transfer."""
    own = names[_spaced(row["sciName"])]
    given = [row.get(column) or "" for column in ("MSW3_sciName", "CMW_sciName")]
    given.append(row.get("originalNameCombination") or "")
    for name in given:
        if _CELL.fullmatch(_spaced(name)) and _spaced(name) != _spaced(row["sciName"]):
            own.synonyms[_spaced(name)] += 1
    for name in (row.get("nominalNames") or "").split("|"):
        epithet = _EPITHET.match(name.strip())
        if epithet and epithet[0] != row["specificEpithet"]:
            own.synonyms[f"{row['genus']} {epithet[0]}"] += 1
    transfer = _TRANSFER.search(row.get("taxonomyNotes") or "")
    if transfer and transfer[2] == row["specificEpithet"]:
        own.synonyms[f"{row['genus']} {transfer[1]}"] += 1


def _add_aligned_names(
    row: Row, known: set[str], placed: Mapping[str, str], names: Mapping[str, _Names]
) -> None:
    """Names of one row of the alignment: the row's own in each list, or what it is sunk in."""
    cells = [m for cell in row.values() if (m := _CELL.fullmatch((cell or "").strip()))]
    own = [m[1] for m in cells if not m[3] and not m[2]]
    trinomials = [m for m in cells if m[2] and not m[3] and f" {m[1].split()[1]}" != m[2]]
    species = next((name for name in reversed(own) if name in known), "")
    for m in trinomials:
        if m[1] == (species or m[1]) and m[1] in known:
            names[m[1]].subspecies[m[1] + m[2]] += 1
        elif species:
            names[species].synonyms[m[1] + m[2]] += 1
    if species:
        for name in own:
            if name not in known:
                names[species].synonyms[name] += 1
        return
    targets = [m[1] for m in reversed(cells) if m[1] in known]
    for name in own if targets else ():
        target = placed.get(name, targets[0])
        names[target].synonyms[name] += 1
        for other in set(targets) - {target}:
            names[other].disputed[name] += 1


def _table_row(row: Row, names: _Names) -> dict[str, str]:
    vernacular = [row.get("mainCommonName"), *(row.get("otherCommonNames") or "").split("|")]
    several = {
        "synonyms": _ranked(names.synonyms),
        "disputed": [n for n in _ranked(names.disputed) if n not in names.synonyms],
        "subspecies": _ranked(names.subspecies),
        "vernacular": [name for name in vernacular if name and name != "NA"],
    }
    return {
        "species": _spaced(row["sciName"]),
        **{rank: _taxon(row.get(rank)) for rank in RANKS},
        "authority": row.get("authoritySpeciesAuthor") or "",
        "year": row.get("authoritySpeciesYear") or "",
        **{column: "|".join(dict.fromkeys(several[column])) for column in MANY},
    }


def _ranked(names: Counter[str]) -> list[str]:
    """Names, those in most lists first, then by the alphabet."""
    return sorted(names, key=lambda name: (-names[name], name))


def _spaced(name: str) -> str:
    return name.replace("_", " ").strip()


def _taxon(name: str | None) -> str:
    """A higher taxon in the usual spelling; '' for NA and for places that are none."""
    absent = {"", "NA", "INCERTAE SEDIS"}
    return "" if not name or name.upper() in absent else name.strip().capitalize()


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the files named on the command line and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("species", type=Path)
    parser.add_argument("table", type=Path)
    parser.add_argument("--checklists", type=Path)
    parser.add_argument("--source", help="written above the table as a comment")
    given = parser.parse_args(arguments)
    species = list(open_table(given.species, _WHAT))
    checklists = list(open_table(given.checklists, _WHAT)) if given.checklists else []
    with given.table.open("w", encoding="utf-8", newline="") as file:
        if given.source:
            file.write(f"# {' '.join(given.source.split())}\n")
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(build(species, checklists))


if __name__ == "__main__":
    main()
