"""Figures by aspect: the document's tables from its printed counts, and tallies of records."""

from __future__ import annotations

import pytest

from taxocrawl.evaluate.aspects import (
    AspectCounts,
    AspectFigures,
    AspectTally,
    aspect_fields,
    aspect_rows,
)

# Counts of vaccine, symptoms, prevention, research, economic in METU tables B.1-B.4.
AT_45 = {
    "NoDiv": (33557, (3302, 12193, 5015, 4733, 4677)),
    "DivAware": (33251, (3644, 13688, 5531, 5240, 5327)),
    "DivAware+WE": (32972, (3403, 12333, 5180, 4982, 4938)),
    "DivAware+SBERT": (32546, (377, 1801, 506, 486, 483)),
}
DOWNLOADED_AT_20 = {
    "NoDiv": 11809,
    "DivAware": 12237,
    "DivAware+WE": 11688,
    "DivAware+SBERT": 11456,
}
AT_20 = {
    "NoDiv": (1351, 4897, 2177, 2053, 2022),
    "DivAware": (1658, 5728, 2569, 2444, 2452),
    "DivAware+WE": (1324, 4869, 2067, 1966, 1953),
    "DivAware+SBERT": (216, 811, 282, 271, 270),
}
AT_18 = {
    "NoDiv": (1083, 4223, 1806, 1690, 1672),
    "DivAware": (1396, 5076, 2225, 2106, 2118),
    "DivAware+WE": (1155, 4247, 1806, 1714, 1692),
    "DivAware+SBERT": (216, 805, 282, 271, 270),
}


def _figures(downloaded: int, counts: tuple[int, ...]) -> AspectCounts:
    return AspectCounts(downloaded, counts)


@pytest.mark.parametrize(
    ("crawler", "printed"),
    [("NoDiv", 0.178), ("DivAware", 0.201), ("DivAware+WE", 0.187), ("DivAware+SBERT", 0.022)],
)
def test_table_4_5(crawler: str, printed: float) -> None:
    assert round(_figures(*AT_45[crawler]).precision_ia or 0, 3) == printed


def test_table_4_6_of_the_first_crawler() -> None:
    """The document cuts after the third digit."""
    thousandths = [int(1000 * (share or 0)) for share in _figures(*AT_45["NoDiv"]).shares]
    assert thousandths == [110, 407, 167, 158, 156]


@pytest.mark.parametrize(
    ("crawler", "printed"),
    [("NoDiv", 0.118), ("DivAware", 0.119), ("DivAware+WE", 0.114), ("DivAware+SBERT", 0.164)],
)
def test_table_4_7(crawler: str, printed: float) -> None:
    assert _figures(*AT_45[crawler]).share_deviation == pytest.approx(printed, abs=6e-4)


@pytest.mark.parametrize(
    ("crawler", "printed"),
    [("NoDiv", 0.177), ("DivAware", 0.211), ("DivAware+WE", 0.182), ("DivAware+SBERT", 0.032)],
)
def test_table_4_8_is_made_of_the_counts_at_batch_18(crawler: str, printed: float) -> None:
    """The printed P-IA "at batch 20" divides the counts at batch 18 by the downloads given."""
    figures = _figures(DOWNLOADED_AT_20[crawler], AT_18[crawler])
    assert round(figures.precision_ia or 0, 3) == printed


def test_precision_from_the_counts_at_batch_20() -> None:
    found = {c: round(_figures(DOWNLOADED_AT_20[c], AT_20[c]).precision_ia or 0, 3) for c in AT_20}
    assert found == {
        "NoDiv": 0.212,
        "DivAware": 0.243,
        "DivAware+WE": 0.208,
        "DivAware+SBERT": 0.032,
    }


def _record(batch: int, status: int = 200, reason: str = "", **cosines: float) -> dict[str, object]:
    return {"iteration": batch, "status": status, "reason": reason, "aspects": cosines}


def test_tally_by_batch_up_to_each() -> None:
    tally = AspectTally(["diet", "range"])
    for record in (
        _record(0, diet=0.5, range=0.1),
        _record(0, diet=0.11, range=0.0),
        _record(2, diet=0.0, range=0.3),
        _record(2, status=404),
        _record(2, reason="not modified"),
        {"iteration": 2, "status": 200, "reason": "no text"},
    ):
        tally.add(record)
    first, second, third = tally.figures
    assert first == second == AspectFigures(2, (2, 0), (0, 1))
    assert third == AspectFigures(4, (2, 1), (2, 2))
    assert third.precision_ia == pytest.approx(3 / 8)
    assert third.shares == pytest.approx((2 / 3, 1 / 3))
    assert third.zero_shares == (0.5, 0.5)
    assert third.share_deviation == pytest.approx(2**0.5 / 6)


def test_what_is_not_defined() -> None:
    nothing = AspectFigures(0, (0, 0), (0, 0))
    assert nothing.precision_ia is nothing.share_deviation is None
    assert nothing.shares == nothing.zero_shares == (None, None)
    assert AspectFigures(3, (2,), (0,)).share_deviation is None


def test_rows_have_the_columns_and_the_weights_of_their_batch() -> None:
    names = ["diet", "range"]
    figures = [AspectFigures(2, (1, 0), (0, 2)), AspectFigures(4, (1, 1), (2, 3))]
    first, second = aspect_rows(names, figures, [[0.5, 0.5], [0.25, 0.75], [0.4, 0.6]])
    assert set(first) == set(aspect_fields(names))
    assert (first["weight range"], second["weight range"]) == ("0.500000", "0.750000")
    assert (first["share range"], second["zero range"]) == ("0.000000", "0.750000")
    assert aspect_rows(names, figures)[0]["weight diet"] == "n/a"
