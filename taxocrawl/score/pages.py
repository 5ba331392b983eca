"""Which of a document's texts a scorer reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from taxocrawl.items import Document

FIELDS: Mapping[str, Callable[[Document], str]] = {
    "title": lambda document: document.title,
    "text": lambda document: document.text,
    "keywords": lambda document: document.keywords,
    "description": lambda document: document.description,
    "images": lambda document: document.image_text,
}
"""``images`` are the titles and alternative texts of a page's images."""

NUTCH_FIELDS = ("text", "keywords", "description")
"""What Nutch's document compares: parsed text, meta keywords, meta description."""
DEFAULT_FIELDS = ("title", "text")


def checked_fields(names: Iterable[str]) -> tuple[str, ...]:
    """The names, each of which must be one of `FIELDS`; raises ArgumentError otherwise."""
    checked = tuple(name.strip() for name in names)
    for name in checked:
        if name not in FIELDS:
            raise ArgumentError(f"page field {name!r}: expected some of {', '.join(FIELDS)}")
    if not checked:
        raise ArgumentError(f"no page fields: expected some of {', '.join(FIELDS)}")
    return checked


def page_text(document: Document, fields: Iterable[str] = DEFAULT_FIELDS) -> str:
    """The texts of the named fields, each on lines of its own; a missing one adds nothing."""
    return "\n".join(part for field in fields if (part := FIELDS[field](document)))
