"""What kind a download really is: decided by its bytes first, then its labels, then its URL."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from taxocrawl.documents.labels import kind_of_disposition, kind_of_url, kinds_of_label
from taxocrawl.exceptions import ExtractionError
from taxocrawl.items import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

PDF_HEADER_WINDOW = 1024
"""Bytes in which `%PDF-` may stand (PDF 1.7, appendix H, implementation note 13)."""
SNIFF_WINDOW = 1445
"""Bytes looked at to tell text from binary (WHATWG MIME Sniffing 5.2)."""
MAX_UNPACKED_BYTES = 64 * 1024 * 1024

_MAX_GZIP_LAYERS = 3
_UNPACK_CHUNK = 64 * 1024

_PDF_HEADER = re.compile(rb"%PDF-")
_PDF_VERSION = re.compile(rb"%PDF-\d\.\d\s")
_PDF_OBJECT = re.compile(rb"[\r\n]\d{1,10}[ \t]+\d{1,5}[ \t]+obj\b")
# WHATWG MIME Sniffing 7.1, and the elements with which pages of HTML in the wild begin besides.
_HTML_START = re.compile(
    rb"<(?:!doctype[\s]+html|html|head|script|iframe|h[1-6]|div|font|table|a|style|title|b|body|br|p"
    rb"|meta|link|base|center|frameset|main|article|header|nav|section|form|ul|ol|dl|span|img|i|em|strong"
    rb"|small|pre|blockquote|figure|noscript)(?=[\s/>]|\Z)"
    rb"|<!--",
    re.IGNORECASE,
)
_HTML_ANYWHERE = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|div|p|table|a\s+href|br|title)(?=[\s/>])", re.IGNORECASE
)
_LEADING = re.compile(rb"[\s\x00]*(?:<!--.*?--!?>[\s\x00]*)*", re.DOTALL)
_XML_PROLOG = re.compile(
    rb"(?:\s+|<\?.*?\?>|<!--.*?-->|<!doctype\b[^>\[]*(?:\[.*?\]\s*)?>)*", re.DOTALL | re.IGNORECASE
)
_XML_NAME = re.compile(rb"<(?:[\w.-]+:)?([\w.-]+)")
_XHTML_DOCTYPE = re.compile(rb"<!doctype\s+html\b", re.IGNORECASE)
_JSON_START = re.compile(rb"\s*(?:\{\s*(?:\"|\})|\[\s*(?:[\[{\"\]\d-]|true|false|null))")
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_OTHER_MAGIC = re.compile(
    rb"\x89PNG\r\n|GIF8[79]a|\xff\xd8\xff|RIFF....WEBP|II\*\x00|MM\x00\*|PK\x03\x04|PK\x05\x06"
    rb"|\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1|\{\\rtf|%!PS|Rar!\x1a\x07|7z\xbc\xaf\x27\x1c|BZh[1-9]"
    rb"|\xfd7zXZ\x00|AT&TFORM|\x7fELF|MZ.{0,60}\x00|ID3|OggS|fLaC|wOF[F2]|\x00\x01\x00\x00\x00",
    re.DOTALL,
)
# HTML has an `article` too, without this attribute.
_JATS_ROOT = re.compile(rb"<article\s[^>]*\barticle-type\s*=", re.IGNORECASE)
_XML_ROOTS = frozenset({b"rss", b"feed", b"rdf:rdf", b"svg", b"urlset", b"sitemapindex"})
_XHTML_NAMES = frozenset({b"html", b"head", b"body"})
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
# UTF-16 without a mark: the first character of markup, `<`, betrays it.
_BARE_UTF16 = ((b"<\x00", "utf-16-le"), (b"\x00<", "utf-16-be"))


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What a download was found to be."""

    kind: Kind
    declared: Kind | None
    """The kind that the last telling Content-Type header names; None when none tells."""
    label_differs: bool
    """True when any Content-Type header names another kind than the bytes are."""
    body: bytes
    """The download without gzip around it and, for a PDF, without junk before `%PDF-`."""
    flags: tuple[str, ...] = ()
    """``truncated`` when the gzip stream ends early or is damaged."""


def sniff(
    body: bytes,
    content_types: Sequence[str] = (),
    url: str = "",
    disposition: str = "",
    max_unpacked: int = MAX_UNPACKED_BYTES,
) -> Sniffed:
    """Tell what kind a download is.

    `content_types` are the values of all Content-Type headers in order, `disposition` that of
    Content-Disposition. Raises ExtractionError ``too large`` when the body is gzipped and
    unpacks to more than `max_unpacked` bytes.
    """
    body, flags = _unpacked(body, max_unpacked)
    labels = [kind for value in content_types for kind in kinds_of_label(value)]
    declared = labels[-1] if labels else None
    start = pdf_offset(body)
    if start is not None:
        kind, body = Kind.PDF, body[start:]
    else:
        kind = _kind_by_bytes(body) or _kind_by_labels(body, declared, url, disposition)
    return Sniffed(kind, declared, any(label is not kind for label in labels), body, flags)


