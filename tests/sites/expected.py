"""What is true of the small web's documents, and what a right crawl of it exports.

`truth.csv` says of each document: its label; whether a crawl with the query "Pteropus vampyrus" and
default settings must export it (yes), may (optional) or must not (no); the iteration in which it is
reached; and the document of which it is another address.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.sites.content import absolute

QUERY = "Pteropus vampyrus"
TRUTH = Path(__file__).with_name("truth.csv")


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of truth.csv; addresses are ``//host/path``."""

    address: str
    label: str
    export: str
    iteration: int | None
    same_as: str
    why: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a crawl's exports differ from the right ones, as sorted addresses ``//host/path``."""

    missing: tuple[str, ...]
    forbidden: tuple[str, ...]
    """Exported, though they must not be."""
    repeated: tuple[str, ...]
    """Documents exported more than once, under one address or several."""

    @property
    def right(self) -> bool:
        return not (self.missing or self.forbidden or self.repeated)


@cache
def facts() -> tuple[Fact, ...]:
    """All lines of truth.csv, in order."""
    with TRUTH.open(encoding="utf-8", newline="") as file:
        return tuple(
            Fact(
                address=row["url"],
                label=row["label"],
                export=row["export"],
                iteration=int(row["iteration"]) if row["iteration"] else None,
                same_as=row["same_as"],
                why=row["why"],
            )
            for row in csv.DictReader(file)
        )


EXPORTED: dict[str, int] = {
    fact.address: fact.iteration
    for fact in facts()
    if fact.export == "yes" and not fact.same_as and fact.iteration is not None
}
"""The documents that a right crawl exports, with the iteration that brings them."""

COUNT = len(EXPORTED)
OPTIONAL = frozenset(fact.address for fact in facts() if fact.export == "optional")
"""Documents that may be exported or not: landing pages, a checklist, a page marked noindex."""


def truth(port: int) -> list[tuple[str, str]]:
    """(url, label) of every document of the small web on `port`."""
    return [(absolute(fact.address, port), fact.label) for fact in facts()]


def write_truth(path: Path, port: int) -> None:
    """Write the truth as the CSV with header ``url,label`` that a crawl takes as ``truth=``."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("url", "label"), *truth(port)])


def expected_urls(port: int) -> dict[str, int]:
    """`EXPORTED` with URLs of the small web on `port`."""
    return {absolute(address, port): iteration for address, iteration in EXPORTED.items()}


def compare(urls: Iterable[str], port: int) -> Comparison:
    """Compare the final URLs of the exported documents, one for each export, with the right ones.

    Either address counts for a document that has two. A URL that truth.csv does not know is
    forbidden.
    """
    addresses = {absolute(fact.address, port): fact.same_as or fact.address for fact in facts()}
    exported = [addresses.get(url, url) for url in urls]
    allowed = EXPORTED.keys() | OPTIONAL
    return Comparison(
        missing=tuple(sorted(EXPORTED.keys() - set(exported))),
        forbidden=tuple(sorted(set(exported) - allowed)),
        repeated=tuple(sorted({one for one in exported if exported.count(one) > 1})),
    )
