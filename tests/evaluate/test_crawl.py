from __future__ import annotations

from typing import Any

import pytest

from taxocrawl.evaluate.confusion import Confusion
from taxocrawl.evaluate.crawl import CrawlTally, IterationFigures, crawl_figures
from taxocrawl.evaluate.truth import Label, Truth


def fetch(name: str, iteration: int = 0, category: str = "", **more: Any) -> dict[str, Any]:
    url = f"http://a.example/{name}"
    record = {
        "url": url,
        "final_url": url,
        "status": 200,
        "kind": "html",
        "category": category,
        "iteration": iteration,
        "reason": "",
    }
    return record | more


TAXONOMIC, OTHER = "taxonomic", "non-taxonomic"
TRUTH = Truth(
    {
        "http://a.example/good": Label.RELEVANT,
        "http://a.example/missed": Label.RELEVANT,
        "http://a.example/bad": Label.OTHER,
        "http://a.example/noise": Label.OTHER,
        "http://a.example/unclear": Label.BORDERLINE,
        "http://a.example/late": Label.RELEVANT,
    }
)
RECORDS = [
    fetch("good", category=TAXONOMIC),
    fetch("missed", category=OTHER, kind="pdf"),
    fetch("bad", category=TAXONOMIC),
    fetch("noise", category=OTHER, reason="non-taxonomic"),
    fetch("unclear", category=TAXONOMIC, reason="repeat"),
    fetch("dead", status=404, kind=""),
    fetch("silent", status=0, kind="", reason="timeout"),
    fetch("locked", kind="pdf", reason="password"),
    fetch("late", iteration=2, category=TAXONOMIC),
    fetch("new", iteration=2, category=TAXONOMIC, kind="pdf"),
]


def test_downloads_are_counted_by_what_became_of_them() -> None:
    first, empty, last = crawl_figures(RECORDS).iterations

    assert (first.downloaded, first.passed, first.rejected, first.failed) == (6, 3, 3, 2)
    assert first.rejected_by_kind == {"pdf": 2, "html": 1}
    assert first.rejected_by_reason == {"non-taxonomic": 2, "password": 1}
    assert first.withheld_by_reason == {"repeat": 1}
    assert first.failed_by_reason == {"status 404": 1, "timeout": 1}
    assert empty == IterationFigures()
    assert (last.downloaded, last.passed) == (2, 2)


def test_the_filter_is_judged_by_the_truth() -> None:
    figures = crawl_figures(RECORDS, TRUTH)
    first, _, last = figures.iterations

    # "locked" and "new" are not listed: not relevant, as unjudged documents in TREC.
    assert first.confusion == Confusion(tp=1, fp=1, tn=2, fn=1)
    assert first.before == Confusion(tp=2, fp=3)
    assert (first.borderline, first.unlisted) == (1, 1)
    assert last.confusion == Confusion(tp=1, fp=1)
    assert figures.cumulative[-1].confusion == Confusion(tp=2, fp=2, tn=2, fn=1)
    assert figures.relative_recall_before == [2 / 3, 2 / 3, 1.0]
    assert figures.relative_recall_after == [1 / 2, 1 / 2, 1.0]


def test_unlisted_downloads_can_be_left_out() -> None:
    first = crawl_figures(RECORDS, TRUTH, unlisted=None).iterations[0]

    assert first.confusion == Confusion(tp=1, fp=1, tn=1, fn=1)
    assert first.unlisted == 1


def test_harvest_rate_is_what_is_relevant_of_all_that_was_downloaded() -> None:
    judged, unjudged = crawl_figures(RECORDS, TRUTH), crawl_figures(RECORDS)

    assert judged.harvest_rate(judged.total) == 3 / 8
    assert unjudged.harvest_rate(unjudged.total) == 5 / 8
    assert unjudged.harvest_rate(IterationFigures()) is None


def test_the_final_url_decides_before_the_url_asked_for() -> None:
    truth = Truth({"http://a.example/asked": Label.OTHER, "http://a.example/got": Label.RELEVANT})
    records = [
        fetch("asked", category=TAXONOMIC, final_url="http://a.example/got"),
        fetch("asked", category=TAXONOMIC, final_url="http://a.example/elsewhere"),
    ]

    assert crawl_figures(records, truth).total.confusion == Confusion(tp=1, fp=1)


def test_records_read_back_from_csv_give_the_same_figures() -> None:
    as_text = [{name: str(value) for name, value in record.items()} for record in RECORDS]

    assert crawl_figures(as_text, TRUTH) == crawl_figures(RECORDS, TRUTH)


def test_no_records_give_no_iterations_and_no_division_by_zero() -> None:
    figures = crawl_figures([], TRUTH)

    assert figures.iterations == ()
    assert figures.relative_recall_before == []
    assert figures.harvest_rate(figures.total) is None


def test_relative_recall_is_undefined_when_nothing_relevant_was_found() -> None:
    figures = crawl_figures([fetch("bad", category=TAXONOMIC)], TRUTH)

    assert figures.relative_recall_before == [None]
    assert figures.relative_recall_after == [None]


def test_figures_handed_out_do_not_change_with_later_records() -> None:
    tally = CrawlTally(TRUTH)
    tally.add(RECORDS[0])
    before = tally.figures()
    for record in RECORDS[1:]:
        tally.add(record)

    assert before == crawl_figures(RECORDS[:1], TRUTH)
    assert tally.figures() == crawl_figures(RECORDS, TRUTH)


def test_crawls_are_pooled_iteration_by_iteration() -> None:
    long, short = crawl_figures(RECORDS, TRUTH), crawl_figures(RECORDS[:8], TRUTH)

    pooled = short + long

    assert pooled == long + short
    assert [part.downloaded for part in pooled.iterations] == [12, 0, 2]
    assert pooled.total.confusion == Confusion(tp=3, fp=3, tn=4, fn=2)


@pytest.mark.parametrize("wrong", [{"iteration": "-1"}, {"iteration": "x"}, {"status": "x"}])
def test_a_record_without_numbers_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError):
        crawl_figures([fetch("good") | wrong])
