"""HTML of the small web's articles, landing pages and pages."""

from __future__ import annotations

import html
import re
from functools import cache
from string import Template

from tests.sites.content import CONTENT, Block, Host, Route, Text, absolute, text, title_of

LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)(\{nofollow\})?")
DOI = re.compile(r"doi:(10\.5555/[\w./]+\w)")
BOLD = re.compile(r"\*\*(.+?)\*\*")
ITALIC = re.compile(r"\*(.+?)\*")


def inline(source: str, port: int) -> str:
    """Markup within a paragraph as HTML."""

    def anchor(match: re.Match[str]) -> str:
        rel = ' rel="nofollow"' if match[3] else ""
        return f'<a href="{absolute(match[2], port)}"{rel}>{match[1]}</a>'

    escaped = DOI.sub(
        rf'<a href="{absolute("//search/doi/", port)}\1">\g<0></a>', html.escape(source)
    )
    return ITALIC.sub(r"<i>\1</i>", BOLD.sub(r"<b>\1</b>", LINK.sub(anchor, escaped)))


def block_html(block: Block, port: int) -> str:
    if block.kind == "heading":
        return f"<h2>{inline(block.text, port)}</h2>"
    if block.kind == "list":
        return "<ul>" + "".join(f"<li>{inline(row[0], port)}</li>" for row in block.rows) + "</ul>"
    if block.kind == "table":
        head, *body = (
            "".join(f"<td>{inline(cell, port)}</td>" for cell in row) for row in block.rows
        )
        rows = "".join(f"<tr>{row}</tr>" for row in body)
        head = head.replace("td>", "th>")
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f"<p>{inline(block.text, port)}</p>"


def article(host: Host, route: Route, port: int) -> str:
    """An article in full, with its metadata and links to related ones."""
    source = text("articles", route.article)
    body = "".join(block_html(block, port) for block in source.blocks)
    return _frame(host, route, source, _byline(source, port) + body + _related(source, port), port)


def landing(host: Host, route: Route, port: int) -> str:
    """What a publisher shows before the full text: abstract, metadata, a link to the PDF."""
    source = text("articles", route.landing)
    keywords = ", ".join(source.keywords)
    full_text = (
        f'<p class="galley"><a href="{absolute(route.pdf_url, port)}">Full text (PDF)</a></p>'
        if route.pdf_url
        else ""
    )
    body = (
        f"<h2>Abstract</h2><p>{inline(source.abstract, port)}</p>"
        f"<p><b>Keywords:</b> {html.escape(keywords)}</p>{full_text}"
    )
    return _frame(host, route, source, _byline(source, port) + body + _related(source, port), port)


def page(host: Host, route: Route, port: int) -> str:
    """A page that is no article: contents, news, help, an encyclopaedia entry."""
    source = text("pages", route.page)
    body = "".join(block_html(block, port) for block in source.blocks)
    return _frame(host, route, source, body + _related(source, port), port)


def simple(host: Host, title: str, body: str, port: int) -> str:
    """A page made by the server, in the host's frame."""
    return _frame(host, Route(page="-"), Text(slug="-", title=title, blocks=()), body, port)


def _frame(host: Host, route: Route, source: Text, body: str, port: int) -> str:
    return _template(host.key).substitute(
        language=source.language,
        title=html.escape(re.sub(r"\*", "", source.title)),
        heading=inline(source.title, port),
        head=_metadata(route, source, port),
        site=html.escape(host.name),
        tagline=html.escape(host.tagline),
        body=body,
    )


@cache
def _template(key: str) -> Template:
    return Template((CONTENT / "templates" / f"{key}.html").read_text(encoding="utf-8"))


def _metadata(route: Route, source: Text, port: int) -> str:
    values: list[tuple[str, str]] = []
    if route.encoding != "utf-8":
        values.append(("", route.encoding))
    if source.doi:
        plain = re.sub(r"\*", "", source.title)
        values.append(("citation_title", plain))
        values += [("citation_author", author) for author in source.authors]
        values += [
            ("citation_journal_title", source.journal),
            ("citation_publication_date", str(source.year)),
            ("citation_volume", source.volume),
            ("citation_doi", source.doi),
            ("citation_language", source.language),
        ]
    values += [
        ("citation_pdf_url", absolute(route.pdf_url, port)),
        ("keywords", ", ".join(source.keywords)),
        ("description", source.description),
        ("robots", source.robots),
    ]
    tags = [_meta(name, value) for name, value in values if value]
    if route.refresh:
        url = absolute(route.refresh, port)
        tags.append(f'<meta http-equiv="refresh" content="0; url={url}">')
    if source.canonical:
        tags.append(f'<link rel="canonical" href="{absolute(source.canonical, port)}">')
    return "\n".join(tags)


def _meta(name: str, value: str) -> str:
    if not name:
        return f'<meta http-equiv="Content-Type" content="text/html; charset={value}">'
    return f'<meta name="{name}" content="{html.escape(value)}">'


def _byline(source: Text, port: int) -> str:
    resolver = absolute(f"//search/doi/{source.doi}", port)
    return (
        f'<p class="authors">{html.escape(", ".join(source.authors))}</p>'
        f'<p class="citation">{html.escape(source.journal)} {source.volume}: {source.pages} '
        f'({source.year}). <a href="{resolver}">{source.doi}</a></p>'
    )


def _related(source: Text, port: int) -> str:
    if not source.related:
        return ""
    items = "".join(
        f'<li><a href="{absolute(address, port)}">{inline(title_of(address), port)}</a></li>'
        for address in source.related
    )
    return f'<h2>Related articles</h2><ul class="related">{items}</ul>'
