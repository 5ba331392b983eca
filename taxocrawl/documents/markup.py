"""One pass over a page's markup: blocks of text, links with their surroundings, the head's facts.

The page is read as a stream of parser events, without a tree: time and memory stay linear in the
size of the page however deep or broken its nesting is (a tree parser needs 40 s for 100,000
nested `div`, or stops at a depth of 2,048).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from lxml import etree

from taxocrawl.text.normalise import normalise_text

CONTEXT_WORDS = 20
"""Words on each side of a link that count as near it."""
_CONTEXT_CHARS = 240
_MAX_ANCHOR_CHARS = 1000
_MAX_ATTRIBUTE_TEXT = 1000
_MAX_CAPTURE_CHARS = 1_000_000

# Marks put into the text of a block while it is read; `read_markup` takes the same characters out of pages.
_ITALIC_EDGE = "\x00"
_LINK_START = "\x01"
_LINK_END = "\x02"
_CONTROLS = bytes([*range(9), 0x0B, *range(0x0E, 0x20), 0x7F])
_CONTROL_REFERENCE = re.compile(rb"&#(?:0*[0-8]|[xX]0*[0-8])(?:;|(?![0-9a-fA-F;]))")

_BLOCKS = frozenset(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main "
    "menu nav ol p plaintext pre search section summary table caption tbody tfoot thead tr ul xmp".split()
)
_SPACES = frozenset(
    {"br", "td", "th", "img", "input", "button", "option", "label", "video", "audio"}
)
_ITALICS = frozenset({"i", "em", "cite", "dfn"})
_SKIPPED = frozenset(
    "script style template noscript svg iframe object applet canvas textarea select datalist "
    "annotation annotation-xml noembed title".split()
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_FACT_TAGS = frozenset({"meta", "base", "link", "img", "area", "frame", "html", "input"})

_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")

_BOILERPLATE_WORDS = (
    "nav navbar navigation menu menubar submenu breadcrumb breadcrumbs footer sidebar cookie cookies consent "
    "gdpr onetrust share sharing social related recommended recommendation recommendations advert "
    "advertisement ad ads promo newsletter subscribe login signin toolbar pagination pager "
    "skiplink skip modal popup masthead altmetric metrics comments disqus outbrain taboola topbar "
    "subnav"
).split()
_BOILERPLATE = re.compile(
    "(?<![a-zA-Z])(?<!has-)(?<!with-)(?<!no-)(?:{low})(?![a-z])|(?<=[a-z])(?:{high})(?![a-z])".format(
        low="|".join(f"[{word[0]}{word[0].upper()}]{word[1:]}" for word in _BOILERPLATE_WORDS),
        high="|".join(word.capitalize() for word in _BOILERPLATE_WORDS),
    )
)
_BOILERPLATE_TAGS = frozenset({"nav", "footer", "aside", "menu", "dialog", "search"})
_BOILERPLATE_ROLES = frozenset(
    {"navigation", "contentinfo", "complementary", "banner", "search", "dialog", "alert", "menu"}
)
_CONTAINERS = frozenset({"html", "body", "main", "article"})
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_ITALIC_STYLE = re.compile(r"\bitalic\b", re.IGNORECASE)


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


@dataclass(slots=True)
class Markup:
    """All that one pass over a page finds."""

    blocks: list[Block] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    anchors_over_limit: int = 0
    metas: list[tuple[str, str]] = field(default_factory=list)
    """Lower-case name or property, and content, in document order."""
    title: str = ""
    base: str | None = None
    language: str = ""
    canonical: str = ""
    images: dict[str, None] = field(default_factory=dict)
    json_ld: list[str] = field(default_factory=list)


def read_markup(source: str, max_links: int) -> Markup:
    """Read a page. Takes any text and never raises; anchors beyond `max_links` are counted."""
    reader = _Reader(max_links)
    markup = source.encode("utf-8", "replace").translate(None, _CONTROLS)
    markup = _CONTROL_REFERENCE.sub(b"", markup)
    parser = etree.HTMLParser(target=reader, encoding="utf-8", huge_tree=True)
    try:
        parser.feed(markup)
        parser.close()
    except (etree.XMLSyntaxError, etree.ParserError):
        # lxml says so of pages without any element; what the events brought is kept.
        pass
    return reader.finish()


@lru_cache(maxsize=4096)
def _is_boilerplate_name(names: str) -> bool:
    return _BOILERPLATE.search(names) is not None


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    if "hidden" in attributes:
        return attributes["hidden"].lower() != "until-found"
    style = attributes.get("style")
    return bool(style) and _HIDDEN_STYLE.search(style[:_MAX_ATTRIBUTE_TEXT]) is not None


class _Reader:
    """Target of the parser's events (lxml's target interface: start, end, data, close)."""

    def __init__(self, max_links: int) -> None:
        self.markup = Markup()
        self.max_links = max_links
        self.depth = 0
        self.skipped_at = 0
        self.hidden = False
        self.boilerplate_at = 0
        self.main_at = 0
        self.italics: list[int] = []
        self.capture: list[str] | None = None
        self.captured_chars = 0
        self.parts: list[str] = []
        self.block_anchors: list[Anchor] = []
        self.open_anchor: Anchor | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.depth += 1
        if self.skipped_at:
            if self.hidden and tag in ("a", "area"):
                self._start_link(attributes)
            return
        if tag in _FACT_TAGS:
            self._read_fact(tag, attributes)
        if tag in _SKIPPED:
            self._start_skipped(tag, attributes)
            return
        if attributes and tag not in _CONTAINERS and _is_hidden(attributes):
            self._start_hidden(tag, attributes)
            return
        if tag in _BLOCKS:
            self._flush(heading=False)
            self._enter_region(tag, attributes)
        elif tag == "a":
            self._start_link(attributes)
        elif tag in _SPACES:
            self.parts.append(" ")
        elif tag in _ITALICS or (tag == "span" and attributes and _is_italic(attributes)):
            if not self.italics:
                self.parts.append(_ITALIC_EDGE)
            self.italics.append(self.depth)

    def end(self, tag: str) -> None:
        depth = self.depth
        self.depth = depth - 1
        if self.skipped_at:
            if depth <= self.skipped_at:
                self._end_skipped(tag)
            return
        if tag in _BLOCKS:
            self._flush(heading=tag in _HEADINGS)
            if depth <= self.boilerplate_at:
                self.boilerplate_at = 0
            if depth <= self.main_at:
                self.main_at = 0
        elif tag == "a":
            self._end_link()
        elif tag in _SPACES:
            self.parts.append(" ")
        elif self.italics and self.italics[-1] >= depth:
            self.italics.pop()
            if not self.italics:
                self.parts.append(_ITALIC_EDGE)

    def data(self, data: str) -> None:
        if not self.skipped_at:
            self.parts.append(data)
        elif self.capture is not None:
            self.captured_chars += len(data)
            if self.captured_chars <= _MAX_CAPTURE_CHARS:
                self.capture.append(data)

    def close(self) -> None:
        """Part of the target interface; `finish` does the work."""

    def finish(self) -> Markup:
        self._flush(heading=False)
        return self.markup

    def _enter_region(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in ("main", "article") or attributes.get("role") == "main":
            self.main_at = self.main_at or self.depth
            return
        if self.boilerplate_at or tag in ("html", "body"):
            return
        if tag in _BOILERPLATE_TAGS or (tag == "header" and not self.main_at):
            self.boilerplate_at = self.depth
        elif attributes and (
            attributes.get("role") in _BOILERPLATE_ROLES
            or _is_boilerplate_name(
                f"{attributes.get('class', '')} {attributes.get('id', '')}"[:_MAX_ATTRIBUTE_TEXT]
            )
        ):
            self.boilerplate_at = self.depth

    def _start_skipped(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.skipped_at = self.depth
        self.hidden = False
        is_json_ld = tag == "script" and "ld+json" in attributes.get("type", "").lower()
        if is_json_ld or (tag == "title" and not self.markup.title):
            self.capture = []
            self.captured_chars = 0
        if tag in ("select", "textarea", "object"):
            self.parts.append(" ")

    def _start_hidden(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in _BLOCKS:
            self._flush(heading=False)
        self.skipped_at = self.depth
        self.hidden = True
        if tag == "a":
            self._start_link(attributes)

    def _end_skipped(self, tag: str) -> None:
        self.skipped_at = 0
        if self.capture is not None:
            captured = "".join(self.capture)
            if tag == "title":
                self.markup.title = " ".join(normalise_text(captured).split())
            else:
                self.markup.json_ld.append(captured)
            self.capture = None

    def _read_fact(self, tag: str, attributes: Mapping[str, str]) -> None:
        markup = self.markup
        if tag == "meta":
            name = (
                attributes.get("name") or attributes.get("property") or attributes.get("http-equiv")
            )
            if name and "content" in attributes:
                markup.metas.append((name.strip().lower(), attributes["content"]))
        elif tag == "img":
            self._read_image(attributes)
        elif tag == "base":
            if markup.base is None and "href" in attributes:
                markup.base = attributes["href"]
        elif tag == "link":
            if not markup.canonical and "canonical" in attributes.get("rel", "").lower().split():
                markup.canonical = attributes.get("href", "")
        elif tag == "html":
            markup.language = attributes.get("lang") or attributes.get("xml:lang") or ""
        elif tag == "area":
            self._start_link(attributes)
            self._end_link()
        elif tag == "frame" and "src" in attributes:
            self._start_link({"href": attributes["src"], "title": attributes.get("name", "")})
            self._end_link()

    def _read_image(self, attributes: Mapping[str, str]) -> None:
        for name in ("title", "alt"):
            text = attributes.get(name)
            if text:
                text = " ".join(normalise_text(text[:_MAX_ATTRIBUTE_TEXT]).split())
                self.markup.images[text] = None
                if self.open_anchor and not self.open_anchor.label:
                    self.open_anchor.label = text

    def _start_link(self, attributes: Mapping[str, str]) -> None:
        self._end_link()
        href = attributes.get("href")
        if href is None:
            return
        if len(self.markup.anchors) >= self.max_links:
            self.markup.anchors_over_limit += 1
            return
        label = (
            attributes.get("title") or attributes.get("aria-label") or attributes.get("alt") or ""
        )
        if label:
            label = " ".join(normalise_text(label[:_MAX_ATTRIBUTE_TEXT]).split())
        anchor = Anchor(href, attributes.get("rel", ""), label, hidden=self.skipped_at != 0)
        self.markup.anchors.append(anchor)
        if not self.skipped_at:
            self.open_anchor = anchor
            self.block_anchors.append(anchor)
            self.parts.append(_LINK_START)

    def _end_link(self) -> None:
        if self.open_anchor is not None:
            self.open_anchor = None
            self.parts.append(_LINK_END)

    def _flush(self, heading: bool) -> None:
        """End the block: settle its text, and the texts and surroundings of its links."""
        if not self.parts:
            return
        open_anchor = self.open_anchor
        if open_anchor is not None:
            self.parts.append(_LINK_END)
        raw = "".join(self.parts)
        self.parts = []
        if raw and not raw.isspace():
            anchors = self.block_anchors
            text, link_chars = _settle(raw, anchors) if anchors else (_clean(_join(raw)), 0)
            if text:
                at = self.boilerplate_at != 0
                self.markup.blocks.append(Block(text, link_chars, at, self.main_at != 0, heading))
        self.block_anchors = []
        if open_anchor is not None:
            self.parts.append(_LINK_START)
            self.block_anchors.append(open_anchor)


def _is_italic(attributes: Mapping[str, str]) -> bool:
    style, names = attributes.get("style"), attributes.get("class")
    return any(_ITALIC_STYLE.search(text[:_MAX_ATTRIBUTE_TEXT]) for text in (style, names) if text)


def _join(raw: str) -> str:
    """A block's text with its inline edges resolved: a space only where italics touch a letter."""
    if not raw.isascii():
        raw = _INVISIBLE.sub("", raw)
    return _join_italics(raw.split(_ITALIC_EDGE)) if _ITALIC_EDGE in raw else raw


def _join_italics(pieces: list[str]) -> str:
    """Join text cut at the edges of italic runs; two edges with nothing between are none."""
    joined: list[str] = []
    last = ""
    changes = False
    for piece in pieces:
        visible = piece.strip(_LINK_START + _LINK_END)
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


def _settle(raw: str, anchors: list[Anchor]) -> tuple[str, int]:
    """Set text and context of a block's links; return its text and the characters in links."""
    before, *chunks = _join(raw).split(_LINK_START)
    line = _Line()
    line.add(before)
    spans: list[tuple[int, int]] = []
    for chunk in chunks:
        inside, _, after = chunk.partition(_LINK_END)
        spans.append(line.add(inside))
        line.add(after)
    text = "".join(line.parts)
    for anchor, (start, end) in zip(anchors, spans, strict=True):
        piece = text[start : min(end, start + _MAX_ANCHOR_CHARS)]
        if piece or not anchor.context:
            anchor.text = f"{anchor.text} {piece}".strip()[:_MAX_ANCHOR_CHARS]
            anchor.context = anchor.context or _surroundings(
                text, start, end, piece or anchor.label
            )
    return text, sum(end - start for start, end in spans)


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
