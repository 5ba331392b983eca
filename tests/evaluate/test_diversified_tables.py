"""Tables of the experiment on diversified crawls."""

from __future__ import annotations

from taxocrawl.evaluate.aspects import AspectCounts, AspectFigures, aspect_rows
from taxocrawl.evaluate.coverage import CoverageFigures
from taxocrawl.evaluate.diversified_tables import (
    CrawlResult,
    against_baseline,
    by_label,
    by_topic,
    document_tables,
)

NAMES = ["diet", "range"]


def _result(crawler: str, seed_set: int, relevant: tuple[int, int]) -> CrawlResult:
    figures = [
        AspectFigures(50, (1, 1), (40, 40)),
        AspectFigures(100, (relevant[0] + 1, relevant[1]), (50, 25)),
    ]
    coverage = CoverageFigures(AspectCounts(100, relevant), sum(relevant), 0.25, 0.5)
    return CrawlResult(crawler, "bats", seed_set, aspect_rows(NAMES, figures), coverage)


RESULTS = [
    _result("NoDiv", 0, (20, 0)),
    _result("NoDiv", 1, (10, 10)),
    _result("DivAware", 0, (20, 10)),
    _result("DivAware", 1, (15, 15)),
]


def _cells(table: str, row: str) -> list[str]:
    (line,) = (line for line in table.splitlines() if line.startswith(f"| {row} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_mean_and_interval_over_seed_sets() -> None:
    cells = _cells(by_label(RESULTS), "DivAware")
    assert cells[1] == "0.150 ± 0.000"
    assert cells[3] == "30.0 ± 0.000"
    # Shares (2/3, 1/3) and (1/2, 1/2): deviations 0.2357 and 0; t of one degree is 12.706.
    assert cells[2] == "0.118 ± 1.497"


def test_multiples_of_the_baseline_leave_out_a_zero() -> None:
    table = against_baseline(RESULTS)
    cells = _cells(table, "DivAware")
    assert cells[1] == "1.500 ± 0.000"
    # In the second seed set the baseline's deviation is 0.
    assert cells[2] == "0.333"
    assert "| NoDiv |" not in table


def test_topics_show_relevant_pages_of_each_aspect() -> None:
    table = by_topic(RESULTS, {"bats": NAMES})
    assert "diet 17.5, range 12.5" in table


def test_the_documents_tables_half_way_and_at_the_end() -> None:
    tables = document_tables(RESULTS, "bats", NAMES)
    half, end = tables.split("bats, at the last batch:")
    assert _cells(half, "DivAware")[1:5] == ["50.0", "0.020", "0.000", "1.0"]
    assert _cells(end, "DivAware")[1] == "100.0"
    assert _cells(end, "DivAware")[-2:] == ["0.500", "0.250"]


def test_without_labels_there_is_nothing_to_compare() -> None:
    unlabelled = [CrawlResult("NoDiv", "bats", 0, RESULTS[0].aspects)]
    assert "n/a" in by_label(unlabelled)
