"""Reading order of a page's lines: columns one after the other, pieces of a line together."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from taxocrawl.documents.pdf_lines import rows

if TYPE_CHECKING:
    from taxocrawl.documents.pdf_lines import Line

_FEWEST = 4
"""Lines that a column has at least."""
_MOST_LINES = 4000
"""Lines beyond which a page is a drawing, or hostile: its order is not worth the time."""
_FILLED = 0.55
"""Share of its column's width that the median line of running text fills; table cells do not."""
_CROSSING = 0.5
"""Lines across the gutter (title, wide captions) that a page in columns may have, per line of its
columns."""


def reading_order(lines: list[Line]) -> list[Line]:
    """The lines of a page in the order in which they are read.

    Text of each direction comes by itself, the main direction first. Where a vertical gutter
    parts two columns of running text, the left column comes before the right one between any two
    lines that reach across (title, wide captions); three columns are two beside one. Without a
    gutter the given order stays, but for sideways text.
    """
    if len(lines) > _MOST_LINES:
        return lines
    ordered: list[Line] = []
    for angle in _directions(lines):
        turned = [line for line in lines if line.angle == angle]
        # The order in which sideways lines are drawn says nothing.
        ordered.extend(_columns(_from_top(turned) if angle else turned))
    return ordered


def _from_top(lines: list[Line]) -> list[Line]:
    return [line for row in rows(lines) for line in row]


def _directions(lines: list[Line]) -> list[int]:
    characters: dict[int, int] = {}
    for line in lines:
        characters[line.angle] = characters.get(line.angle, 0) + len(line.text)
    return sorted(characters, key=lambda angle: (-characters[angle], angle))


def _columns(lines: list[Line]) -> list[Line]:
    gutter = _gutter(lines)
    if gutter is None:
        return _rejoined(lines)
    ordered: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    for row in rows(lines):
        beyond = [line for line in row if line.x0 >= gutter]
        within = [line for line in row if line.x0 < gutter]
        if beyond or all(line.x1 <= gutter for line in within):
            # A line too long for its column is not one of full width: the other goes on beside it.
            left += within
            right += beyond
        else:
            ordered += [*_columns(left), *_columns(right), *_rejoined(within)]
            left, right = [], []
    return [*ordered, *_columns(left), *_columns(right)]


def _gutter(lines: list[Line]) -> float | None:
    """The x of the blank strip between two columns of running text; None if there is none."""
    best: tuple[int, float] | None = None
    for edge in _left_edges(lines):
        x = edge - 0.5
        left = [line for line in lines if line.x1 <= x]
        right = [line for line in lines if line.x0 >= x]
        crossing = len(lines) - len(left) - len(right)
        smaller = min(len(left), len(right))
        if smaller < _FEWEST or crossing > _CROSSING * (len(left) + len(right)):
            continue
        if not (_runs(left) and _runs(right) and _side_by_side(left, right)):
            continue
        if best is None or (smaller - crossing, -x) > best:
            best = (smaller - crossing, -x)
    return None if best is None else -best[1]


def _left_edges(lines: list[Line]) -> list[float]:
    """Left edges that several lines share: where a right column can begin."""
    edges = sorted(line.x0 for line in lines)
    shared: list[float] = []
    for _, group in groupby(edges, key=lambda edge: round(edge / 3)):
        members = list(group)
        if len(members) >= _FEWEST - 1:
            shared.append(members[0])
    return shared[1:] if len(shared) > 1 else []


def _runs(column: list[Line]) -> bool:
    """Whether most of a column's lines fill its width, as running text does."""
    width = max(line.x1 for line in column) - min(line.x0 for line in column)
    widths = sorted(line.x1 - line.x0 for line in column)
    return width > 0 and widths[len(widths) // 2] >= _FILLED * width


def _side_by_side(left: list[Line], right: list[Line]) -> bool:
    top = min(max(line.y1 for line in left), max(line.y1 for line in right))
    bottom = max(min(line.y0 for line in left), min(line.y0 for line in right))
    return top - bottom > 2 * max(left[0].size, right[0].size)


def _rejoined(lines: list[Line]) -> list[Line]:
    """The lines, with pieces that follow one another on one baseline made one line again."""
    joined: list[Line] = []
    for line in lines:
        if joined and _continues(joined[-1], line):
            joined[-1] = joined[-1].joined(line)
        else:
            joined.append(line)
    return joined


def _continues(first: Line, second: Line) -> bool:
    height = max(first.y1 - first.y0, second.y1 - second.y0)
    return (
        first.angle == second.angle
        and second.x0 >= first.x1 - first.size / 2
        and abs(first.middle - second.middle) < 0.5 * height
    )
