"""Running heads, page numbers and stamps: lines that belong to the page, not to the text."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from taxocrawl.documents.pdf_lines import rows

if TYPE_CHECKING:
    from taxocrawl.documents.pdf_lines import Line

_DEEPEST = 3
"""Lines at a page's edge among which heads and page numbers are looked for."""
_APART = 1.25
"""A running head stands off the text by more than this many of the text's own line steps."""
_STAMP_SHARE = 0.4
"""Share of the pages at whose very same place a line stands that is no text."""
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[-–—\s|]*(?:p(?:age|\.)?\s*)?(?:\d{1,5}|[ivxlc]{1,7})(?:\s*(?:/|of)\s*\d{1,5})?[-–—\s|]*",
    re.IGNORECASE,
)


def without_running_heads(pages: list[list[Line]]) -> list[list[Line]]:
    """The pages without page numbers, running heads and feet, and stamps.

    A head is a line set off at the top or bottom edge that stands there on several pages, apart
    from its digits; a stamp (`Downloaded from ...`) one that stands at the same place on 40 % of
    the pages. The first page keeps all but its page number, for its head names the journal.
    """
    edges = [_edges(page) for page in pages]
    heads = Counter(key for edge in edges for key in {_wording(line) for line in edge})
    places = Counter(key for page in pages for key in {_place(line) for line in page})
    fewest = max(3, _STAMP_SHARE * len(pages))
    kept: list[list[Line]] = []
    for number, (page, edge) in enumerate(zip(pages, edges, strict=True)):
        dropped = {id(line) for line in edge if _PAGE_NUMBER.fullmatch(line.text.strip())}
        if number:
            dropped |= {id(line) for line in edge if heads[_wording(line)] > 1}
            dropped |= {id(line) for line in page if places[_place(line)] >= fewest}
        rest = [line for line in page if id(line) not in dropped]
        # A page of which nothing would be left is a form or a list, not a row of stamps.
        kept.append(rest or page)
    return kept


def _wording(line: Line) -> str:
    return _DIGITS.sub("#", " ".join(line.text.lower().split()))


def _place(line: Line) -> tuple[str, int, int]:
    # Digits count here: rows of a table stand at the same places on all its pages.
    return line.text, round(line.x0 / 4), round(line.middle / 4)


def _edges(page: list[Line]) -> list[Line]:
    """Lines that are set off from the text at the top and at the bottom of a page."""
    grouped = rows([line for line in page if line.angle == 0])
    steps = sorted(above[0].middle - below[0].middle for above, below in pairwise(grouped))
    if len(steps) < 2:
        return [line for line in page if _PAGE_NUMBER.fullmatch(line.text.strip())]
    step = steps[len(steps) // 2]
    sizes = sorted(row[0].size for row in grouped)
    # A heading is set larger than the text; a running head is not.
    largest = sizes[len(sizes) // 2] + 0.5
    upper = _set_off(grouped, step, largest)
    return [*upper, *_set_off(grouped[::-1], step, largest)]


def _set_off(grouped: list[list[Line]], step: float, largest: float) -> list[Line]:
    """Lines of the rows, from the edge on, up to the last clear gap among the first few."""
    depth = 0
    for number, (row, following) in enumerate(pairwise(grouped[: _DEEPEST + 1])):
        if row[0].size > largest:
            break
        gap = abs(row[0].middle - following[0].middle)
        other_size = abs(row[0].size - following[0].size) > 0.4
        if gap > _APART * step or other_size:
            depth = number + 1
    return [line for row in grouped[:depth] for line in row]
