"""The report's part about aspects."""

from __future__ import annotations

from taxocrawl.evaluate.aspects import AspectFigures, aspect_rows
from taxocrawl.runs.aspect_section import aspect_section

NAMES = ["diet", "<range>"]
FIGURES = [AspectFigures(2, (0, 0), (1, 2)), AspectFigures(4, (3, 1), (1, 3))]


def test_nothing_without_aspects() -> None:
    assert aspect_section([]) == ""


def test_figures_charts_and_nothing_unescaped() -> None:
    html = aspect_section(aspect_rows(NAMES, FIGURES, [[0.5, 0.5], [0.2, 0.8]]))
    assert "after 4 pages: P-IA 0.500000" in html
    assert "&lt;range&gt;" in html
    assert "<range>" not in html
    assert html.count("<svg") == 3
    assert "Weights of the aspects by batch" in html


def test_no_chart_of_weights_that_nobody_had() -> None:
    html = aspect_section(aspect_rows(NAMES, FIGURES))
    assert "Weights" not in html
    assert html.count("<svg") == 2
