from __future__ import annotations

import csv
import io
import json

from taxocrawl.evaluate.crawl import crawl_figures
from taxocrawl.evaluate.iterations import (
    ITERATION_FIELDS,
    iteration_records,
    iteration_rows,
    iteration_table,
)
from tests.evaluate.test_crawl import RECORDS, TRUTH


def test_rows_have_the_header_s_columns_in_its_order() -> None:
    for figures in (crawl_figures(RECORDS), crawl_figures(RECORDS, TRUTH)):
        for row in iteration_rows(figures):
            assert tuple(row) == ITERATION_FIELDS


def test_a_row_has_the_iteration_s_own_and_cumulative_figures() -> None:
    first, empty, last = iteration_rows(crawl_figures(RECORDS, TRUTH))

    own = {name: last[name] for name in ("iteration", "downloaded", "tp", "fp", "tn", "fn")}
    assert own == {
        "iteration": "2",
        "downloaded": "2",
        "tp": "1",
        "fp": "1",
        "tn": "0",
        "fn": "0",
    }
    assert (last["cumulative_downloaded"], last["cumulative_tp"]) == ("8", "2")
    assert last["cumulative_precision_after"] == "0.500000"
    assert first["relative_recall_before"] == "0.666667"
    assert (empty["precision_after"], empty["cumulative_precision_after"]) == ("n/a", "0.500000")
    assert json.loads(first["rejected_by_reason"]) == {"non-taxonomic": 2, "password": 1}
    assert (first["rejected_pdf"], first["rejected_text"]) == ("2", "0")


def test_without_a_truth_its_columns_are_empty() -> None:
    row = iteration_rows(crawl_figures(RECORDS))[0]

    empty = {name for name, cell in row.items() if cell == ""}
    assert {"tp", "recall", "cumulative_accuracy_after", "relative_recall_after"} <= empty
    assert row["harvest_rate"] == "0.500000"


def test_records_hold_numbers_and_no_nan() -> None:
    first, empty, _ = iteration_records(crawl_figures(RECORDS, TRUTH))

    assert (first["tp"], first["precision_after"], first["recall"]) == (1, 0.5, 0.5)
    assert empty["precision_after"] is None
    assert first["rejected_by_reason"] == {"non-taxonomic": 2, "password": 1}
    assert "tp" not in iteration_records(crawl_figures(RECORDS))[0]


def test_rows_survive_csv() -> None:
    rows = iteration_rows(crawl_figures(RECORDS, TRUTH))
    file = io.StringIO()
    writer = csv.DictWriter(file, ITERATION_FIELDS)
    writer.writeheader()
    writer.writerows(rows)

    assert list(csv.DictReader(io.StringIO(file.getvalue()))) == rows


def test_the_table_s_columns_line_up_and_show_all_counts() -> None:
    lines = iteration_table(crawl_figures(RECORDS, TRUTH)).splitlines()

    assert lines[:5] == [
        "iteration  downloaded  passed  rejected  failed  harvest %",
        "0                   6       3         3       2      33.33",
        "1                   0       0         0       0        n/a",
        "2                   2       2         0       0      50.00",
        "all                 8       5         3       2      37.50",
    ]
    assert "rejected by reason: non-taxonomic 2, password 1" in lines
    assert "failed: status 404 1, timeout 1" in lines
    assert "borderline, left out: 1; not in the truth: 2" in lines
    last = lines[-1].split()
    assert last == ["2", "3", "2", "4", "2", "100.00", "100.00", "42.86", "50.00", "42.86", "57.14"]


def test_without_a_truth_the_table_shows_no_confusion() -> None:
    table = iteration_table(crawl_figures(RECORDS))

    assert "downloaded" in table
    assert "TP" not in table
    assert "recall" not in table


def test_a_crawl_that_fetched_nothing_has_a_table_too() -> None:
    assert iteration_table(crawl_figures([])).splitlines()[-1].split() == [
        *("all", "0", "0", "0", "0", "n/a")
    ]
