"""The small web's scholarly search: answers in the shape of Crossref's ``/works``."""

from __future__ import annotations

import base64
import binascii
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

from tests.sites.content import CONTENT, ContentError, absolute, text

MAX_ROWS = 1000
WORD = re.compile(r"[^\W\d_]{2,}")
CURSOR_PREFIX = b"\x02\x82\x7f\x32"
"""Gives cursors like Crossref's, which begin with ``AoJ/M`` and hold characters to be encoded."""


class BadQueryError(Exception):
    """A parameter that Crossref would refuse with status 400."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the search's index (content/search.toml)."""

    title: str
    abstract: str
    item: dict[str, Any]


def works(query_string: str, port: int) -> dict[str, Any]:
    """The answer to ``/works?query_string``; raises BadQueryError."""
    parameters = dict(parse_qsl(query_string, keep_blank_values=True))
    words = " ".join(
        value for name, value in parameters.items() if name == "query" or name[:6] == "query."
    )
    rows = _number(parameters, "rows", 20, MAX_ROWS)
    cursor = parameters.get("cursor", "")
    start = _position(cursor) if cursor else _number(parameters, "offset", 0, 10_000)
    found = _ranked(words, port)
    message: dict[str, Any] = {
        "facets": {},
        "total-results": len(found),
        "items": found[start : start + rows],
        "items-per-page": rows,
        "query": {"start-index": start, "search-terms": words or None},
    }
    if cursor:  # the real one names a next cursor on the last page, too
        message["next-cursor"] = _cursor(min(start + rows, len(found)))
    return _envelope("work-list", message)


def work(doi: str, port: int) -> dict[str, Any] | None:
    """The answer to ``/works/DOI``, None for an unknown DOI."""
    for row in _index(port):
        if row.item.get("DOI", "").lower() == doi.lower():
            return _envelope("work", row.item)
    return None


def refusal(message: str) -> dict[str, Any]:
    """The body of a status 400."""
    detail = {"type": "parameter-not-allowed", "value": "", "message": message}
    return {"status": "failed", "message-type": "validation-failure", "message": [detail]}


def _envelope(kind: str, message: dict[str, Any]) -> dict[str, Any]:
    return {
        "status": "ok",
        "message-type": kind,
        "message-version": "1.0.0",
        "message": message,
    }


def _number(parameters: dict[str, str], name: str, default: int, most: int) -> int:
    value = parameters.get(name, str(default))
    if not value.isdecimal() or int(value) > most:
        raise BadQueryError(f"{name}: expected a whole number from 0 to {most}, got {value!r}")
    return int(value)


def _cursor(position: int) -> str:
    return base64.b64encode(CURSOR_PREFIX + b"\xfb" + position.to_bytes(3)).decode("ascii")


def _position(cursor: str) -> int:
    if cursor == "*":
        return 0
    try:
        raw = base64.b64decode(cursor, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadQueryError(f"cursor: {cursor!r} was not given out by this server") from error
    if raw[:5] != CURSOR_PREFIX + b"\xfb" or len(raw) != 8:
        raise BadQueryError(f"cursor: {cursor!r} was not given out by this server")
    return int.from_bytes(raw[5:])


def _words(source: str) -> set[str]:
    return {word.lower() for word in WORD.findall(source)}


def _ranked(query: str, port: int) -> list[dict[str, Any]]:
    """Items by word overlap: 3 a word of the title, 1 a word of the abstract; ties in order."""
    wanted = _words(query)
    scored = []
    for position, row in enumerate(_index(port)):
        score = 3 * len(wanted & _words(row.title)) + len(wanted & _words(row.abstract))
        if score or not wanted:
            scored.append((-score, position, {**row.item, "score": float(score)}))
    return [item for _, _, item in sorted(scored, key=lambda entry: entry[:2])]


@cache
def _index(port: int) -> tuple[Row, ...]:
    path = CONTENT / "search.toml"
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["row"]
    return tuple(_row(entry, port) for entry in entries)


def _row(entry: dict[str, Any], port: int) -> Row:
    if "article" in entry:
        source = text("articles", entry["article"])
        known: dict[str, Any] = {
            "title": source.title.replace("*", ""),
            "abstract": source.abstract.replace("*", ""),
            "doi": source.doi,
            "authors": list(source.authors),
            "journal": source.journal,
            "year": source.year,
            "language": source.language,
        }
        entry = known | entry
    if "title" not in entry:
        raise ContentError(f"search.toml: expected a title or an article in {entry}")
    return Row(entry["title"], entry.get("abstract", ""), _item(entry, port))


def _item(entry: dict[str, Any], port: int) -> dict[str, Any]:
    item: dict[str, Any] = {
        "title": [entry["title"]],
        "type": entry.get("type", "journal-article"),
        "publisher": entry.get("publisher", "Small Web Press"),
        "container-title": [entry["journal"]] if entry.get("journal") else [],
        "author": [_author(name) for name in entry.get("authors", [])],
        "published": {"date-parts": [[entry["year"]]]} if entry.get("year") else {},
        "language": entry.get("language", "en"),
    }
    if doi := entry.get("doi"):
        item["DOI"] = doi
        item["URL"] = absolute(f"//search/doi/{doi}", port)
    if abstract := entry.get("abstract"):
        item["abstract"] = f"<jats:p>{abstract}</jats:p>"
    if url := entry.get("url"):
        item["resource"] = {"primary": {"URL": absolute(url, port)}}
    if pdf := entry.get("pdf"):
        item["link"] = [_link(absolute(pdf, port))]
    return item


def _author(name: str) -> dict[str, str]:
    given, _, family = name.rpartition(" ")
    return {"given": given, "family": family, "sequence": "additional"}


def _link(url: str) -> dict[str, str]:
    return {
        "URL": url,
        "content-type": "application/pdf",
        "content-version": "vor",
        "intended-application": "text-mining",
    }
