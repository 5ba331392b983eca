from __future__ import annotations

from typing import Any

import pytest

from taxocrawl.evaluate.spider_tables import QueryRun, Table, spider_tables
from taxocrawl.evaluate.truth import Label, Truth

TRUTH = Truth(
    {f"http://a.example/good{n}": Label.RELEVANT for n in range(4)}
    | {f"http://a.example/bad{n}": Label.OTHER for n in range(4)}
)


def fetches(*lines: str) -> list[dict[str, str]]:
    """Records from "iteration name passed?" such as ``0 good1 +`` or ``1 bad2 -``."""
    records = []
    for line in lines:
        iteration, name, passed = line.split()
        url = f"http://a.example/{name}"
        records.append(
            {
                "url": url,
                "final_url": url,
                "status": "200",
                "kind": "html",
                "category": "taxonomic" if passed == "+" else "non-taxonomic",
                "iteration": iteration,
                "reason": "",
            }
        )
    return records


def query_run(query: str, style: str, *lines: str) -> QueryRun:
    return QueryRun.of(query, style, fetches(*lines), TRUTH, iterations=2)


RUNS = [
    query_run("bats", "generic", "0 good0 +", "0 bad0 -", "1 good1 +", "1 bad1 +", "2 bad2 +"),
    query_run("foxes", "generic", "0 good2 -", "0 bad0 -"),
    query_run("bats", "taxonomic", "0 good0 +", "1 bad1 -", "1 bad2 +"),
    query_run("foxes", "taxonomic", "0 good3 +", "0 bad3 -", "1 good0 +"),
]


def table(number: int) -> Table:
    return spider_tables(RUNS)[number - 3]


def test_all_tables_are_there_in_order() -> None:
    assert [t.number for t in spider_tables(RUNS)] == list(range(3, 11))
    assert all(len(row) == len(t.header) for t in spider_tables(RUNS) for row in t.rows)


def test_tables_3_and_4_pool_all_runs_up_to_each_iteration() -> None:
    assert table(3).rows == (
        ("0", "4", "3", "66.67", "57.14", "57.14"),
        ("1", "6", "6", "100.00", "50.00", "50.00"),
        ("2", "6", "7", "100.00", "46.15", "46.15"),
    )
    assert table(4).rows == (
        ("0", "3", "0", "60.00", "100.00", "85.71"),
        ("1", "5", "2", "100.00", "71.43", "75.00"),
        ("2", "5", "3", "100.00", "62.50", "69.23"),
    )


def test_table_5_sets_both_side_by_side() -> None:
    assert table(5).rows[2:4] == (
        ("iteration 1, pre-filtering", "6", "6", "100.00", "50.00"),
        ("iteration 1, post-filtering", "5", "2", "100.00", "71.43"),
    )


def test_table_6_is_one_query_s() -> None:
    assert table(6).header == ("Metric", "Iteration 0", "Iteration 1", "Iteration 2")
    assert table(6).rows == (
        ("Precision (%)", "100.00", "66.67", "50.00"),
        ("Recall* (%)", "50.00", "100.00", "100.00"),
        ("Accuracy (%)", "100.00", "75.00", "60.00"),
    )


def test_table_7_compares_what_the_styles_found() -> None:
    # Precision: generic (2/4; foxes passed nothing), taxonomic (1/2 + 2/2) / 2.
    # Recall*: of good0, good1 and good3, generic found two, taxonomic good0 and good3.
    assert table(7).rows == (
        ("Precision (%)", "50.00", "75.00"),
        ("Recall* (%)", "66.67", "66.67"),
    )


def test_tables_8_and_9_rank_the_queries() -> None:
    assert table(8).rows == (
        ("foxes (taxonomic)", "100.00", "2"),
        ("bats (generic)", "50.00", "2"),
        ("bats (taxonomic)", "50.00", "1"),
        ("foxes (generic)", "n/a", "0"),
        ("AVERAGE", "66.67", "1.25"),
    )
    assert [row[0] for row in table(9).rows] == [
        "foxes (generic)",
        "bats (taxonomic)",
        "bats (generic)",
        "foxes (taxonomic)",
    ]


def test_table_10_averages_over_queries_and_iterations() -> None:
    generic = (100 + 200 / 3 + 50) / 3
    taxonomic = (100 + 50 + 50 + 100 + 100 + 100) / 6

    assert table(10).rows[0] == ("Precision (%)", f"{generic:.2f}", f"{taxonomic:.2f}")
    assert table(10).rows[1] == ("Recall* (%)", "83.33", f"{(100 * 3 + 50 + 200) / 6:.2f}")


def test_one_style_alone_leaves_the_other_undefined() -> None:
    tables = spider_tables(RUNS[:1])

    assert tables[4].rows == (("Precision (%)", "50.00", "n/a"), ("Recall* (%)", "100.00", "0.00"))
    assert tables[7].rows[0] == ("Precision (%)", "72.22", "n/a")


def test_runs_that_found_nothing_have_tables_too() -> None:
    nothing = [query_run("bats", style) for style in ("generic", "taxonomic")]

    tables = spider_tables(nothing)

    assert tables[0].rows[0] == ("0", "0", "0", "n/a", "n/a", "n/a")
    assert tables[4].rows == (("Precision (%)", "n/a", "n/a"), ("Recall* (%)", "n/a", "n/a"))


@pytest.mark.parametrize("hostile", ["a|b", "a\nb", "<b>", "*x*"])
def test_a_query_s_text_does_not_break_its_table(hostile: str) -> None:
    run = query_run(hostile, "generic", "0 good0 +")

    markdown = spider_tables([run])[5].markdown().splitlines()

    assert len(markdown) == 2 + 2 + 2
    assert all(line.replace("\\|", "").count("|") == 4 for line in markdown[2:])


def test_a_table_as_text_and_as_cells() -> None:
    small: Any = Table(6, "Small", ("Metric", "Iteration 0"), (("Precision (%)", "50.00"),))

    assert small.text().splitlines() == [
        "Table 6: Small",
        "Metric         Iteration 0",
        "Precision (%)        50.00",
    ]
    assert small.cells() == [("6", "Precision (%)", "Iteration 0", "50.00")]
