"""Crossref's works route, and any service that answers in its shape.

Documented at https://api.crossref.org/swagger-ui/. Needs no key; with a contact address requests go
to the polite pool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taxocrawl.exceptions import SeedError
from taxocrawl.seeds.base import Use
from taxocrawl.seeds.paged import PagedSearch
from taxocrawl.seeds.works import Row, RowPage, make_row

if TYPE_CHECKING:
    from collections.abc import Iterator

FIELDS = "DOI,title,URL,resource,link,license,abstract,container-title"
OPEN_LICENCES = ("creativecommons.org", "open-access", "openaccess")
"""What the address of an open licence holds."""


class Crossref(PagedSearch):
    """Seeds from Crossref, by its own relevance.

    A work's seed is its open full text where the record names one: a link to a PDF, then one to
    HTML; else its landing page, else its DOI. When a record states licences and none of them is
    open, its full-text links come after the landing page: they lead to a paywall.
    """

    name = "crossref"
    default_url = "https://api.crossref.org/works"
    # Crossref allows 1000, but slow answers are cut off (its own advice).
    max_rows = 200
    contact_parameter = "mailto"

    def _words(self, query: str) -> str:
        return " ".join(query.split())

    def _parameters(self, words: str, rows: int, mark: str) -> dict[str, str]:
        return {
            "query.bibliographic": words,
            "rows": str(rows),
            "cursor": mark,
            "select": FIELDS,
        }

    def _read(self, answer: dict[str, Any], mark: str) -> RowPage:
        message = answer.get("message")
        items = message.get("items") if isinstance(message, dict) else None
        if not isinstance(message, dict) or not isinstance(items, list):
            raise SeedError(f"{self.name}: expected a list in message.items, got none")
        cursor = message.get("next-cursor")
        total = message.get("total-results")
        return RowPage(
            tuple(read_item(item) for item in items),
            next_cursor=cursor if isinstance(cursor, str) else "",
            total=total if isinstance(total, int) and total > 0 else None,
        )


def read_item(item: object) -> Row:
    """One work of Crossref's answer; fields of an unexpected type count as absent."""
    if not isinstance(item, dict):
        return Row()
    snippet = item.get("abstract") or _first(item.get("container-title"))
    return make_row(_first(item.get("title")), snippet, item.get("DOI"), _links(item))


def _links(item: dict[str, Any]) -> Iterator[tuple[Use, object]]:
    closed = _is_closed(item.get("license"))
    for link in _dicts(item.get("link")):
        use = _use(link)
        if use is not None:
            yield (Use.CLOSED if closed else use), link.get("URL")
    resource = item.get("resource")
    primary = resource.get("primary") if isinstance(resource, dict) else None
    if isinstance(primary, dict):
        yield Use.LANDING, primary.get("URL")
    yield Use.DOI, item.get("URL")


def _use(link: dict[str, Any]) -> Use | None:
    """What a full-text link leads to; None for forms that no classifier of ours reads."""
    kind = str(link.get("content-type") or "unspecified").partition(";")[0].strip().lower()
    if kind == "application/pdf":
        return Use.OPEN_PDF
    if kind in {"text/html", "application/xhtml+xml"}:
        return Use.OPEN_HTML
    return Use.UNSTATED if kind == "unspecified" else None


def _is_closed(licences: object) -> bool:
    """Whether licences are stated and none of them is an open one."""
    addresses = [str(licence.get("URL") or "").lower() for licence in _dicts(licences)]
    stated = [address for address in addresses if address]
    return bool(stated) and not any(mark in a for a in stated for mark in OPEN_LICENCES)


def _dicts(value: object) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _first(value: object) -> object:
    """The first of a list (titles are lists of one), or the value itself."""
    return (value[0] if value else "") if isinstance(value, list) else value
