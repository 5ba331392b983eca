"""The text and front matter of a PDF, by either of two engines or by both together.

This runs in the worker process (`pdf_worker`): it may be killed, or end for want of memory.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from enum import StrEnum

from taxocrawl.documents import pdf_pdfium, pdf_pdfminer
from taxocrawl.documents.pdf_accents import with_accents
from taxocrawl.documents.pdf_deadline import Deadline
from taxocrawl.documents.pdf_front import FrontMatter, read_front_matter
from taxocrawl.documents.pdf_lines import Line, PdfLines
from taxocrawl.documents.pdf_order import reading_order
from taxocrawl.documents.pdf_repair import is_cut, repaired
from taxocrawl.documents.pdf_running import without_running_heads
from taxocrawl.exceptions import ExtractionError
from taxocrawl.text.normalise import join_hyphenated, normalise_counted

MAX_CHARACTERS = 5_000_000
"""Characters of text that are kept: some 1,500 full pages."""

_SPARSE = 100
"""Characters a page below which pdfium may have missed text (vertical writing, odd fonts)."""
_SECOND_TRY_PAGES = 50
"""Pages at which pdfminer looks where pdfium found no text: scans are long."""
_FIRST_PAGE_SECONDS = 5.0
"""Time for the layout of the first page; maps drawn on it can take minutes."""
_FRONT_PAGES = 2
_BLOCK = 1.5
"""A step down of more than this many font sizes begins a new paragraph."""
_ODD = re.compile(r"[^\w\s]|_")


class Engine(StrEnum):
    """Who reads a PDF."""

    DEFAULT = "default"
    """pdfium for the text, pdfminer.six for the first page's layout and as the second try."""
    PDFIUM = "pdfium"
    PDFMINER = "pdfminer"


@dataclass(slots=True)
class PdfText:
    """What extraction made of one PDF; the fields of `items.Document` that a PDF fills."""

    text: str = ""
    title: str = ""
    authors: list[str] = field(default_factory=list)
    year: int | None = None
    doi: str = ""
    pages: int | None = None
    flags: list[str] = field(default_factory=list)
    reason: str = ""
    detail: str = ""
    """More on the reason, for the log."""
    controls: int = 0
    """Control characters (U+0000 above all) that were taken out of the text."""

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def extract(
    body: bytes,
    *,
    max_pages: int = 500,
    engine: Engine = Engine.DEFAULT,
    deadline: Deadline | None = None,
) -> PdfText:
    """Text and front matter of a PDF; a bad document is answered with its `reason`.

    Lines come in reading order, a blank line between paragraphs, words divided at line ends
    joined, without running heads and page numbers. Flags: ``partial`` (text is missing),
    ``partial pages`` (more than `max_pages`), ``truncated``, ``rotated`` (sideways text, turned),
    ``garbled`` (fonts without a usable encoding), ``second try`` (pdfminer read it after pdfium
    had failed). Reasons: ``password``, ``malformed``, ``truncated``, ``time limit``,
    ``memory limit``, ``no text``.
    """
    deadline = deadline or Deadline(float("inf"))
    cut = is_cut(body)
    try:
        lines, second_try = _read(body, max_pages, engine, deadline, cut=cut)
    except ExtractionError as error:
        reason = "truncated" if cut and error.reason == "malformed" else error.reason
        return PdfText(reason=reason, detail=error.detail)
    except MemoryError:
        return PdfText(reason="memory limit")
    layout = engine is Engine.DEFAULT and not second_try
    front = _front_matter(body, lines, deadline, layout=layout)
    flags = [
        *(["second try"] if second_try else []),
        *(["truncated"] if cut else []),
    ]
    return _composed(lines, front, flags, max_pages)


def _read(
    body: bytes, max_pages: int, engine: Engine, deadline: Deadline, *, cut: bool
) -> tuple[PdfLines, bool]:
    """The PDF's lines, and whether they are those of a second try."""
    if engine is Engine.PDFMINER:
        return pdf_pdfminer.read_lines(body, max_pages, deadline=deadline), False
    failure: ExtractionError | None = None
    lines = PdfLines()
    try:
        lines = _by_pdfium(body, max_pages, deadline, cut=cut)
    except ExtractionError as error:
        if error.reason == "password" or engine is Engine.PDFIUM:
            raise
        failure = error
    if engine is Engine.PDFIUM or (failure is None and _is_good(lines)):
        return lines, False
    second = _second_try(body, max_pages, deadline, lines)
    if second is not None:
        return second, True
    if failure is not None:
        raise failure
    return lines, False


