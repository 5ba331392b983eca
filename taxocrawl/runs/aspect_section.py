"""The part of a report about the aspects of the run's topic (METU 4.4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taxocrawl.runs.charts import line_chart
from taxocrawl.runs.markup import section, shown, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Row = Mapping[str, str]

_RELEVANT = "relevant "


def aspect_section(rows: Sequence[Row]) -> str:
    """Table and charts of the rows of aspects.csv; nothing without any."""
    if not rows:
        return ""
    names = [column.removeprefix(_RELEVANT) for column in rows[0] if column.startswith(_RELEVANT)]
    pages = [float(row["pages"]) for row in rows]
    overall = {"P-IA": "precision_ia", "deviation of shares": "share_stdev"}
    return section(
        "aspects",
        "Aspects",
        _table(rows[-1], names),
        line_chart(
            "Pages relevant to each aspect against pages downloaded",
            {name: _line(rows, pages, _RELEVANT + name) for name in names},
            "pages downloaded",
        ),
        line_chart(
            "Weights of the aspects by batch",
            {name: _line(rows, range(len(rows)), f"weight {name}") for name in names},
            "batches",
        )
        if rows[0][f"weight {names[0]}"] != "n/a"
        else "",
        line_chart(
            "P-IA, and sample standard deviation of the aspects' shares, by batch",
            {name: _line(rows, range(len(rows)), column) for name, column in overall.items()},
            "batches",
        ),
    )


def _table(last: Row, names: Sequence[str]) -> str:
    cells = [
        (shown(name), *(shown(last[f"{kind} {name}"]) for kind in ("relevant", "share", "zero")))
        for name in names
    ]
    caption = (
        f"By aspect, after {last['pages']} pages: P-IA {last['precision_ia']}, sample standard "
        f"deviation of the shares {last['share_stdev']}"
    )
    header = ("aspect", "relevant pages", "share of them", "pages with score 0")
    return table(caption, header, cells)


def _line(rows: Sequence[Row], at: Sequence[float], column: str) -> list[tuple[float, float]]:
    """The points of a column, those left out that are not defined."""
    return [
        (float(x), float(row[column]))
        for x, row in zip(at, rows, strict=True)
        if row[column] != "n/a"
    ]
