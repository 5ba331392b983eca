"""HTML and plain text to documents."""

from __future__ import annotations

from taxocrawl.documents.charset import decode
from taxocrawl.documents.directives import RobotsDirectives, robots_directives
from taxocrawl.documents.language import language_of
from taxocrawl.documents.links import Base, outlinks
from taxocrawl.documents.main_text import main_text
from taxocrawl.documents.markup import Markup, read_markup
from taxocrawl.documents.metadata import Bibliographic, bibliographic, language_code
from taxocrawl.exceptions import ExtractionError
from taxocrawl.items import Document, Kind
from taxocrawl.text.normalise import fold_whitespace, normalise_text

__all__ = [
    "RobotsDirectives",
    "extract_html",
    "extract_text",
    "language_of",
    "robots_directives",
]

_ROBOTS_META = frozenset({"robots", "taxocrawl"})
MAX_BYTES = 16 * 1024 * 1024
"""What is read of a page; the rest of a longer one is left out and the document flagged."""
MAX_LINKS = 10_000
"""Links read of one page; those beyond are counted as dropped."""


def extract_html(
    body: bytes,
    url: str,
    charset: str | None = None,
    *,
    max_bytes: int = MAX_BYTES,
    max_links: int = MAX_LINKS,
) -> Document:
    """Text, metadata and outlinks of an HTML page.

    `url` is the address that the page came from after redirects, `charset` the one of its
    Content-Type header. One pass, linear in the size of the body. Flags: ``partial`` when the
    page was longer than `max_bytes`. Raises ExtractionError ``empty`` for a body without any
    character; a page without visible text is a document with empty text.
    """
    source = decode(body[:max_bytes], charset)
    if not source.strip(" \t\r\n\f\x00\ufeff"):
        raise ExtractionError("empty", url)
    markup = read_markup(source, max_links)
    base = Base(url, markup.base)
    about = bibliographic(markup.metas, markup.json_ld)
    links, dropped = outlinks(markup.anchors, base)
    if markup.anchors_over_limit:
        dropped["over limit"] = markup.anchors_over_limit
    forbidden = robots_directives(value for name, value in markup.metas if name in _ROBOTS_META)
    return Document(
        kind=Kind.HTML,
        text=main_text(markup.blocks),
        title=about.title or markup.title or _meta(markup, "og:title") or _first_heading(markup),
        authors=about.authors,
        year=about.year,
        doi=about.doi,
        language=_language(markup, about),
        keywords=_meta(markup, "keywords", "citation_keywords", "dc.subject"),
        description=_meta(markup, "description", "og:description", "dc.description"),
        canonical_url=_absolute(base, markup.canonical),
        pdf_url=_absolute(base, about.pdf_url),
        outlinks=links,
        dropped_links=dict(sorted(dropped.items())),
        image_text="\n".join(text for text in markup.images if text),
        noindex=forbidden.noindex,
        nofollow=forbidden.nofollow,
        flags=("partial",) if len(body) > max_bytes else (),
    )


def extract_text(body: bytes, url: str, charset: str | None = None) -> Document:
    """The document of a plain-text download: its lines, the first of them as title.

    Raises ExtractionError ``empty`` for a body without any character.
    """
    lines = [
        fold_whitespace(line)
        for line in normalise_text(decode(body[:MAX_BYTES], charset)).split("\n")
    ]
    text = "\n".join(line for line in lines if line)
    if not text:
        raise ExtractionError("empty", url)
    flags = ("partial",) if len(body) > MAX_BYTES else ()
    return Document(kind=Kind.TEXT, text=text, title=text.split("\n", 1)[0][:200], flags=flags)


def _meta(markup: Markup, *names: str) -> str:
    """The contents of the first of the named meta elements that is there, joined by commas."""
    for name in names:
        values = [fold_whitespace(value) for key, value in markup.metas if key == name]
        joined = ", ".join(dict.fromkeys(filter(None, values)))
        if joined:
            return normalise_text(joined)
    return ""


def _first_heading(markup: Markup) -> str:
    return next((block.text for block in markup.blocks if block.heading), "")


def _language(markup: Markup, about: Bibliographic) -> str:
    return language_code(markup.language) or about.language


def _absolute(base: Base, href: str) -> str:
    return base.resolve(href)[0] if href.strip() else ""
