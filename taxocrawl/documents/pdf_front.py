"""Title, authors, year and DOI of a paper from its first pages and its metadata."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from taxocrawl.documents.pdf_authors import printed_authors, stated_authors
from taxocrawl.documents.pdf_lines import rows
from taxocrawl.documents.pdf_title import clean_title, is_believable, set_title, title_lines
from taxocrawl.text.doi import find_dois, normalise_doi

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from taxocrawl.documents.pdf_lines import Line

_CUT_DOI = re.compile(r"(10\.\d{4,9}/)\s*\n\s*|(?<=[a-z]\.)\n(?=\d{5,})")
_MOST_PACKETS = 50
_LONGEST_PACKET = 1 << 18
"""Bytes of an XMP packet."""
_XMP_DOI = re.compile(
    r"<(?:prism:doi|pdfx:doi|crossmark:DOI|dc:identifier)>\s*(?:doi:|https?://(?:dx\.)?doi\.org/)?"
    r"(10\.[^<\s]+)",
    re.IGNORECASE,
)
_XMP_TITLE = re.compile(r"<dc:title>.{0,200}?<rdf:li[^>]*>([^<]+)</rdf:li>", re.DOTALL)
_XMP_AUTHORS = re.compile(r"<dc:creator>(.{0,8000}?)</dc:creator>", re.DOTALL)
_XMP_ITEM = re.compile(r"<rdf:li[^>]*>([^<]+)</rdf:li>")
_XMP_YEAR = re.compile(r"<prism:(?:publicationDate|coverDate)[^>]*>\D{0,20}((?:17|18|19|20)\d\d)")

_YEAR = r"((?:17[5-9]\d)|(?:18|19|20)\d\d)"
# In the order in which they are believed.
_YEARS = (
    re.compile(rf"(?:©|\(c\)|copyright)\s*(?:by\s*)?{_YEAR}\b", re.IGNORECASE),
    re.compile(rf"\bpubli(?:shed|cation date)\b[^\n]{{0,40}}?\b{_YEAR}\b", re.IGNORECASE),
    re.compile(rf"\bvol(?:ume|\.)?\b[^\n]{{0,25}}?\b{_YEAR}\b", re.IGNORECASE),
    re.compile(rf"\baccepted\b[^\n]{{0,40}}?\b{_YEAR}\b", re.IGNORECASE),
    re.compile(rf"\({_YEAR}\)"),
    re.compile(rf"\b{_YEAR}\b"),
)
_SURE = 4
"""How many of `_YEARS` can be trusted away from the head and foot of the page."""
_HEAD_ROWS = 4
"""Rows at the top of the first page where journals print volume and year."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a PDF says about itself; empty where it says nothing that can be trusted."""

    title: str = ""
    confirmed: bool = False
    """Whether the metadata state the title that the first page has."""
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str = ""


def read_front_matter(
    first_pages: Sequence[list[Line]], text: str, information: Mapping[str, str], body: bytes
) -> FrontMatter:
    """Front matter from the first page's lines, the text of the first pages, and metadata.

    `first_pages` are readings of the first page, the better first; `information` is the PDF's
    Info dictionary; XMP packets are looked for in `body`. A title in the metadata is believed
    only if the first page has its words; otherwise the title is the largest type on the page.
    """
    packet = _xmp_packet(body)
    readings = [(page, title_lines(page)) for page in first_pages]
    page, lines = next((reading for reading in readings if reading[1]), ([], []))
    printed = set_title(lines)
    stated = map(clean_title, (information.get("Title", ""), _first(_XMP_TITLE, packet)))
    believed = (title for title in stated if is_believable(title, page or first_pages[0], printed))
    title = next(believed, "")
    return FrontMatter(
        title=title or printed,
        confirmed=bool(title),
        authors=_authors(readings, information, packet),
        year=_year(first_pages[0], packet),
        doi=_doi(text, packet, information),
    )


def _xmp_packet(body: bytes) -> str:
    """The first XMP packet with bibliographic data; images carry packets of their own."""
    start = 0
    for _ in range(_MOST_PACKETS):
        start = body.find(b"<x:xmpmeta", start)
        end = body.find(b"</x:xmpmeta>", start, start + _LONGEST_PACKET)
        if start < 0 or end < 0:
            break
        packet = body[start:end].decode("utf-8", "replace")
        if "dc:" in packet or "prism:" in packet:
            return packet
        start = end
    return ""


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1] if match else ""


def _doi(text: str, packet: str, information: Mapping[str, str]) -> str:
    stated = [_first(_XMP_DOI, packet), *information.values()]
    for value in stated:
        if doi := normalise_doi(value):
            return doi
    # A DOI cut at a line's end continues on the next one.
    joined = _CUT_DOI.sub(r"\1", text)
    return next(iter(find_dois(joined)), "")


def _year(page: list[Line], packet: str) -> int | None:
    """The year of publication: from XMP, the first page's head and foot, or a dated statement."""
    stated = _first(_XMP_YEAR, packet)
    if stated:
        return int(stated)
    grouped = rows([line for line in page if line.angle == 0])
    head, foot = grouped[:_HEAD_ROWS], grouped[-1:]
    for part, patterns in (
        (head, _YEARS[:_SURE]),
        (foot, _YEARS[:_SURE]),
        (head, _YEARS),
        (grouped, _YEARS[:_SURE]),
    ):
        text = "\n".join(line.text for row in part for line in row)
        for pattern in patterns:
            if match := pattern.search(text):
                return int(match[1])
    return None


def _authors(
    readings: Sequence[tuple[list[Line], list[Line]]], information: Mapping[str, str], packet: str
) -> tuple[str, ...]:
    listed = tuple(map(clean_title, _XMP_ITEM.findall(_first(_XMP_AUTHORS, packet))))
    if len(listed) > 1:
        return listed
    printed = (printed_authors(page, title) for page, title in readings)
    return max(printed, key=len, default=()) or stated_authors(information.get("Author", ""))
