"""A chart as a file of its own."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from taxocrawl.runs.charts import line_chart, standalone_line_chart

SERIES = {"A & B": [(0.0, 0.1), (20.0, 0.4)], "C": [(0.0, 0.2)]}


def test_a_standalone_chart_is_svg_with_its_own_style_and_title() -> None:
    svg = standalone_line_chart("P-IA <x>", SERIES, "pages")
    root = ET.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "P-IA <x>" in ["".join(node.itertext()) for node in root]
    assert ".series-0{fill:" in svg
    assert svg.count("<polyline") == 2


def test_the_lines_are_those_of_the_reports_chart() -> None:
    lines = [part for part in line_chart("t", SERIES, "pages").split("<") if "polyline" in part]
    assert all(line in standalone_line_chart("t", SERIES, "pages") for line in lines)
    assert len(lines) == 2
