"""What both PDF engines hand over: lines of text with their place on an upright page."""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Line:
    """A run of text on one baseline, in points, with y growing upwards.

    The coordinates are those of the text turned upright, whatever way it runs on the page.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    """Font size in points."""
    angle: int = 0
    """Degrees (0, 90, 180, 270) by which a reader must turn the page to read the line."""

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2

    def joined(self, other: Line) -> Line:
        """This line and one to its right, as one."""
        return replace(
            self,
            text=f"{self.text.rstrip()} {other.text.lstrip()}",
            x0=min(self.x0, other.x0),
            y0=min(self.y0, other.y0),
            x1=max(self.x1, other.x1),
            y1=max(self.y1, other.y1),
            size=max(self, other, key=lambda line: len(line.text)).size,
        )


@dataclass(slots=True)
class PdfLines:
    """The lines of a PDF page by page, as far as an engine could read them."""

    pages: list[list[Line]] = field(default_factory=list)
    page_count: int = 0
    """Pages that the file claims to have."""
    unread: int = 0
    """Pages within the page limit that could not be read."""
    information: dict[str, str] = field(default_factory=dict)
    """The Info dictionary's `Title`, `Author`, `Subject`, `Keywords` and `CreationDate`."""
    stopped: str = ""
    """Reason why reading ended early; empty when it did not."""

    @property
    def characters(self) -> int:
        return sum(len(line.text) for page in self.pages for line in page)


def rows(lines: list[Line]) -> list[list[Line]]:
    """Lines grouped by baseline, from the top down, each group from left to right."""
    grouped: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: -line.middle):
        if grouped and grouped[-1][0].middle - line.middle < 0.5 * line.size:
            grouped[-1].append(line)
        else:
            grouped.append([line])
    return [sorted(row, key=lambda line: line.x0) for row in grouped]
