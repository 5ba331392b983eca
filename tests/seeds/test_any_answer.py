"""Whatever a service answers, a search ends with results or with a SeedError of one line."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxocrawl.exceptions import SeedError
from taxocrawl.seeds.crossref import Crossref, read_item
from taxocrawl.seeds.europepmc import EuropePmc, read_result
from tests.seeds.service import Service

KEYS = """message items total-results next-cursor DOI title URL resource primary link license
abstract content-type resultList result hitCount nextCursorMark doi pmcid isOpenAccess
fullTextUrlList
fullTextUrl documentStyle availabilityCode url errMsg""".split()
VALUES = ["", "Y", "10.5555/abc", "https://a.example/1", "http://[", "PMC1", "application/pdf", "*"]
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False)
    | st.sampled_from(VALUES) | st.text(max_size=20)
)  # fmt: skip


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    objects = st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    return objects | st.lists(inner, max_size=4)


JSON = st.recursive(LEAVES, containers, max_leaves=25)
ROWS = st.lists(JSON, max_size=4)


@pytest.mark.parametrize("read", [read_item, read_result])
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(row=JSON)
def test_any_row_can_be_read(read: Any, row: Any) -> None:
    for _, url in read(row).links:
        assert url.startswith("http")


@pytest.mark.parametrize("kind", [Crossref, EuropePmc])
@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(answer=JSON, rows=ROWS)
def test_any_answer_ends_a_search(kind: Any, answer: Any, rows: Any) -> None:
    whole = {
        "message": {"items": rows, "next-cursor": "*", "total-results": answer},
        "resultList": {"result": rows},
        "nextCursorMark": answer,
    }
    for given_answer in (answer, whole):
        service = Service(given_answer)
        search = kind(service.fetch, sleep=service.sleep)
        problem, found = f"{kind.name}: ", 0
        try:
            found = len(asyncio.run(search.search("Pteropus", 10)).results)
        except SeedError as error:
            problem = str(error)
        assert problem.startswith(f"{kind.name}: ")
        assert "\n" not in problem
        assert found <= 10
        assert len(service.asked) <= 20
