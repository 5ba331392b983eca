"""Rows of search answers joined to distinct works, each with its links in order of use."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError, SeedError
from taxocrawl.frontier.urls import canonicalize, unfetchable
from taxocrawl.seeds.base import SearchOutcome, SearchResult, Use
from taxocrawl.text.doi import doi_from_url, doi_url, normalise_doi

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

MAX_BARREN_PAGES = 5
"""Pages in a row that bring no new work, after which an endless answer is left."""
SNIPPET_LENGTH = 500

_MARKUP = re.compile(r"<[^<>]{0,2000}>")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of an answer, as a provider read it."""

    title: str = ""
    snippet: str = ""
    doi: str = ""
    links: tuple[tuple[Use, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RowPage:
    """One page of an answer."""

    rows: tuple[Row, ...]
    next_cursor: str = ""
    """'' when the service says that this was the last page."""
    total: int | None = None


def usable_link(value: object) -> str:
    """`value` as an http(s) URL that can be fetched, or ''."""
    if not isinstance(value, str):
        return ""
    url = value.strip().replace("&amp;", "&").replace(" ", "%20")
    return url if url.isprintable() and not unfetchable(url) else ""


def plain_text(value: object, length: int = SNIPPET_LENGTH) -> str:
    """`value` without markup and on one line of at most `length` characters; '' if no string."""
    if not isinstance(value, str):
        return ""
    text = " ".join(html.unescape(_MARKUP.sub(" ", value)).split())
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def make_row(
    title: object, snippet: object, doi: object, links: Iterable[tuple[Use, object]]
) -> Row:
    """A row with its usable links, best first and each once, the DOI's own link last."""
    name = normalise_doi(doi) if isinstance(doi, str) else ""
    found = [(use, url) for use, value in links if (url := usable_link(value))]
    if name:
        # dx.doi.org and the like are other spellings of the same address.
        found = [link for link in found if link[0] is not Use.DOI or doi_from_url(link[1]) != name]
        found.append((Use.DOI, doi_url(name)))
    return Row(plain_text(title), plain_text(snippet), name, _ordered(found))


@dataclass(slots=True)
class _Work:
    rank: int
    row: Row


@dataclass(slots=True)
class Works:
    """Distinct works in rank order, joined by DOI and by the canonical form of the link to use."""

    without_link: int = 0
    repeats: int = 0
    _works: list[_Work] = field(default_factory=list)
    _by_doi: dict[str, _Work] = field(default_factory=dict)
    _by_link: dict[str, _Work] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._works)

    def add(self, row: Row) -> int:
        """Add a row; return the place (from 0) of its work, or -1 when it has no usable link."""
        if not row.links:
            self.without_link += 1
            return -1
        work = self._known(row)
        if work is None:
            work = _Work(len(self._works) + 1, row)
            self._works.append(work)
        else:
            self.repeats += 1
            work.row = _joined(work.row, row)
        if work.row.doi:
            self._by_doi.setdefault(work.row.doi, work)
        self._by_link.setdefault(canonicalize(work.row.links[0][1]), work)
        return work.rank - 1

    def results(self, provider: str, query: str) -> list[SearchResult]:
        """All works as results of one provider's answer to one query, in rank order."""
        return [result(work.row, work.rank, provider, query) for work in self._works]

    def rows(self) -> list[Row]:
        """All works in rank order."""
        return [work.row for work in self._works]

    def _known(self, row: Row) -> _Work | None:
        by_doi = self._by_doi.get(row.doi) if row.doi else None
        return by_doi or self._by_link.get(canonicalize(row.links[0][1]))


def result(row: Row, rank: int, provider: str, query: str) -> SearchResult:
    """A row as a result: its best link, and the others as alternatives."""
    uses, (first, *others) = zip(*row.links, strict=True)
    return SearchResult(
        first, row.title, row.snippet, row.doi, rank, provider, query, tuple(others), uses
    )


async def page_through(
    read_page: Callable[[str], Awaitable[RowPage]],
    first_cursor: str,
    limit: int,
) -> tuple[Works, str]:
    """Read pages until `limit` distinct works are found or the answer ends: (works, problem).

    An answer ends with a page without rows, without a next cursor, at its own total, or after
    `MAX_BARREN_PAGES` pages that brought nothing new. A page full of rows without a usable link
    is no end. Raises SeedError when a page fails before any work was found; later failures are
    returned as the problem.
    """
    works, cursor, seen, barren = Works(), first_cursor, 0, 0
    while len(works) < limit and barren < MAX_BARREN_PAGES:
        before = len(works)
        try:
            page = await read_page(cursor)
        except SeedError as error:
            if not before:
                raise
            return works, str(error)
        for row in page.rows:
            works.add(row)
        seen += len(page.rows)
        barren = barren + 1 if len(works) == before else 0
        at_end = page.total is not None and seen >= page.total
        if not page.rows or not page.next_cursor or at_end:
            break
        cursor = page.next_cursor
    return works, ""


def outcome(
    works: Works, provider: str, query: str, limit: int, *, requests: int = 0, problem: str = ""
) -> SearchOutcome:
    """What `works` are as the answer to one query: the first `limit`, the rest in reserve."""
    found = works.results(provider, query)
    return SearchOutcome(
        tuple(found[:limit]),
        without_link=works.without_link,
        repeats=works.repeats,
        requests=requests,
        reserves=tuple(found[limit:]),
        problem=problem,
    )


def check_search(query: str, limit: int) -> None:
    """Raise ArgumentError for a blank query or a limit below 1."""
    if not query.strip():
        raise ArgumentError("query: expected at least one word, got none")
    if limit < 1:
        raise ArgumentError(f"seed limit: expected a number from 1, got {limit}")


def page_size(limit: int, most: int) -> int:
    """Rows to ask for at once: half as many again as wanted, in reserve for dead links."""
    return min(most, max(20, limit + limit // 2))


def _ordered(links: Iterable[tuple[Use, str]]) -> tuple[tuple[Use, str], ...]:
    """By use, then in the order given; each URL once."""
    best: dict[str, Use] = {}
    for use, url in sorted(links, key=lambda link: link[0]):
        best.setdefault(url, use)
    return tuple((use, url) for url, use in best.items())


def _joined(first: Row, second: Row) -> Row:
    return Row(
        first.title or second.title,
        first.snippet or second.snippet,
        first.doi or second.doi,
        _ordered([*first.links, *second.links]),
    )
