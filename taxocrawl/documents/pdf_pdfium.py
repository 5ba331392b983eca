"""Lines of a PDF by pdfium (pypdfium2): fast; text in the order in which the file draws it."""

from __future__ import annotations

import ctypes
import math
import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pypdfium2
import pypdfium2.raw as pdfium

from taxocrawl.documents.pdf_lines import Line, PdfLines
from taxocrawl.exceptions import ExtractionError

if TYPE_CHECKING:
    from taxocrawl.documents.pdf_deadline import Deadline

_INFORMATION = ("Title", "Author", "Subject", "Keywords", "CreationDate")
# U+FFFE also stands for a hyphen at a line's end: pdfium has joined the two lines there.
_LINE = re.compile("[^\r\n\ufffe]+\ufffe?|\ufffe")
_GAP = 0.9
"""A blank of at least this many font sizes may be the gutter between two columns."""


def read_lines(body: bytes, max_pages: int, *, deadline: Deadline) -> PdfLines:
    """The lines of at most `max_pages` pages; the deadline ends reading between two pages.

    Raises ExtractionError with reason ``password`` or ``malformed``.
    """
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        locked = getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD
        raise ExtractionError("password" if locked else "malformed", str(error)) from error
    try:
        return _read(document, max_pages, deadline)
    finally:
        document.close()


def _read(document: pypdfium2.PdfDocument, max_pages: int, deadline: Deadline) -> PdfLines:
    lines = PdfLines(page_count=len(document))
    lines.information = {
        name: document.get_metadata_value(name).strip("\0 ") for name in _INFORMATION
    }
    for number in range(min(lines.page_count, max_pages)):
        if deadline.expired():
            lines.stopped = "time limit"
            break
        try:
            page = document[number]
        except pypdfium2.PdfiumError:
            lines.unread += 1
            continue
        try:
            lines.pages.append(_page_lines(page))
        except pypdfium2.PdfiumError:
            lines.unread += 1
        finally:
            page.close()
    return lines


def _page_lines(page: pypdfium2.PdfPage) -> list[Line]:
    text_page = page.get_textpage()
    try:
        text = _without_lost(text_page, _characters(text_page))
        lines: list[Line] = []
        measure = _Measure(text_page.raw, page.get_rotation())
        for match in _LINE.finditer(text):
            content = match[0].replace("\ufffe", "-")
            if content.strip():
                lines.extend(measure.lines(content, match.start()))
        return lines
    finally:
        text_page.close()


def _characters(text_page: pypdfium2.PdfTextPage) -> str:
    """The page's text with one character per index of pdfium's."""
    text: str = text_page.get_text_range(errors="replace")
    count = pdfium.FPDFText_CountChars(text_page.raw)
    if len(text) == count:
        return text
    codes = (pdfium.FPDFText_GetUnicode(text_page.raw, index) for index in range(count))
    return "".join(_character(code) for code in codes)


def _without_lost(text_page: pypdfium2.PdfTextPage, text: str) -> str:
    """The text with U+0000 for glyphs of no known character, which also come as U+FFFE."""
    found = [match.start() for match in re.finditer("\ufffe", text)]
    lost = [index for index in found if pdfium.FPDFText_IsHyphen(text_page.raw, index) != 1]
    if not lost:
        return text
    characters = list(text)
    for index in lost:
        characters[index] = "\0"
    return "".join(characters)


def _character(code: int) -> str:
    if code == 2:
        return "\ufffe"
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


class _Measure:
    """Places on a page, read through a handful of reused buffers: calls are what costs here."""

    def __init__(self, raw: pdfium.FPDF_TEXTPAGE, rotation: int) -> None:
        self._raw = raw
        self._rotation = rotation
        self._matrix = pdfium.FS_MATRIX()
        self._sides = [ctypes.c_double() for _ in range(4)]
        self._references = [ctypes.byref(side) for side in self._sides]

    def lines(self, text: str, start: int) -> list[Line]:
        """The line of text at a character index, cut where a wide blank may be a gutter."""
        lead = len(text) - len(text.lstrip())
        text, start = text.strip(), start + lead
        size, direction = self._font(start)
        rectangles = self._rectangles(start, len(text), direction)
        if not rectangles:
            return [Line(text, 0, 0, 0, 0, size, self._turn(direction))]
        pieces = [rectangles[0]]
        cuts: list[float] = []
        for rectangle in rectangles[1:]:
            if rectangle[0] - pieces[-1][2] > _GAP * size:
                cuts.append(rectangle[0])
                pieces.append(rectangle)
            else:
                pieces[-1] = _union(pieces[-1], rectangle)
        texts = self._cut(text, start, cuts, direction) if cuts else [text]
        if len(texts) != len(pieces):
            texts, pieces = [text], [_hull(pieces)]
        turn = self._turn(direction)
        return [
            Line(piece.strip(), *box, size, turn)
            for piece, box in zip(texts, pieces, strict=True)
            if piece.strip()
        ]

    def _font(self, index: int) -> tuple[float, int]:
        """Font size in points, and the text's direction in degrees (0 to the right, 90 up)."""
        size = pdfium.FPDFText_GetFontSize(self._raw, index)
        if not pdfium.FPDFText_GetMatrix(self._raw, index, ctypes.byref(self._matrix)):
            return max(size, 1.0), 0
        matrix = self._matrix
        direction = round(math.degrees(math.atan2(matrix.b, matrix.a)) / 90) * 90 % 360
        scale = math.hypot(matrix.c, matrix.d)
        return max(size * scale, 1.0), direction

    def _turn(self, direction: int) -> int:
        return (direction - self._rotation) % 360

    def _rectangles(self, start: int, count: int, direction: int) -> list[Box]:
        """Boxes of the line's text objects, upright, from left to right."""
        boxes: list[Box] = []
        for index in range(pdfium.FPDFText_CountRects(self._raw, start, count)):
            left, top, right, bottom = self._references
            if pdfium.FPDFText_GetRect(self._raw, index, left, top, right, bottom):
                x0, y1, x1, y0 = (side.value for side in self._sides)
                boxes.append(_upright((x0, y0, x1, y1), direction))
        return sorted(boxes)

    def _cut(self, text: str, start: int, cuts: list[float], direction: int) -> list[str]:
        """The text cut before the first character that stands right of each of `cuts`."""
        ends = [0]
        for cut in cuts:
            low, high = ends[-1], len(text)
            while low < high:
                middle = (low + high) // 2
                if self._left(start + middle, direction) < cut - 0.5:
                    low = middle + 1
                else:
                    high = middle
            ends.append(low)
        ends.append(len(text))
        return [text[a:b] for a, b in pairwise(ends)]

    def _left(self, index: int, direction: int) -> float:
        left, right, bottom, top = self._references
        pdfium.FPDFText_GetCharBox(self._raw, index, left, right, bottom, top)
        x0, x1, y0, y1 = (side.value for side in self._sides)
        return _upright((x0, y0, x1, y1), direction)[0]


Box = tuple[float, float, float, float]


def _upright(box: Box, direction: int) -> Box:
    """A box in the coordinates of text that runs in `direction`."""
    x0, y0, x1, y1 = box
    if direction == 90:
        return y0, -x1, y1, -x0
    if direction == 180:
        return -x1, -y1, -x0, -y0
    if direction == 270:
        return -y1, x0, -y0, x1
    return box


def _union(first: Box, second: Box) -> Box:
    return _hull([first, second])


def _hull(boxes: list[Box]) -> Box:
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)
