"""Tables of figures as plain text, for logs and terminals, and as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns two blanks apart; the first one flush left, the others flush right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = []
    for row in (header, *rows):
        cells = (
            cell.rjust(width) if n else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; whatever a cell holds, it stays one cell."""
    rule = [":--", *("--:" for _ in header[1:])]
    return "\n".join(
        "| " + " | ".join(_markdown_cell(cell) for cell in row) + " |"
        for row in (header, rule, *rows)
    )


def _markdown_cell(text: str) -> str:
    one_line = " ".join(text.split())
    for sign in "\\`*_<>[]|":
        one_line = one_line.replace(sign, "\\" + sign)
    return one_line
