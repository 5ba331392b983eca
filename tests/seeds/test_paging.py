"""Paging of both searches: where it ends, what it counts (cases SEA-01 and SEA-04)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from taxocrawl.exceptions import ArgumentError, SeedError
from taxocrawl.seeds.base import SearchOutcome
from taxocrawl.seeds.crossref import Crossref
from taxocrawl.seeds.europepmc import EuropePmc
from taxocrawl.seeds.works import MAX_BARREN_PAGES
from tests.seeds.service import Service, article, crossref_page, europepmc_page, work


def crossref(
    service: Service, limit: int, query: str = "Pteropus", **options: Any
) -> SearchOutcome:
    provider = Crossref(service.fetch, sleep=service.sleep, **options)
    return asyncio.run(provider.search(query, limit))


def europepmc(
    service: Service, limit: int, query: str = "Pteropus", **options: Any
) -> SearchOutcome:
    provider = EuropePmc(service.fetch, sleep=service.sleep, **options)
    return asyncio.run(provider.search(query, limit))


def numbered(first: int, count: int) -> list[dict[str, Any]]:
    return [work(n) for n in range(first, first + count)]


def endless_cursor() -> Service:
    pages = [numbered(0, 20), numbered(20, 20), numbered(40, 5), []]
    return Service(*(crossref_page(items) for items in pages))


def test_sea_01_crossref_stops_although_a_next_cursor_always_comes() -> None:
    service = endless_cursor()
    outcome = crossref(service, 100)
    assert len(outcome.results) == 45
    assert outcome.requests == len(service.asked) <= 4
    assert "cursor=%2A" in service.asked[0]
    assert all("cursor=AoJ%2FMm%2Bo%3D%3D" in url for url in service.asked[1:])
    assert [r.rank for r in outcome.results] == list(range(1, 46))


def test_sea_01_crossref_asks_no_more_pages_than_the_limit_needs() -> None:
    service = endless_cursor()
    outcome = crossref(service, 30)
    assert len(outcome.results) == 30
    assert len(service.asked) == 2
    assert len(outcome.reserves) == 10


def test_crossref_stops_at_its_total() -> None:
    service = Service(crossref_page(numbered(0, 20), **{"total-results": 20}))
    assert len(crossref(service, 100).results) == 20
    assert len(service.asked) == 1


def test_crossref_stops_without_a_next_cursor() -> None:
    service = Service(crossref_page(numbered(0, 20), cursor=None))
    assert len(crossref(service, 100).results) == 20
    assert len(service.asked) == 1


def test_a_service_that_repeats_its_first_page_for_ever_is_left() -> None:
    service = Service(crossref_page(numbered(0, 20)))
    outcome = crossref(service, 100)
    assert len(outcome.results) == 20
    assert len(service.asked) == 1 + MAX_BARREN_PAGES
    assert outcome.repeats == 20 * MAX_BARREN_PAGES


def test_sea_01_europepmc_stops_when_the_mark_repeats() -> None:
    marks = {"*": "AoIIP+x/==", "AoIIP+x/==": "AoIIP+y/==", "AoIIP+y/==": "AoIIP+y/=="}
    service = Service(answer=lambda url: None)

    def answer(url: str) -> Any:
        mark = service.arguments(-1)["cursorMark"]
        count = 5 if marks[mark] == mark else 20
        first = 20 * list(marks).index(mark)
        return europepmc_page([article(first + n + 1) for n in range(count)], marks[mark])

    service._answer = answer
    outcome = europepmc(service, 100)
    assert len(outcome.results) == 45
    assert len(service.asked) == 3
    assert "cursorMark=AoIIP%2By%2F%3D%3D" in service.asked[2]


def test_europepmc_stops_without_a_mark_and_at_its_hit_count() -> None:
    service = Service(europepmc_page([article(1)], None))
    assert len(europepmc(service, 100).results) == 1
    assert len(service.asked) == 1
    service = Service(europepmc_page([article(1)], "next", hitCount=1))
    assert len(europepmc(service, 100).results) == 1
    assert len(service.asked) == 1


def dead(number: int) -> dict[str, Any]:
    return {"DOI": f"10.5555/dead.{number}", "URL": f"https://gone.example/{number}"}


def sea_04() -> Service:
    """20 rows without link, then 15: 5 by DOI only, 5 dead, 5 full texts that repeat the first."""
    doi_only = [{"DOI": f"10.5555/work.{n}", "title": [f"Work {n}"]} for n in range(5)]
    pdf = {"content-type": "application/pdf", "intended-application": "text-mining"}
    full = [
        work(n, DOI=f"10.5555/WORK.{n}", link=[pdf | {"URL": f"https://pdf.example/{n}.pdf"}])
        for n in range(5)
    ]
    pages = [[{"title": ["No link"]}] * 20, [*doi_only, *map(dead, range(5)), *full], []]
    return Service(*(crossref_page(items) for items in pages))


def test_sea_04_a_page_without_links_is_not_the_end() -> None:
    service = sea_04()
    outcome = crossref(service, 8)
    assert outcome.without_link == 20
    assert outcome.repeats == 5
    assert len(outcome.results) == 8
    assert len(outcome.results) + len(outcome.reserves) == 10
    assert [r.rank for r in (*outcome.results, *outcome.reserves)] == list(range(1, 11))
    assert len(service.asked) == 2


def test_sea_04_a_repeat_lends_its_full_text_to_the_first() -> None:
    first = crossref(sea_04(), 8).results[0]
    assert first.url == "https://pdf.example/0.pdf"
    assert first.alternatives == (
        "https://journal.example/article/0",
        "https://doi.org/10.5555/work.0",
    )
    assert first.doi == "10.5555/work.0"


def test_rows_of_other_shapes_count_as_without_link_and_paging_goes_on() -> None:
    odd = [
        None,
        7,
        "x",
        [],
        {"URL": 5},
        {"DOI": 10.5},
        {"URL": "ftp://a.example/x"},
        {"URL": "http://["},
    ]
    service = Service(crossref_page(odd), crossref_page(numbered(0, 3)), crossref_page([]))
    outcome = crossref(service, 10)
    assert len(outcome.results) == 3
    assert outcome.without_link == len(odd)


def test_a_later_page_that_fails_leaves_what_came_before() -> None:
    service = Service(crossref_page(numbered(0, 20)), b"<html>busy</html>")
    outcome = crossref(service, 100)
    assert len(outcome.results) == 20
    assert outcome.problem.startswith("crossref: expected a JSON object, got HTML")


def test_a_first_page_that_fails_is_an_error() -> None:
    with pytest.raises(SeedError, match=r"^crossref: expected a JSON object, got HTML"):
        crossref(Service(b"<html>busy</html>"), 100)


@pytest.mark.parametrize("query", ["", "  \n"])
def test_a_blank_query_is_refused_before_any_request(query: str) -> None:
    service = endless_cursor()
    with pytest.raises(ArgumentError, match="query"):
        crossref(service, 10, query)
    with pytest.raises(ArgumentError, match="query"):
        europepmc(service, 10, query)
    assert service.asked == []


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ArgumentError, match="from 1, got 0"):
        crossref(endless_cursor(), 0)


@pytest.mark.parametrize(("limit", "rows"), [(1, 20), (30, 45), (100, 150), (100_000, 200)])
def test_page_sizes_are_bounded(limit: int, rows: int) -> None:
    service = Service(crossref_page([]))
    crossref(service, limit)
    assert service.arguments(0)["rows"] == str(rows)
    service = Service(europepmc_page([], None))
    europepmc(service, limit)
    assert service.arguments(0)["pageSize"] == str(rows)
