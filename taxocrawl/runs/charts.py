"""Charts as inline SVG, drawn by hand: no script, no font, no request.

Colours come from the page's style sheet by class (`series-0`, `series-1`, …), so that they follow
the reader's light or dark scheme. Every chart has a title and a description for screen readers;
the numbers themselves stand in a table beside it.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Point = tuple[float, float]

WIDTH, HEIGHT = 640, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 34, 30
_PLOT_WIDTH, _PLOT_HEIGHT = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

_COLOURS = ("#2f6f8f", "#b0672c", "#3f8a4d", "#7a4fa3", "#a8324a", "#6b6b2a", "#111111", "#9a9a9a")
_STANDALONE_STYLE = (
    "text{font:12px sans-serif;fill:#1c2321}.grid{stroke:#d5dad8}"
    + "".join(f".series-{n}{{fill:{c};stroke:{c}}}" for n, c in enumerate(_COLOURS))
    + ".line{fill:none;stroke-width:2.5}"
)
_MOST_LABELS = 20
_ROOM_FOR_NUMBER = 24  # wide enough for four digits of the style sheet's 12 px


def bar_chart(
    title: str, groups: Sequence[str], series: Mapping[str, Sequence[float]], axis: str
) -> str:
    """Bars side by side: one group per name in `groups`, in it one bar per series.

    Values are finite and not negative.
    """
    top = _ceiling([value for values in series.values() for value in values])
    step = _PLOT_WIDTH / max(len(groups), 1)
    width = min(step * 0.8 / max(len(series), 1), 60)
    labelled = -(-len(groups) // _MOST_LABELS)
    parts = [_grid(top)]
    for group, name in enumerate(groups):
        middle = _LEFT + step * (group + 0.5)
        if group % labelled == 0:
            parts.append(_text(middle, HEIGHT - 10, name, "middle"))
        for number, values in enumerate(series.values()):
            x = middle + (number - len(series) / 2) * width
            y = _height(values[group], top)
            parts.append(
                f'<rect class="series-{number}" x="{x + 1:.1f}" y="{y:.1f}" '
                f'width="{width - 2:.1f}" height="{_TOP + _PLOT_HEIGHT - y:.1f}"/>'
            )
            if width >= _ROOM_FOR_NUMBER:
                parts.append(_text(x + width / 2, y - 4, f"{values[group]:g}", "middle"))
    return _chart(title, f"Bars per {axis}.", list(series), parts)


def line_chart(title: str, series: Mapping[str, Sequence[Point]], axis: str) -> str:
    """One line per series through its points (x rising, y finite and not negative)."""
    return _chart(title, f"Lines over {axis}.", list(series), _lines(series, axis))


def standalone_line_chart(title: str, series: Mapping[str, Sequence[Point]], axis: str) -> str:
    """The same as an SVG file of its own, with its title in it."""
    heading = _text(_LEFT, HEIGHT + 16, title, "start")
    parts = "".join([*_legend(list(series)), *_lines(series, axis), heading])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT + 24}" role="img" '
        f'aria-label="{html.escape(title)}"><style>{_STANDALONE_STYLE}</style>'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{parts}</svg>\n'
    )


def _lines(series: Mapping[str, Sequence[Point]], axis: str) -> list[str]:
    points = [point for line in series.values() for point in line]
    right = max((x for x, _ in points), default=0) or 1
    top = _ceiling([y for _, y in points])
    parts = [_grid(top), _text(_LEFT + _PLOT_WIDTH, HEIGHT - 10, f"{right:g} {axis}", "end")]
    for number, line in enumerate(series.values()):
        path = " ".join(
            f"{_LEFT + _PLOT_WIDTH * x / right:.1f},{_height(y, top):.1f}" for x, y in line
        )
        parts.append(f'<polyline class="line series-{number}" points="{path}"/>')
    return parts


def _chart(title: str, description: str, names: Sequence[str], parts: Sequence[str]) -> str:
    name = html.escape(title)
    return (
        f'<figure tabindex="0"><figcaption>{name}</figcaption>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{name}"><desc>{html.escape(description)}</desc>'
        + "".join([*_legend(names), *parts])
        + "</svg></figure>"
    )


def _legend(names: Sequence[str]) -> list[str]:
    legend, x = [], float(_LEFT)
    for number, name in enumerate(names):
        legend.append(f'<rect class="series-{number}" x="{x:.0f}" y="8" width="12" height="12"/>')
        legend.append(_text(x + 17, 18, name, "start"))
        x += 30 + 6.5 * len(name)
    return legend


def _grid(top: float) -> str:
    lines = []
    for quarter in range(5):
        y = _height(top * quarter / 4, top)
        lines.append(
            f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )
        lines.append(_text(_LEFT - 6, y + 4, f"{top * quarter / 4:g}", "end"))
    return "".join(lines)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>'


def _height(value: float, top: float) -> float:
    return _TOP + _PLOT_HEIGHT * (1 - value / top)


def _ceiling(values: Sequence[float]) -> float:
    """The least of 1, 2, 4, 8 times a power of ten, and of 100, that no value exceeds."""
    highest = max(values, default=0)
    ceiling = 1.0
    while ceiling < highest:
        ceiling *= 10
    return next((ceiling * part for part in (0.2, 0.4, 0.8) if ceiling * part >= highest), ceiling)
