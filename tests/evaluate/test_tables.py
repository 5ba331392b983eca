from __future__ import annotations

from taxocrawl.evaluate.tables import aligned, markdown


def test_columns_are_aligned_to_their_widest_cell() -> None:
    assert aligned(("name", "n"), [("a", "10"), ("longer", "9")]).splitlines() == [
        "name     n",
        "a       10",
        "longer   9",
    ]


def test_a_hostile_cell_stays_one_cell() -> None:
    table = markdown(("query", "n"), [("a | b\n<script>[x](y)`", "1")])

    assert table.splitlines() == [
        "| query | n |",
        "| :-- | --: |",
        "| a \\| b \\<script\\>\\[x\\](y)\\` | 1 |",
    ]
