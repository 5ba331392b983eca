"""PDFs of which the end is missing: recognised, and given a new page tree to be read by."""

from __future__ import annotations

import re
import zlib
from collections import deque

_END = b"%%EOF"
_HEADER = 1024
"""Bytes within which the header must begin (what readers accept, ISO 32000-1 annex H)."""
_OBJECT = re.compile(rb"(?<!\d)(\d{1,8})[ \r\n\t]{1,9}\d{1,5}[ \r\n\t]{1,9}obj\b")
_LINEARIZED = re.compile(
    rb"/Linearized\b[^>]{0,200}?/L\s+(\d+)|/L\s+(\d+)[^>]{0,200}?/Linearized\b"
)
_LINEARIZED_SLACK = 64
"""Bytes that may be missing from a linearized file's stated length (line ends lost at its end)."""
_PAGE = re.compile(rb"/Type\s*/Page\b")
_OBJECT_STREAM = re.compile(rb"/Type\s*/ObjStm\b")
_LENGTH = re.compile(rb"/Length\s+\d+(?:\s+\d+\s+R)?\s*")
_STREAM = re.compile(rb"\bstream\r?\n")
_DICTIONARY = 4096
"""Bytes after `obj` in which a page's or an object stream's dictionary is looked for."""
_MOST_PAGES = 20_000
_MOST_BYTES = 32 << 20
"""Bytes that all object streams together may inflate to: a bomb is not worth recovering."""


def is_cut(body: bytes) -> bool:
    """Whether a PDF's end is missing: no end mark after its last object, or shorter than it says.

    A file with other things after its end mark (an error page, line ends, NULs) is whole, and
    what is no PDF is not a cut one.
    """
    if b"%PDF-" not in body[:_HEADER]:
        return False
    end = body.rfind(_END)
    if end < 0 or _OBJECT.search(body, end):
        return True
    stated = _LINEARIZED.search(body, 0, 2048)
    if stated is None:
        return False
    return int(stated[1] or stated[2]) > len(body) + _LINEARIZED_SLACK


def repaired(body: bytes) -> bytes | None:
    """The PDF with all page objects that are left in it under a new root; None if there is none.

    The pages come in file order. Encrypted files are beyond repair: their key is in the trailer.
    """
    if b"/Encrypt" in body:
        return None
    whole = _closed(body) + _unpacked(body)
    pages, highest = _pages(whole)
    if not pages:
        return None
    root, tree = highest + 1, highest + 2
    kids = b" ".join(b"%d 0 R" % number for number in pages)
    return b"".join(
        (
            whole,
            b"%d 0 obj\n<< /Type /Catalog /Pages %d 0 R >>\nendobj\n" % (root, tree),
            b"%d 0 obj\n<< /Type /Pages /Kids [%s] /Count %d >>\nendobj\n"
            % (tree, kids, len(pages)),
            b"trailer\n<< /Root %d 0 R /Size %d >>\nstartxref\n0\n%%%%EOF\n" % (root, tree + 1),
        )
    )


def _closed(body: bytes) -> bytes:
    """The body without its last object, if that was cut; what is left of a stream is kept."""
    last = deque(_OBJECT.finditer(body), maxlen=1)
    if not last or body.find(b"endobj", last[0].end()) >= 0:
        return body + b"\n"
    start = last[0].end()
    stream = _STREAM.search(body, start, start + _DICTIONARY)
    if stream is None:
        # An open dictionary would swallow what is appended; so would a stream's full length.
        return body[: last[0].start()]
    length = b"/Length %d " % (len(body) - stream.end())
    head = _LENGTH.sub(length, body[start : stream.start()])
    return body[:start] + head + body[stream.start() :] + b"\nendstream\nendobj\n"


def _pages(body: bytes) -> tuple[list[int], int]:
    """Numbers of the page objects in file order, and the highest object number."""
    pages: dict[int, None] = {}
    highest = 0
    for match in _OBJECT.finditer(body):
        number = int(match[1])
        highest = max(highest, number)
        if _PAGE.search(_dictionary(body, match.end())) and len(pages) < _MOST_PAGES:
            pages[number] = None
    return list(pages), highest


def _dictionary(body: bytes, start: int) -> bytes:
    window = body[start : start + _DICTIONARY]
    ends = [end for mark in (b"endobj", b"stream") if (end := window.find(mark)) >= 0]
    return window[: min(ends)] if ends else window


def _unpacked(body: bytes) -> bytes:
    """The objects of all object streams, written out one by one."""
    objects: list[bytes] = []
    room = _MOST_BYTES
    for match in _OBJECT.finditer(body):
        head = _dictionary(body, match.end())
        if not _OBJECT_STREAM.search(head):
            continue
        stream = _STREAM.search(body, match.end(), match.end() + _DICTIONARY)
        if stream is None or room <= 0:
            continue
        end = body.find(b"endstream", stream.end())
        data = _inflated(body[stream.end() : end if end >= 0 else len(body)], room)
        room -= len(data)
        objects += _objects(head, data)
    return b"".join(objects)


def _inflated(data: bytes, most: int) -> bytes:
    inflate = zlib.decompressobj()
    try:
        return inflate.decompress(data, most)
    except zlib.error:
        return b""


def _objects(head: bytes, data: bytes) -> list[bytes]:
    """An object stream's members as ordinary objects (ISO 32000-1, 7.5.7)."""
    first = re.search(rb"/First\s+(\d+)", head)
    if first is None:
        return []
    start = int(first[1])
    numbers = [int(word) for word in data[:start].split() if word.isdigit()]
    places = list(zip(numbers[::2], numbers[1::2], strict=False))
    ends = [offset for _, offset in places[1:]] + [len(data) - start]
    return [
        b"%d 0 obj\n%s\nendobj\n" % (number, data[start + offset : start + end])
        for (number, offset), end in zip(places, ends, strict=False)
        if 0 <= offset < end
    ]
