"""Lines of a PDF by pdfminer.six: slow, but it finds lines by their place on the page."""

from __future__ import annotations

import io
import logging
import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import LAParams, LTChar, LTContainer, LTPage, LTTextLine
from pdfminer.pdfdocument import PDFDocument, PDFPasswordIncorrect
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import resolve1
from pdfminer.utils import decode_text

from taxocrawl.documents.pdf_deadline import Deadline, TimeUp
from taxocrawl.documents.pdf_lines import Line, PdfLines
from taxocrawl.exceptions import ExtractionError

if TYPE_CHECKING:
    from collections.abc import Iterator

_INFORMATION = ("Title", "Author", "Subject", "Keywords", "CreationDate")
_FEW = 8
"""Characters of one direction below which they are a figure's label, not text."""

_LONG_WORD = 15
"""Letters beyond which a spaced-out line without double blanks is more than one word."""

# What pdfminer writes for a glyph whose character it does not know.
_CID = re.compile(r"\(cid:\d+\)")

# One line for each oddity of a damaged file would drown a crawl's log.
logging.getLogger("pdfminer").setLevel(logging.ERROR)


def read_lines(body: bytes, max_pages: int, *, deadline: Deadline) -> PdfLines:
    """The lines of at most `max_pages` pages, as far as the deadline allows.

    Raises ExtractionError with reason ``password`` or ``malformed``; a page that cannot be read
    costs only itself, unless the file's structure ends there.
    """
    lines = PdfLines()
    try:
        with deadline.enforced():
            _read(body, max_pages, lines)
    except TimeUp:
        lines.stopped = "time limit"
    except PDFPasswordIncorrect as error:
        raise ExtractionError("password", "a user password is set") from error
    except MemoryError:
        lines.stopped = "memory limit"
    # Damage surfaces as whatever the parser happened to trip over: PSEOF, KeyError, TypeError,
    # RecursionError, zlib.error, struct.error ... (pdfminer.six#547, #549, #550).
    except Exception as error:
        if not lines.pages:
            raise ExtractionError("malformed", f"{type(error).__name__}: {error}") from error
        lines.unread += 1
    lines.page_count = max(lines.page_count, len(lines.pages) + lines.unread)
    return lines


def _read(body: bytes, max_pages: int, lines: PdfLines) -> None:
    document = PDFDocument(PDFParser(io.BytesIO(body)))
    lines.information = _information(document)
    lines.page_count = _page_count(document)
    # One manager for the file: it keeps the fonts, which are the dearest thing to parse.
    manager = PDFResourceManager()
    for page in _at_most(PDFPage.create_pages(document), max_pages):
        _add_page(lines, page, manager)


def _add_page(lines: PdfLines, page: PDFPage, manager: PDFResourceManager) -> None:
    try:
        lines.pages.append(_page_lines(page, manager))
    except MemoryError:
        raise
    except Exception:  # see read_lines
        lines.unread += 1


def _at_most(pages: Iterator[PDFPage], limit: int) -> Iterator[PDFPage]:
    # Unlike islice, this does not parse one page more than asked for.
    for count, page in enumerate(pages, start=1):
        yield page
        if count == limit:
            return


def _information(document: PDFDocument) -> dict[str, str]:
    values: dict[str, str] = {}
    for dictionary in document.info:
        for name in _INFORMATION:
            value = resolve1(dictionary.get(name))
            if isinstance(value, bytes):
                values[name] = decode_text(value).strip("\0 ")
    return values


def _page_count(document: PDFDocument) -> int:
    pages = resolve1(document.catalog.get("Pages"))
    count = resolve1(pages.get("Count")) if isinstance(pages, dict) else 0
    return count if isinstance(count, int) and count > 0 else 0


def _page_lines(page: PDFPage, manager: PDFResourceManager) -> list[Line]:
    layout, characters = _characters(page, manager)
    lines: list[Line] = []
    for angle, _ in _angles(characters):
        if angle:
            turned, characters_here = _characters(page, manager, angle)
        else:
            turned, characters_here = layout, characters
        upright = [character for character in characters_here if _angle(character) == 0]
        lines.extend(_lines(turned, upright, angle))
    return lines


def _characters(
    page: PDFPage, manager: PDFResourceManager, turn: int = 0
) -> tuple[LTPage, list[LTChar]]:
    """The page's characters, wherever they are nested, with the page turned by `turn` degrees."""
    rotate = page.rotate
    page.rotate = (rotate + turn) % 360
    try:
        device = PDFPageAggregator(manager, laparams=None)
        PDFPageInterpreter(manager, device).process_page(page)
        layout = device.get_result()
    finally:
        page.rotate = rotate
    return layout, list(_nested(layout))


def _nested(container: LTContainer[Any]) -> Iterator[LTChar]:
    stack: list[Any] = [iter(container)]
    while stack:
        for item in stack[-1]:
            if isinstance(item, LTChar):
                yield item
            elif isinstance(item, LTContainer):
                stack.append(iter(item))
                break
        else:
            stack.pop()


def _angle(character: LTChar) -> int:
    """Degrees, in steps of 90, by which the page must be turned to read the character."""
    a, b, *_ = character.matrix
    return round(math.degrees(math.atan2(b, a)) / 90) * 90 % 360


def _angles(characters: list[LTChar]) -> list[tuple[int, int]]:
    """Directions of the page's text with their numbers of characters, the main one first."""
    counted = Counter(_angle(character) for character in characters)
    if not counted:
        return []
    main = max(counted.values())
    return [
        (angle, count)
        for angle, count in sorted(counted.items(), key=lambda item: (-item[1], item[0]))
        if count >= _FEW or count == main
    ]


def _lines(layout: LTPage, characters: list[LTChar], angle: int) -> list[Line]:
    lines = _analysed(layout, characters, angle, vertical=False)
    single = sum(len(line.text) == 1 for line in lines)
    if single > _FEW and single > len(lines) / 2:
        # Japanese or Chinese set from top to bottom.
        return _analysed(layout, characters, angle, vertical=True)
    return lines


def _analysed(
    layout: LTPage, characters: list[LTChar], angle: int, *, vertical: bool
) -> list[Line]:
    flat = LTPage(layout.pageid, layout.bbox, layout.rotate)
    flat.extend(characters)
    # boxes_flow=None: the order of columns is ours (pdf_order), and pdfminer's is quadratic.
    flat.analyze(LAParams(boxes_flow=None, detect_vertical=vertical))
    lines: list[Line] = []
    for box in flat:
        if not isinstance(box, LTContainer):
            continue
        for line in box:
            if isinstance(line, LTTextLine) and line.get_text().strip():
                text = _unspaced(_CID.sub("\ufffd", line.get_text()).strip("\n "))
                lines.append(Line(text, *line.bbox, _size(line), angle))
    return lines


def _unspaced(text: str) -> str:
    """A line of spaced-out letters (`Z O O T A X A`) as words, which two blanks part."""
    parts = text.split()
    single = sum(len(part) == 1 for part in parts)
    if single < _FEW // 2 or single < 0.8 * len(parts):
        return text
    words = re.split(r"\s{2,}", text.strip())
    if len(words) == 1 and len(parts) > _LONG_WORD:
        return text
    return " ".join("".join(word.split()) for word in words)


def _size(line: LTTextLine) -> float:
    sizes = sorted(item.size for item in line if isinstance(item, LTChar))
    return float(sizes[len(sizes) // 2]) if sizes else 1.0
