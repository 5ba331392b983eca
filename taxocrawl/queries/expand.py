"""Query expansion, generic and taxonomic (KU 3.1, "Query Expansion", and 4.3.3)."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.queries.table import BATS, TableTaxonomy
from taxocrawl.queries.taxonomy import EXPANSION_RANKS, Mention, Taxonomy, find_mention
from taxocrawl.shipped import shipped_path
from taxocrawl.text.files import read_entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

logger = logging.getLogger(__name__)

STYLES = ("none", "generic", "taxonomic")
GENERIC_TERMS = shipped_path("queries/data/generic_terms.txt")
TAXONOMIC_TERM = "phylogenetic"
"""Word that the taxonomically expanded queries of KU 4.3.3 end with."""
MAX_SUBSPECIES = 5
MAX_SYNONYMS = 5
MAX_CHILDREN = 5
"""Names of each kind that one query is expanded with: each costs a search."""


@dataclass(frozen=True, slots=True)
class ExpandedQuery:
    """A query that is put to the seed providers."""

    text: str
    style: str
    source_query: str
    relation: str = "query"
    """What was added: ``query`` (nothing), ``term``, a rank, ``synonym``, …"""
    note: str = ""
    """One line when the query could not be expanded."""


def read_terms(path: str | Path | None = None) -> tuple[str, ...]:
    """The general terms of a file, one a line; those that ship with taxocrawl by default.

    Raises InputFileError for a file that cannot be read or has no term.
    """
    path = Path(path) if path else GENERIC_TERMS
    terms = dict.fromkeys(" ".join(t.split()) for t in read_entries(path, "a list of terms"))
    if not terms:
        raise InputFileError(f"{path}: expected a list of terms, one a line, found none")
    return tuple(terms)


def expand(
    query: str,
    style: str,
    *,
    taxonomy: Taxonomy | None = None,
    terms: Sequence[str] = (),
) -> list[ExpandedQuery]:
    """The distinct queries that stand for one query of the user, most telling first.

    ``none``: the query alone, exactly as written. ``generic``: the query with each general term,
    in quotes when it has several words (`terms`; those that ship when empty). ``taxonomic``: see
    docs/queries.md; needs a `taxonomy`. A query in which no taxon is found stands for itself and
    has a `note`.

    Raises ArgumentError for an unknown style or a blank query.
    """
    if style not in STYLES:
        raise ArgumentError(f"expand: expected one of {', '.join(STYLES)}, got {style!r}")
    if not query.strip():
        raise ArgumentError("query: expected at least one word, got none")
    if style == "none":
        return [ExpandedQuery(query, style, query)]
    folded = " ".join(query.split())
    if style == "generic":
        pairs = [("term", f"{folded} {_quoted(term)}") for term in terms or read_terms()]
        return _distinct(query, style, pairs)
    if taxonomy is None:
        raise ArgumentError("expand: taxonomic expansion needs a taxonomy, got none")
    mention = find_mention(folded, taxonomy)
    if mention is None:
        note = _unknown(folded, taxonomy)
        logger.warning("expand: %s", note)
        return [ExpandedQuery(folded, style, query, note=note)]
    return _distinct(query, style, _taxonomic(folded, mention), _misspelt(mention, taxonomy))


def expand_all(
    queries: Iterable[str],
    style: str,
    *,
    terms_file: str | Path | None = None,
    taxonomy_file: str | Path | None = None,
) -> list[str]:
    """The distinct texts that all `queries` expand to, in their order.

    The files are read only when the style needs them; those that ship are the defaults. Raises
    ArgumentError as `expand` does, and InputFileError for a file that cannot be used.
    """
    terms = read_terms(terms_file) if style == "generic" else ()
    taxonomy = TableTaxonomy(taxonomy_file or BATS) if style == "taxonomic" else None
    texts: dict[str, str] = {}
    for query in queries:
        for expanded in expand(query, style, taxonomy=taxonomy, terms=terms):
            texts.setdefault(expanded.text.casefold(), expanded.text)
    return list(texts.values())


def _taxonomic(query: str, mention: Mention) -> Iterator[tuple[str, str]]:
    """(relation, text) of each taxonomically expanded query."""
    taxon = mention.taxon
    higher = dict(taxon.classification)
    # A synonym or an English name: go on with the accepted name as well.
    accepted = mention.with_name(taxon.name)
    yield "query", query
    yield "accepted name", accepted
    if TAXONOMIC_TERM[:8] not in query.casefold():
        yield "term", f"{accepted} {TAXONOMIC_TERM}"
    root = higher.get("genus", taxon.name)
    yield "genus", f"{root} {TAXONOMIC_TERM}"
    if "order" in higher:
        yield "order", f"{root} {higher['order']} {TAXONOMIC_TERM}"
    present = query.casefold()
    for rank in EXPANSION_RANKS:
        name = higher.get(rank, "")
        if name and name.casefold() not in present and not accepted.startswith(f"{name} "):
            yield rank, f"{query} {name}"
    for name in taxon.subspecies[:MAX_SUBSPECIES]:
        yield "subspecies", mention.with_name(name)
    for name in taxon.synonyms[:MAX_SYNONYMS]:
        yield "synonym", mention.with_name(name)
    if taxon.rank not in {"species", "genus"}:
        for name in taxon.children[:MAX_CHILDREN]:
            yield "narrower taxon", f"{query} {name}"


def _unknown(query: str, taxonomy: Taxonomy) -> str:
    words = query.split()
    candidates = dict.fromkeys((query, " ".join(words[:2]), words[0]))
    close = next((name for c in candidates if (name := taxonomy.suggest(c))), "")
    hint = f"; did you mean {close!r}?" if close else ""
    return f"no taxon of the {taxonomy.name} table in {query!r}, which is searched as it is{hint}"


def _misspelt(mention: Mention, taxonomy: Taxonomy) -> str:
    """A line about a species whose genus alone is known, perhaps for a wrong letter."""
    if mention.taxon.rank != "genus" or not mention.after:
        return ""
    name = f"{mention.text} {mention.after.split()[0]}"
    close = taxonomy.suggest(name)
    if not close.startswith(f"{mention.taxon.name} "):
        return ""
    note = f"{name!r} is no species of the {taxonomy.name} table; did you mean {close!r}?"
    logger.warning("expand: %s", note)
    return note


def _distinct(
    query: str, style: str, pairs: Iterable[tuple[str, str]], note: str = ""
) -> list[ExpandedQuery]:
    """Each text once, whatever its case; the note goes with the first."""
    found: dict[str, ExpandedQuery] = {}
    for relation, text in pairs:
        first_note = "" if found else note
        expanded = ExpandedQuery(text, style, query, relation, first_note)
        found.setdefault(text.casefold(), expanded)
    return list(found.values())


def _quoted(term: str) -> str:
    return f'"{term}"' if " " in term and '"' not in term else term