def pdf_offset(body: bytes) -> int | None:
    """Where a PDF begins in a body that may have junk before it; None when it is no PDF.

    A text that only speaks of the header is no PDF: behind junk the header must have its version
    and line end, and behind a start of HTML the objects of a PDF must follow.
    """
    match = _PDF_HEADER.search(body, 0, PDF_HEADER_WINDOW + len(b"%PDF-"))
    if match is None:
        return None
    if match.start() == 0:
        return 0
    if not _PDF_VERSION.match(body, match.start()):
        return None
    if _starts_as_html(body[: match.start()]) and not _PDF_OBJECT.search(body, match.start()):
        return None
    return match.start()


def _starts_as_html(head: bytes) -> bool:
    leading = _LEADING.match(head)
    return bool(_HTML_START.match(head, leading.end() if leading else 0))


def _unpacked(body: bytes, limit: int) -> tuple[bytes, tuple[str, ...]]:
    """The body without gzip around it, and ``truncated`` where the stream was not whole."""
    for _ in range(_MAX_GZIP_LAYERS):
        if not body.startswith(b"\x1f\x8b\x08"):
            break
        unpacked, whole = gunzip(body, limit)
        if not whole:
            return unpacked or body, ("truncated",)
        body = unpacked
    return body, ()


def gunzip(body: bytes, limit: int) -> tuple[bytes, bool]:
    """Unpack gzip members one after another; return (bytes recovered, whether all was whole).

    Memory stays near `limit`. Raises ExtractionError ``too large`` beyond it.
    """
    parts: list[bytes] = []
    size = 0
    rest = body
    while rest.startswith(b"\x1f\x8b"):
        member = zlib.decompressobj(wbits=31)
        while rest and not member.eof:
            try:
                part = member.decompress(rest, _UNPACK_CHUNK)
            except zlib.error:
                return b"".join(parts), False
            rest = member.unconsumed_tail
            size += len(part)
            if size > limit:
                raise ExtractionError("too large", f"unpacks to more than {limit} bytes")
            parts.append(part)
        if not member.eof:
            return b"".join(parts), False
        rest = member.unused_data
    return b"".join(parts), True


def gzip_is_cut(packed: bytes, unpacked_length: int) -> bool:
    """Whether a gzip stream, of which so many bytes were unpacked, ends before its end.

    A whole member ends with the length of what it holds (RFC 1952, 2.3.1), which spares unpacking
    it again; streams of several members, or with something behind them, are unpacked.
    """
    if int.from_bytes(packed[-4:], "little") == unpacked_length % 2**32:
        return False
    return not gunzip(packed, MAX_UNPACKED_BYTES)[1]


def _kind_by_bytes(body: bytes) -> Kind | None:
    """The kind where the bytes alone tell, else None."""
    if _OTHER_MAGIC.match(body):
        return Kind.OTHER
    head = _as_ascii_compatible(body[: 4 * SNIFF_WINDOW])
    start = _LEADING.match(head)
    at = start.end() if start else 0
    if head[at : at + 5].lower() == b"<?xml":
        return _kind_of_xml(head[at:])
    if at and b"<!--" in head[:at] and not head[at : at + 1]:
        return Kind.HTML
    if _JATS_ROOT.match(head, at):
        return Kind.OTHER
    if _HTML_START.match(head, at):
        return Kind.HTML
    if head[at : at + 9].lower() == b"<!doctype":
        return _kind_of_xml(head[at:])
    name = _XML_NAME.match(head, at)
    if name and _is_xml_root(name[0][1:].lower(), body):
        return Kind.OTHER
    if _JSON_START.match(head) and body.rstrip()[-1:] in {b"}", b"]"}:
        return Kind.OTHER
    return None


def _is_xml_root(name: bytes, body: bytes) -> bool:
    """Whether an element that no page of HTML begins with is the root of an XML document."""
    return name in _XML_ROOTS or body.rstrip().lower().endswith(b"</" + name + b">")


def _as_ascii_compatible(head: bytes) -> bytes:
    """The head without byte order mark, UTF-16 brought to UTF-8."""
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return head[len(mark) :].decode(encoding, "replace").encode("utf-8", "replace")
    for mark, encoding in _BARE_UTF16:
        if head.startswith(mark) and head[2:4] != b"\x00\x00":
            return head.decode(encoding, "replace").encode("utf-8", "replace")
    return head


def _kind_of_xml(head: bytes) -> Kind:
    prolog = _XML_PROLOG.match(head)
    end = prolog.end() if prolog else 0
    name = _XML_NAME.match(head, end)
    if name and name[1].lower() in _XHTML_NAMES:
        return Kind.HTML
    return Kind.HTML if _XHTML_DOCTYPE.search(head[:end]) else Kind.OTHER


def _kind_by_labels(body: bytes, declared: Kind | None, url: str, disposition: str) -> Kind:
    """The kind of bytes that do not tell, by header, file name, URL; text stays text."""
    named = kind_of_disposition(disposition) or kind_of_url(url)
    if not body:
        return declared or named or Kind.OTHER
    head = _as_ascii_compatible(body[:SNIFF_WINDOW])
    if _BINARY.search(head) and declared is not Kind.HTML:
        return Kind.PDF if Kind.PDF in (declared, named) else Kind.OTHER
    if declared in (Kind.HTML, Kind.TEXT, Kind.OTHER):
        return declared
    if _HTML_ANYWHERE.search(head):
        return Kind.HTML
    return Kind.TEXT if named in (None, Kind.PDF) else named
