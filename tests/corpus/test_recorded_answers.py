"""Both searches against every recorded answer of the real services."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from taxocrawl.exceptions import SeedError
from taxocrawl.seeds.base import Answer, SearchOutcome, Use
from taxocrawl.seeds.crossref import Crossref
from taxocrawl.seeds.europepmc import EuropePmc

# file: rows, works, works whose seed is a PDF, HTML, a landing page, a DOI
CROSSREF = {
    "habanero_test_cursor.json": (20, 20, 0, 1, 19, 0),
    "habanero_test_works_field_queries.json": (20, 20, 5, 0, 15, 0),
    "habanero_test_works_field_query_publisher_name.json": (20, 20, 18, 2, 0, 0),
    "habanero_test_works_with_select_param.json": (20, 20, 0, 0, 0, 20),
    "habanero_test_worksquery_same_as_wrapped_method_real_requests.json": (3, 3, 0, 0, 0, 3),
    "rcrossref_cr_works.json": (20, 20, 3, 0, 17, 0),
    "rcrossref_cr_works_fails_well.json": (0, 0, 0, 0, 0, 0),
    "rcrossref_cr_works_parses_links.json": (10, 10, 0, 0, 10, 0),
    "rcrossref_cr_works_parses_links_1.json": (10, 10, 0, 0, 10, 0),
}
EUROPEPMC = {
    "getpapers_anopheles.json": (22, 22),
    "getpapers_cproject.json": (3, 3),
    "getpapers_trials.json": (35, 35),
    "getpapers_ursus.json": (25, 24),
}


async def no_wait(seconds: float) -> None:
    pass


def recorded_first(body: bytes, end: bytes) -> tuple[Any, list[str]]:
    """A fetch that gives the recorded answer once and then the end of the results."""
    asked: list[str] = []

    async def fetch(url: str) -> Answer:
        asked.append(url)
        return Answer(200, body if len(asked) == 1 else end)

    return fetch, asked


def crossref(body: bytes) -> SearchOutcome:
    fetch, asked = recorded_first(body, b'{"message": {"items": []}}')
    outcome = asyncio.run(Crossref(fetch, sleep=no_wait).search("Pteropus", 1000))
    assert outcome.requests == len(asked) <= 2
    return outcome


@pytest.mark.parametrize("name", sorted(CROSSREF))
def test_crossref_answers(corpora: Path, name: str) -> None:
    body = (corpora / "api" / "crossref" / name).read_bytes()
    outcome = crossref(body)
    rows, works, *uses = CROSSREF[name]
    assert rows == len(json.loads(body)["message"]["items"])
    assert len(outcome.results) == works
    assert outcome.without_link == rows - works - outcome.repeats
    first = Counter(hit.uses[0] for hit in outcome.results)
    assert [first[u] for u in (Use.OPEN_PDF, Use.OPEN_HTML, Use.LANDING, Use.DOI)] == uses
    for hit in outcome.results:
        assert hit.url.startswith("http")
        assert hit.doi.startswith("10.")
        assert not set(hit.title) & set("<>")


def test_every_recorded_crossref_answer_has_its_test(corpora: Path) -> None:
    names = {path.name for path in (corpora / "api" / "crossref").iterdir()}
    assert names - set(CROSSREF) == {"habanero_test_works_query_filters_not_allowed_with_dois.json"}
    assert {path.name for path in (corpora / "api" / "europepmc").iterdir()} == set(EUROPEPMC)


def test_crossrefs_own_words_about_a_wrong_request(corpora: Path) -> None:
    name = "habanero_test_works_query_filters_not_allowed_with_dois.json"
    body = (corpora / "api" / "crossref" / name).read_bytes()

    async def fetch(url: str) -> Answer:
        return Answer(400, body)

    with pytest.raises(SeedError, match="HTTP 400: This route does not support field query par"):
        asyncio.run(Crossref(fetch, sleep=no_wait).search("Pteropus", 10))


def unwrapped(value: Any) -> Any:
    """getpapers stored every value in a list; the service does so only for what is a list."""
    lists = {"fullTextUrl", "author"}
    if isinstance(value, dict):
        return {
            key: [unwrapped(v) for v in inner] if key in lists else unwrapped(inner)
            for key, inner in value.items()
        }
    return unwrapped(value[0]) if isinstance(value, list) and value else value


@pytest.mark.parametrize("name", sorted(EUROPEPMC))
def test_europepmc_records(corpora: Path, name: str) -> None:
    records = json.loads((corpora / "api" / "europepmc" / name).read_bytes())
    page = {"resultList": {"result": [unwrapped(r) for r in records]}, "nextCursorMark": "next"}
    fetch, _ = recorded_first(
        json.dumps(page).encode(), b'{"resultList": {"result": []}, "nextCursorMark": "next"}'
    )
    outcome = asyncio.run(EuropePmc(fetch, sleep=no_wait).search("Pteropus", 1000))
    works, open_pdfs = EUROPEPMC[name]
    assert len(outcome.results) == len(records) == works
    assert sum(hit.uses[0] is Use.OPEN_PDF for hit in outcome.results) == open_pdfs
    for hit in outcome.results:
        assert hit.url.startswith("http://europepmc.org/articles/PMC")
        assert hit.title
    assert sum(bool(hit.snippet) for hit in outcome.results) >= 0.9 * works


@pytest.mark.parametrize("name", sorted(EUROPEPMC))
def test_records_as_getpapers_wraps_them_break_nothing(corpora: Path, name: str) -> None:
    """Values of another type than documented count as absent: no row has a link then."""
    records = (corpora / "api" / "europepmc" / name).read_bytes()
    body = b'{"resultList": {"result": ' + records + b"}}"
    fetch, _ = recorded_first(body, b"")
    outcome = asyncio.run(EuropePmc(fetch, sleep=no_wait).search("Pteropus", 1000))
    assert outcome.results == ()
    assert outcome.without_link == len(json.loads(records))


@pytest.mark.parametrize("name", sorted(CROSSREF))
def test_answers_cut_off_anywhere_cost_one_line(corpora: Path, name: str) -> None:
    body = (corpora / "api" / "crossref" / name).read_bytes()
    for part in range(1, 20):
        with pytest.raises(SeedError) as caught:
            crossref(body[: len(body) * part // 20])
        assert str(caught.value).startswith("crossref: expected a JSON object, got broken or trunc")
