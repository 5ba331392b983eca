"""What query expansion asks of a taxonomy."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

EXPANSION_RANKS = ("order", "suborder", "family", "subfamily", "genus")
"""Ranks whose names expand a query (KU 3.1, "Query Expansion"), highest first."""

_WORD_EDGES = re.compile(r"^[^\w]+|[^\w.]+$")


@dataclass(frozen=True, slots=True)
class Taxon:
    """A taxon under its accepted name."""

    name: str
    rank: str
    """Such as ``species`` or ``family``."""
    classification: tuple[tuple[str, str], ...] = ()
    """(rank, name) of the taxa it belongs to, highest first, without itself."""
    synonyms: tuple[str, ...] = ()
    """Other scientific names it goes or went by, the most used first."""
    subspecies: tuple[str, ...] = ()
    vernacular: tuple[str, ...] = ()
    """English names, the main one first."""
    children: tuple[str, ...] = ()
    """Taxa of the next lower rank, those with the most species first."""


class Taxonomy(Protocol):
    """A source of taxa."""

    name: str

    def lookup(self, name: str) -> Taxon | None:
        """The taxon of a scientific name, a synonym or a vernacular name; None when unknown.

        Case and white space do not matter.
        """

    def suggest(self, name: str) -> str:
        """The known name that a misspelt one is closest to, '' when none is close."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A taxon named in a query."""

    taxon: Taxon
    text: str
    """As written in the query."""
    before: str
    after: str

    def with_name(self, name: str) -> str:
        """The query with another name in the place of this one."""
        return " ".join(part for part in (self.before, name, self.after) if part)


def find_mention(query: str, taxonomy: Taxonomy) -> Mention | None:
    """The taxon that a query names: the longest run of its words that is a name, then the first."""
    words = query.split()
    for length in range(len(words), 0, -1):
        for start in range(len(words) - length + 1):
            text = " ".join(words[start : start + length])
            taxon = taxonomy.lookup(_WORD_EDGES.sub("", text))
            if taxon is not None:
                before, after = words[:start], words[start + length :]
                return Mention(taxon, text, " ".join(before), " ".join(after))
    return None
