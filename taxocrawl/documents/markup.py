"""One pass over a page's markup: blocks of text, links with their surroundings, the head's facts.

The page is read as a stream of parser events, without a tree: time and memory stay linear in the
size of the page however deep or broken its nesting is (a tree parser needs 40 s for 100,000
nested `div`, or stops at a depth of 2,048).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from lxml import etree

from taxocrawl.documents.blocks import ITALIC_EDGE, LINK_END, LINK_START, Anchor, Block, settle
from taxocrawl.documents.regions import is_boilerplate, is_hidden, is_italic, is_main
from taxocrawl.text.normalise import fold_whitespace, normalise_text

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAX_ATTRIBUTE_TEXT = 1000
_MAX_CONTENT_CHARS = 10_000
_MAX_CAPTURE_CHARS = 1_000_000
_DATA_CHARS = 1000
_MAX_MEAN_WORD = 200
"""Longer words on average make a block data, such as base64, and no text."""

# The marks of `blocks` are among these, so that no page can forge them.
_CONTROLS = bytes([*range(9), 0x0B, *range(0x0E, 0x20), 0x7F])
_CONTROL_REFERENCE = re.compile(rb"&#(?:0*[0-8]|[xX]0*[0-8])(?:;|(?![0-9a-fA-F;]))")

_BLOCKS = frozenset(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li "
    "main menu nav ol p plaintext pre search section summary table caption tbody tfoot thead tr ul "
    "xmp".split()
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
    parser = etree.HTMLParser(target=cast("Any", reader), encoding="utf-8", huge_tree=True)
    try:
        parser.feed(markup)
        parser.close()
    except (etree.XMLSyntaxError, etree.ParserError):
        # lxml says so of pages without any element; what the events brought is kept.
        pass
    return reader.finish()


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
        if attributes and is_hidden(tag, attributes):
            self._start_hidden(tag, attributes)
            return
        if tag in _BLOCKS:
            self._flush(heading=False)
            self._enter_region(tag, attributes)
        elif tag == "a":
            self._start_link(attributes)
        elif tag in _SPACES:
            self.parts.append(" ")
        elif tag in _ITALICS or (tag == "span" and attributes and is_italic(attributes)):
            if not self.italics:
                self.parts.append(ITALIC_EDGE)
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
                self.parts.append(ITALIC_EDGE)

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
        if is_main(tag, attributes):
            self.main_at = self.main_at or self.depth
        elif not self.boilerplate_at and is_boilerplate(tag, attributes, self.main_at != 0):
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
                self.markup.title = _line(captured)
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
                content = attributes["content"][:_MAX_CONTENT_CHARS]
                markup.metas.append((name.strip().lower(), content))
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
                text = _line(text)
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
            label = _line(label)
        anchor = Anchor(href, attributes.get("rel", ""), label, hidden=self.skipped_at != 0)
        self.markup.anchors.append(anchor)
        if not self.skipped_at:
            self.open_anchor = anchor
            self.block_anchors.append(anchor)
            self.parts.append(LINK_START)

    def _end_link(self) -> None:
        if self.open_anchor is not None:
            self.open_anchor = None
            self.parts.append(LINK_END)

    def _flush(self, heading: bool) -> None:
        """End the block: settle its text, and the texts and surroundings of its links."""
        if not self.parts:
            return
        open_anchor = self.open_anchor
        if open_anchor is not None:
            self.parts.append(LINK_END)
        raw = "".join(self.parts)
        self.parts = []
        text, link_chars = settle(raw, self.block_anchors)
        if text and not _is_data(text):
            self.markup.blocks.append(
                Block(text, link_chars, self.boilerplate_at != 0, self.main_at != 0, heading)
            )
        self.block_anchors = []
        if open_anchor is not None:
            self.parts.append(LINK_START)
            self.block_anchors.append(open_anchor)


def _line(text: str) -> str:
    return fold_whitespace(normalise_text(text[:_MAX_ATTRIBUTE_TEXT]))


def _is_data(text: str) -> bool:
    """Whether a block is encoded data: far too few blanks. Scripts without blanks are not ASCII."""
    return (
        len(text) > _DATA_CHARS and text.isascii() and text.count(" ") * _MAX_MEAN_WORD < len(text)
    )
