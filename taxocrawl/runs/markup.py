"""HTML made of values that come from the web: nothing in them becomes markup or a script."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from taxocrawl.text.normalise import fold_whitespace, normalise_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_STORED_FILE = re.compile(r"documents/[0-9A-Za-z_-]+(\.[0-9A-Za-z_-]+)*")


def shown(value: object, limit: int = 300) -> str:
    """A value as escaped text on one line, cut after `limit` characters.

    Control and direction marks are left out, and `bdi` keeps right-to-left text from turning
    around what stands beside it.
    """
    text = fold_whitespace(normalise_text(str(value)))
    if len(text) > limit:
        text = text[: limit - 1].rstrip() + "…"
    escaped = html.escape(text)
    return escaped if text.isascii() else f"<bdi>{escaped}</bdi>"


def web_link(url: str, text: str = "") -> str:
    """A link to an http or https address; for every other address, its text alone."""
    label = shown(text or url, 200)
    if not _is_web_address(url):
        return label
    return f'<a href="{html.escape(url)}" rel="noopener noreferrer nofollow">{label}</a>'


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    printable = url.isprintable() and " " not in url
    return printable and parts.scheme in ("http", "https") and bool(parts.netloc)


def file_link(path: str, text: str) -> str:
    """A link to a document of the run's folder; the text alone for every other path."""
    if not _STORED_FILE.fullmatch(path):
        return shown(text)
    return f'<a href="{html.escape(path)}">{shown(text)}</a>'


def table(caption: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table that scrolls by itself on a narrow screen; the first cell of a row is its header.

    Caption and header are plain text; the cells are HTML already.
    """
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in header)
    body = "\n".join(
        f'<tr><th scope="row">{row[0]}</th>'
        + "".join(f"<td>{cell}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    name = html.escape(caption)
    return (
        f'<div class="wide" role="region" aria-label="{name}" tabindex="0"><table>\n'
        f"<caption>{name}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def section(name: str, heading: str, *parts: str) -> str:
    """A part of the page under a heading; empty parts are left out."""
    body = "\n".join(part for part in parts if part)
    return (
        f'<section aria-labelledby="{name}">\n<h2 id="{name}">{html.escape(heading)}</h2>\n'
        f"{body}\n</section>"
    )
