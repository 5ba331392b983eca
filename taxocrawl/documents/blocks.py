"""A block of a page's text: its inline edges, its links and what stands around them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from taxocrawl.text.normalise import normalise_text

CONTEXT_WORDS = 20
"""Words on each side of a link that count as near it."""
_CONTEXT_CHARS = 240
_MAX_ANCHOR_CHARS = 1000

# Marks in the text of a block while it is read; pages are freed of these characters before.
ITALIC_EDGE = "\x00"
LINK_START = "\x01"
LINK_END = "\x02"

_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")


class Block(NamedTuple):
    """A run of text between two block edges."""

    text: str
    link_chars: int
    """Characters of `text` inside links."""
    boilerplate: bool
    """Inside navigation, footer, side bar, banner and the like."""
    main: bool
    """Inside `main` or `article`."""
    heading: bool


@dataclass(slots=True)
class Anchor:
    """A link as written, with its text and what stands around it."""

    href: str
    rel: str
    label: str
    """Its title or label attribute."""
    hidden: bool = False
    text: str = ""
    context: str = ""


def _join(raw: str) -> str:
    """A block's text with its inline edges resolved: a space only where italics touch a letter."""
    if not raw.isascii():
        raw = _INVISIBLE.sub("", raw)
    return _join_italics(raw.split(ITALIC_EDGE)) if ITALIC_EDGE in raw else raw


def _join_italics(pieces: list[str]) -> str:
    """Join text cut at the edges of italic runs; two edges with nothing between are none."""
    joined: list[str] = []
    last = ""
    changes = False
    for piece in pieces:
        visible = piece.strip(LINK_START + LINK_END)
        if visible:
            if changes and last.isalpha() and visible[0].isalpha():
                joined.append(" ")
            last = visible[-1]
            changes = False
        joined.append(piece)
        changes = not changes
    return "".join(joined)


def _clean(text: str) -> str:
    return " ".join((text if text.isascii() else normalise_text(text)).split())


def settle(raw: str, anchors: list[Anchor]) -> tuple[str, int]:
    """Set text and context of a block's links; return its text and the characters in links.

    `raw` is the block's text with marks; `anchors` are its links in their order.
    """
    if not anchors:
        return _clean(_join(raw)), 0
    text, spans = _without_marks(_join(raw))
    for anchor, (start, end) in zip(anchors, spans, strict=True):
        piece = text[start : min(end, start + _MAX_ANCHOR_CHARS)]
        if piece or not anchor.context:
            anchor.text = f"{anchor.text} {piece}".strip()[:_MAX_ANCHOR_CHARS]
            anchor.context = anchor.context or _surroundings(
                text, start, end, piece or anchor.label
            )
    return text, sum(end - start for start, end in spans)


def _without_marks(raw: str) -> tuple[str, list[tuple[int, int]]]:
    """Clean text without marks of links, and where in it each link starts and ends."""
    before, *chunks = raw.split(LINK_START)
    line = _Line()
    line.add(before)
    spans = []
    for chunk in chunks:
        inside, _, after = chunk.partition(LINK_END)
        spans.append(line.add(inside))
        line.add(after)
    return "".join(line.parts), spans


class _Line:
    """A block's text as it grows, one blank for each run of white space."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.size = 0
        self.blank = False

    def add(self, piece: str) -> tuple[int, int]:
        """Add a piece; return where its text starts and ends."""
        text = _clean(piece)
        if not text:
            self.blank = self.blank or bool(piece)
            return self.size, self.size
        if self.size and (self.blank or piece[0].isspace()):
            self.parts.append(" ")
            self.size += 1
        start = self.size
        self.parts.append(text)
        self.size += len(text)
        self.blank = piece[-1].isspace()
        return start, self.size


def _surroundings(text: str, start: int, end: int, anchor: str) -> str:
    """The link's text with up to `CONTEXT_WORDS` words of its block on each side."""
    low, high = max(0, start - _CONTEXT_CHARS), end + _CONTEXT_CHARS
    before = text[low:start].split(" ")
    if low and len(before) > 1:
        before = before[1:]
    after = text[end:high].split(" ")
    if high < len(text) and len(after) > 1:
        after = after[:-1]
    # The piece beside the link is empty, or what stands glued to it, such as a comma.
    left, right = before[-CONTEXT_WORDS - 1 :], after[: CONTEXT_WORDS + 1]
    return f"{' '.join(left)}{anchor}{' '.join(right)}".strip()
