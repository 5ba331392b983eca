"""Builds content/pdf from the articles that routes.toml serves as PDF; needs reportlab.

    python -m tests.sites.build_pdfs

The same articles give the same bytes, so a rebuilt file only differs when its article does.
"""

from __future__ import annotations

import html
import re
import sys
from functools import partial
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    NextPageTemplate,
    PageTemplate,
    Paragraph,
    Table,
)

from tests.sites.content import CONTENT, Block, Text, hosts, text
from tests.sites.render import BOLD, ITALIC, LINK

PASSWORDS = {"locked-report": "sesame", "macroglossus-revision": ""}
"""User passwords of the encrypted ones; an empty one lets everybody read."""

WIDTH, HEIGHT = A4
MARGIN = 20 * mm
GUTTER = 7 * mm
TITLE_HEIGHT = 62 * mm
SYLLABLE_END = re.compile(
    r"(?<=[a-zà-ÿ]{3}[aeiouy][bcdfghklmnprstv])(?=[bcdfghklmnprstv][a-zà-ÿ]{3})"
)
BODY = ParagraphStyle(
    "body", fontName="Times-Roman", fontSize=9.5, leading=11.5, alignment=4, spaceAfter=4,
    embeddedHyphenation=1, firstLineIndent=8,
)  # fmt: skip
ITEM = ParagraphStyle("item", BODY, firstLineIndent=-8, leftIndent=8, spaceAfter=1)
CELL = ParagraphStyle("cell", BODY, fontSize=7.5, leading=9, alignment=0, firstLineIndent=0)
HEADING = ParagraphStyle(
    "heading", fontName="Times-Bold", fontSize=11, leading=13, spaceBefore=8, spaceAfter=4,
    keepWithNext=1,
)  # fmt: skip
TITLE = ParagraphStyle("title", fontName="Times-Bold", fontSize=17, leading=20, spaceAfter=8)
AUTHORS = ParagraphStyle("authors", fontName="Times-Roman", fontSize=11, leading=14)
SMALL = ParagraphStyle("small", fontName="Times-Roman", fontSize=7, leading=9)
NOTICE = (
    "Invented text for testing crawlers; not issued for the purposes of zoological nomenclature."
)


def inline(source: str) -> str:
    """Markup of a paragraph in reportlab's tags, links as plain text."""
    plain = html.escape(LINK.sub(r"\1", source), quote=False)
    return ITALIC.sub(r"<i>\1</i>", BOLD.sub(r"<b>\1</b>", plain))


def hyphenated(source: str) -> str:
    """Put soft hyphens between two consonants within long words."""
    return SYLLABLE_END.sub("\u00ad", source)


def flowables(block: Block, width: float) -> list[Flowable]:
    if block.kind == "heading":
        return [Paragraph(inline(block.text), HEADING)]
    if block.kind == "list":
        return [Paragraph(inline(row[0]), ITEM) for row in block.rows]
    if block.kind == "table":
        cells = [[Paragraph(inline(cell), CELL) for cell in row] for row in block.rows]
        lines = [("LINEABOVE", (0, 0), (-1, 1), 0.5, "black")]
        lines.append(("LINEBELOW", (0, -1), (-1, -1), 0.5, "black"))
        columns = len(block.rows[0])
        return [Table(cells, [width / columns] * columns, style=lines, spaceAfter=6)]
    return [Paragraph(inline(hyphenated(block.text)), BODY)]


def running_head(source: Text, canvas: Canvas, document: BaseDocTemplate) -> None:
    """Journal and page number on top; authors and short title from the second page on."""
    canvas.saveState()
    canvas.setFont("Times-Italic", 8)
    first = int(source.pages.split("-")[0]) if source.pages[0].isdigit() else 1
    number = str(first + document.page - 1)
    family = source.authors[0].split()[-1] + (" et al." if len(source.authors) > 1 else "")
    top = HEIGHT - MARGIN + 5 * mm
    if document.page == 1:
        issue = f"{source.journal} {source.volume}: {source.pages} ({source.year})"
        canvas.drawString(MARGIN, top, issue)
        canvas.drawRightString(WIDTH - MARGIN, top, f"doi:{source.doi}")
        canvas.drawString(MARGIN, MARGIN - 8 * mm, NOTICE)
    else:
        canvas.drawString(MARGIN, top, f"{family}: {source.keywords[0]}")
        canvas.drawRightString(WIDTH - MARGIN, top, source.journal.upper())
    canvas.drawCentredString(WIDTH / 2, MARGIN - 12 * mm, number)
    canvas.restoreState()


def templates(source: Text) -> list[PageTemplate]:
    """A first page with a wide field for title and authors, and the pages that follow."""
    high = HEIGHT - 2 * MARGIN
    wide = (WIDTH - 2 * MARGIN - GUTTER * (source.columns - 1)) / source.columns
    lefts = [MARGIN + column * (wide + GUTTER) for column in range(source.columns)]
    head = Frame(
        MARGIN, HEIGHT - MARGIN - TITLE_HEIGHT, WIDTH - 2 * MARGIN, TITLE_HEIGHT, 0, 0, 0, 0
    )
    first = [Frame(left, MARGIN, wide, high - TITLE_HEIGHT, 0, 0, 0, 0) for left in lefts]
    later = [Frame(left, MARGIN, wide, high, 0, 0, 0, 0) for left in lefts]
    draw = partial(running_head, source)
    return [PageTemplate("first", [head, *first], draw), PageTemplate("later", later, draw)]


def build(slug: str) -> None:
    """Write content/pdf/<slug>.pdf."""
    source = text("articles", slug)
    pages = templates(source)
    extra: dict[str, Any] = {}
    if slug in PASSWORDS:
        extra["encrypt"] = StandardEncryption(PASSWORDS[slug], "owner", canCopy=0, strength=128)
    document = BaseDocTemplate(
        str(CONTENT / "pdf" / f"{slug}.pdf"), pagesize=A4, pageTemplates=pages, invariant=1,
        title=source.title.replace("*", ""), author=", ".join(source.authors), **extra,
    )  # fmt: skip
    story: list[Flowable] = [
        NextPageTemplate("later"),
        Paragraph(inline(source.title), TITLE),
        Paragraph(", ".join(source.authors), AUTHORS),
        Paragraph(f"Keywords: {', '.join(source.keywords)}", SMALL),
        FrameEnd(),
    ]
    width = pages[1].frames[0]._width
    for block in source.blocks:
        story += flowables(block, width)
    document.build(story)


class FrameEnd(Flowable):
    """Fills what is left of a frame, so that the text goes on in the next one."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        return width, height

    def draw(self) -> None:
        """Nothing is to be seen."""


def main() -> int:
    slugs = {route.pdf for host in hosts().values() for route in host.routes.values() if route.pdf}
    for slug in sorted(slugs):
        build(slug)
    return 0


if __name__ == "__main__":
    sys.exit(main())
