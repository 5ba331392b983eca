"""Reads what the small web consists of: articles, pages and the table of routes.

An article or page is one text file: TOML between two lines ``+++``, then the text. The text knows
``## headings``, paragraphs, ``- lists``, ``| tables |``, ``*italics*``, ``**bold**`` and
``[links](//host/path)``; `README.md` beside this file says more.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

CONTENT = Path(__file__).parent / "content"


class ContentError(Exception):
    """A file of the small web that is not of the form expected."""


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, paragraph, list or table; a list has one string an item, a table one a cell."""

    kind: str
    rows: tuple[tuple[str, ...], ...]

    @property
    def text(self) -> str:
        return self.rows[0][0]


@dataclass(frozen=True, slots=True)
class Text:
    """One file of content/articles or content/pages."""

    slug: str
    title: str
    blocks: tuple[Block, ...]
    authors: tuple[str, ...] = ()
    journal: str = ""
    year: int = 0
    volume: str = ""
    pages: str = ""
    doi: str = ""
    language: str = "en"
    keywords: tuple[str, ...] = ()
    description: str = ""
    related: tuple[str, ...] = ()
    """Addresses ``//host/path`` listed under the article."""
    robots: str = ""
    """Content of the robots meta tag."""
    canonical: str = ""
    columns: int = 1
    """Of the PDF."""

    def section(self, heading: str) -> tuple[Block, ...]:
        """The blocks under a heading; empty when there is no such heading."""
        blocks: list[Block] = []
        inside = False
        for block in self.blocks:
            if block.kind == "heading":
                inside = block.text == heading
            elif inside:
                blocks.append(block)
        return tuple(blocks)

    @property
    def abstract(self) -> str:
        return " ".join(block.text for block in self.section(ABSTRACT[self.language]))


ABSTRACT = {"en": "Abstract", "es": "Resumen", "fr": "Résumé"}


@dataclass(frozen=True, slots=True)
class Route:
    """What a host answers at one path; exactly one of the first eight fields is set."""

    article: str = ""
    landing: str = ""
    """Title, abstract and metadata of an article, with a link to its PDF."""
    page: str = ""
    pdf: str = ""
    """An article's PDF in content/pdf."""
    file: str = ""
    """A file of content/files, sent as it is."""
    redirect: str = ""
    """``/path`` or ``//host/path``."""
    error: int = 0
    """A status with a short error page; -1 closes the connection without an answer."""
    behaviour: str = ""
    """A function of behaviours.py."""

    pdf_url: str = ""
    refresh: str = ""
    """Address of a meta refresh."""
    status: int = 0
    type: str = ""
    """Content-Type; ``none`` leaves it out."""
    encoding: str = "utf-8"
    """Of the HTML; other than UTF-8 is declared in a meta tag only."""
    disposition: str = ""
    gzipped: bool = False
    """The file itself is gzipped: no Content-Encoding says so."""
    cut: int = 0
    """Only the first so many bytes are sent, as if they were the whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Host:
    """One address of the small web."""

    key: str
    address: str
    name: str
    tagline: str
    routes: dict[str, Route]
    soft404: bool = False
    """Unknown paths are answered with status 200 and an apology."""


@cache
def hosts() -> dict[str, Host]:
    """The hosts by their key, in order of address."""
    path = CONTENT / "routes.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return {key: _host(key, entry) for key, entry in table.items()}


def _host(key: str, entry: dict[str, Any]) -> Host:
    routes = {path: Route(**route) for path, route in entry.pop("routes").items()}
    return Host(key=key, routes=routes, **entry)


@cache
def text(folder: str, slug: str) -> Text:
    """Read content/<folder>/<slug>.md; raises ContentError naming the file."""
    path = CONTENT / folder / f"{slug}.md"
    try:
        _, front, body = path.read_text(encoding="utf-8").split("+++\n", 2)
    except (OSError, ValueError) as error:
        raise ContentError(f"{path}: expected TOML between two lines +++, then text") from error
    known = {field.name for field in fields(Text)}
    front_matter: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in tomllib.loads(front).items()
    }
    if unknown := front_matter.keys() - known:
        raise ContentError(f"{path}: unknown keys {sorted(unknown)}")
    return Text(slug=slug, blocks=tuple(map(_block, _chunks(body))), **front_matter)


def _chunks(body: str) -> list[list[str]]:
    chunks: list[list[str]] = [[]]
    for line in body.splitlines():
        if not line.strip():
            chunks.append([])
        elif line.startswith("## "):
            chunks += [[line], []]
        else:
            chunks[-1].append(line.strip())
    return [chunk for chunk in chunks if chunk]


def _block(lines: list[str]) -> Block:
    if lines[0].startswith("## "):
        return Block("heading", ((lines[0][3:].strip(),),))
    if lines[0].startswith("- "):
        return Block("list", tuple((item,) for item in _items(lines)))
    if lines[0].startswith("|"):
        return Block("table", tuple(_cells(line) for line in lines))
    return Block("paragraph", ((" ".join(lines),),))


def _items(lines: list[str]) -> list[str]:
    items: list[str] = []
    for line in lines:
        if line.startswith("- "):
            items.append(line[2:])
        else:
            items[-1] += " " + line
    return items


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip("|").split("|"))


@cache
def doi_targets() -> dict[str, str]:
    """The address ``//host/path`` of each DOI's article or landing page, by DOI in lower case."""
    targets: dict[str, str] = {}
    for host in hosts().values():
        for path, route in host.routes.items():
            if slug := route.landing or route.article:
                targets.setdefault(text("articles", slug).doi.lower(), f"//{host.key}{path}")
    return targets


def route_at(address: str) -> Route | None:
    """What ``//host/path`` leads to; None when nothing stands there."""
    key, _, path = address.removeprefix("//").partition("/")
    return lookup(hosts()[key], f"/{path}")


def lookup(host: Host, target: str) -> Route | None:
    """A host's route for a path and query.

    The exact target first, then without its query, then without a session id, then by prefix.
    """
    path = target.partition("?")[0]
    for candidate in (target, path, path.partition(";")[0]):
        if found := host.routes.get(candidate):
            return found
    prefixes = (key for key in host.routes if key.endswith("*") and path.startswith(key[:-1]))
    return next((host.routes[key] for key in prefixes), None)


def title_of(address: str) -> str:
    """The title of the article or page at ``//host/path``, or where it redirects to."""
    route = route_at(address)
    if route is None:
        raise ContentError(f"{address}: expected the address of an article or page")
    if route.redirect:
        return title_of(route.redirect)
    if slug := route.article or route.landing or route.pdf:
        return text("articles", slug).title
    return text("pages", route.page).title


def absolute(address: str, port: int) -> str:
    """``//host/path`` as a URL of a server on `port`; anything else stays as it is."""
    if not address.startswith("//"):
        return address
    key, slash, path = address.removeprefix("//").partition("/")
    return f"http://{hosts()[key].address}:{port}{slash}{path}"