def _by_pdfium(body: bytes, max_pages: int, deadline: Deadline, *, cut: bool) -> PdfLines:
    """pdfium's lines; of a cut or damaged file also those that a new page tree brings."""
    failure: ExtractionError | None = None
    lines = PdfLines()
    try:
        lines = pdf_pdfium.read_lines(body, max_pages, deadline=deadline)
    except ExtractionError as error:
        if error.reason == "password":
            raise
        failure = error
    mended = repaired(body) if failure or cut else None
    if mended is not None:
        try:
            again = pdf_pdfium.read_lines(mended, max_pages, deadline=deadline)
        except ExtractionError:
            again = PdfLines()
        if again.characters > lines.characters:
            return again
    if failure is not None:
        raise failure
    return lines


def _is_good(lines: PdfLines) -> bool:
    """Whether pdfium's lines need no second try."""
    sparse = lines.characters < _SPARSE * len(lines.pages)
    return not lines.unread and not sparse and _is_legible(lines)


def _second_try(
    body: bytes, max_pages: int, deadline: Deadline, first: PdfLines
) -> PdfLines | None:
    """pdfminer's lines, if they are clearly more, or more legible, than pdfium's."""
    most = max_pages if first.unread else min(max_pages, _SECOND_TRY_PAGES)
    try:
        second = pdf_pdfminer.read_lines(body, most, deadline=deadline)
    except ExtractionError:
        return None
    if not second.characters:
        return None
    if _is_legible(first) != _is_legible(second):
        return second if _is_legible(second) else None
    least = first.characters if first.unread else 2 * first.characters
    return second if second.characters >= least else None


def _front_matter(body: bytes, lines: PdfLines, deadline: Deadline, *, layout: bool) -> FrontMatter:
    """Front matter; with `layout`, by pdfminer's first page where metadata confirm no title."""
    own = lines.pages[0] if lines.pages else []
    ordered = (reading_order(page) for page in lines.pages[:_FRONT_PAGES])
    text = "\n".join(line.text for page in ordered for line in page)
    front = read_front_matter([own], text, lines.information, body)
    if front.confirmed or not layout:
        return front
    first = _first_page(body, deadline)
    return read_front_matter([first, own], text, lines.information, body) if first else front


def _first_page(body: bytes, deadline: Deadline) -> list[Line]:
    short = Deadline(min(deadline.left, _FIRST_PAGE_SECONDS))
    try:
        lines = pdf_pdfminer.read_lines(body, 1, deadline=short)
    except ExtractionError:
        return []
    return lines.pages[0] if lines.pages else []


def _is_legible(lines: PdfLines) -> bool:
    """Whether the text is mostly letters and digits: fonts without encoding give punctuation."""
    sample = "".join(line.text for page in lines.pages[:10] for line in page)[:50_000]
    signs = sum(not character.isspace() for character in sample)
    odd = len(_ODD.findall(sample)) + sample.count("\ufffd")
    return signs > 0 and odd < 0.5 * signs


def _composed(lines: PdfLines, front: FrontMatter, flags: list[str], max_pages: int) -> PdfText:
    ordered = [reading_order(page) for page in lines.pages]
    if any(line.angle for page in ordered for line in page):
        flags.append("rotated")
    kept = without_running_heads(ordered)
    text, controls = _text(kept)
    if len(text) > MAX_CHARACTERS:
        text = text[:MAX_CHARACTERS]
        flags.append("partial")
    if text.strip() and not _is_legible(lines):
        flags.append("garbled")
        text = ""
    reason = _reason(text, lines, flags)
    if lines.page_count > max_pages:
        flags.append("partial pages")
    if reason and text.strip():
        flags.append("partial")
    return PdfText(
        text=text,
        title=front.title,
        authors=list(front.authors),
        year=front.year,
        doi=front.doi,
        pages=lines.page_count or len(lines.pages),
        flags=list(dict.fromkeys(flags)),
        reason=reason,
        controls=controls,
    )


def _reason(text: str, lines: PdfLines, flags: list[str]) -> str:
    if "truncated" in flags:
        return "truncated"
    if lines.stopped:
        return lines.stopped
    if lines.unread:
        return "malformed"
    return "" if text.strip() else "no text"


def _text(pages: list[list[Line]]) -> tuple[str, int]:
    """The text of pages of lines, and how many control characters were removed from it."""
    parts: list[str] = []
    last: Line | None = None
    for page in pages:
        for number, line in enumerate(page):
            if last is not None:
                parts.append(_between(last, line, same_page=number > 0))
            parts.append(line.text)
            last = line
    text, controls = normalise_counted("".join(parts))
    return with_accents(join_hyphenated(text)), controls


def _between(above: Line, below: Line, *, same_page: bool) -> str:
    """What parts two lines: a blank line between paragraphs, unless a word is divided there."""
    if above.text.rstrip().endswith(("-", "\u00ad", "\u2010")):
        return "\n"
    if not same_page or above.angle != below.angle:
        return "\n\n"
    step = above.middle - below.middle
    # A negative step is the way up to the next column: the paragraph goes on.
    return "\n\n" if step > _BLOCK * max(above.size, below.size) * 1.2 else "\n"
