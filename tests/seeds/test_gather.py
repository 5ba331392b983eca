"""Seeds of several providers and queries: merged order, joining, limits, failures."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from taxocrawl.exceptions import ArgumentError, SeedError
from taxocrawl.seeds import FileSeeds, gather
from taxocrawl.seeds.base import SearchOutcome, SearchResult, Use
from taxocrawl.seeds.crossref import Crossref
from taxocrawl.seeds.europepmc import EuropePmc
from tests.seeds.service import Service, article, crossref_page, europepmc_page, work


class Fixed:
    """A search that has a list of pages for each query, or fails with a line of text."""

    uses_query = True

    def __init__(self, name: str, answers: dict[str, list[str] | str]) -> None:
        self.name = name
        self.answers = answers
        self.asked: list[str] = []

    async def search(self, query: str, limit: int) -> SearchOutcome:
        self.asked.append(query)
        # Answers late, so that providers finish in another order than they were asked.
        for _ in range(5 if self.name == "a" else 1):
            await asyncio.sleep(0)
        answer = self.answers[query]
        if isinstance(answer, str):
            raise SeedError(f"{self.name}: {answer}")
        hits = [
            SearchResult(f"https://{page}.example/", "", "", "", rank, self.name, query)
            for rank, page in enumerate(answer, start=1)
        ]
        return SearchOutcome(tuple(hits[:limit]), requests=1, reserves=tuple(hits[limit:]))


def pages(found: tuple[SearchResult, ...]) -> list[str]:
    return [hit.url.removeprefix("https://").removesuffix(".example/") for hit in found]


def test_results_are_merged_round_robin_by_rank() -> None:
    a = Fixed("a", {"p": ["a-p1", "a-p2", "a-p3"], "q": ["a-q1"]})
    b = Fixed("b", {"p": ["b-p1", "b-p2"], "q": ["b-q1", "b-q2"]})
    found = asyncio.run(gather([a, b], ["p", "q"], 5))
    assert pages(found.seeds) == ["a-p1", "b-p1", "a-q1", "b-q1", "a-p2"]
    assert pages(found.reserves) == ["b-p2", "b-q2", "a-p3"]
    assert (found.failures, found.requests, found.repeats) == ((), 4, 0)


def test_works_found_twice_are_joined_and_keep_their_first_place() -> None:
    a = Fixed("a", {"p": ["x", "y"], "q": ["y", "z"]})
    found = asyncio.run(gather([a], ["p", "q"], 10))
    assert pages(found.seeds) == ["x", "y", "z"]
    assert [(hit.query, hit.rank) for hit in found.seeds] == [("p", 1), ("q", 1), ("q", 2)]
    assert found.repeats == 1


def test_a_work_of_both_searches_gets_the_open_full_text() -> None:
    crossref = Service(crossref_page([work(1, DOI="10.5555/ARTICLE.1", URL=None)], None))
    europepmc = Service(europepmc_page([article(1), article(2)], None))
    providers = [Crossref(crossref.fetch), EuropePmc(europepmc.fetch)]
    found = asyncio.run(gather(providers, ["Pteropus"], 10))
    first = found.seeds[0]
    assert first.url == "https://europepmc.org/articles/PMC1?pdf=render"
    assert first.alternatives == (
        "https://europepmc.org/articles/PMC1",
        "https://journal.example/article/1",
        "https://doi.org/10.5555/article.1",
    )
    assert (first.provider, first.title, first.uses[0]) == ("crossref", "Work 1", Use.OPEN_PDF)
    assert len(found.seeds) == 2


def test_a_provider_that_fails_costs_only_itself() -> None:
    a = Fixed("a", {"p": "HTTP 503", "q": "HTTP 503", "r": "HTTP 503"})
    b = Fixed("b", {"p": ["x"], "q": "HTTP 400", "r": ["y"]})
    found = asyncio.run(gather([a, b], ["p", "q", "r"], 10))
    assert pages(found.seeds) == ["x", "y"]
    assert found.failures == (
        ("a", "p", "a: HTTP 503"),
        ("a", "q", "a: HTTP 503"),
        ("b", "q", "b: HTTP 400"),
    )
    assert a.asked == ["p", "q"]
    assert b.asked == ["p", "q", "r"]


def test_all_failing_fails_the_run_with_one_line() -> None:
    a = Fixed("a", {"p": "HTTP 503"})
    b = Fixed("b", {"p": "no answer"})
    with pytest.raises(SeedError, match=r"^no seed provider answered: a: HTTP 503; b: no answer$"):
        asyncio.run(gather([a, b], ["p"], 10))


def test_an_empty_answer_is_an_answer() -> None:
    found = asyncio.run(gather([Fixed("a", {"p": []}), Fixed("b", {"p": "down"})], ["p"], 10))
    assert (found.seeds, found.reserves) == ((), ())
    assert len(found.failures) == 1


def test_half_an_answer_is_kept_and_told() -> None:
    service = Service(crossref_page([work(n) for n in range(20)]), 404)
    found = asyncio.run(gather([Crossref(service.fetch)], ["p"], 50))
    assert len(found.seeds) == 20
    assert found.failures[0].message.startswith("crossref: HTTP 404")


def test_urls_of_the_user_come_first_and_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "seeds.txt"
    path.write_text("https://one.example/\nhttps://x.example/\nhttps://two.example/\n")
    a = Fixed("a", {"p": ["x", "y", "z"], "q": []})
    found = asyncio.run(gather([a, FileSeeds(path)], ["p", "q"], 1))
    assert pages(found.seeds) == ["one", "x", "two", "y"]
    assert pages(found.reserves) == ["z"]
    assert found.seeds[1].provider == "file"


def test_a_file_needs_no_query(tmp_path: Path) -> None:
    path = tmp_path / "seeds.txt"
    path.write_text("https://one.example/\n")
    assert len(asyncio.run(gather([FileSeeds(path)], [], 1)).seeds) == 1


def test_dead_seeds_are_replaced_from_the_reserves() -> None:
    """SEA-04: the limit counts distinct usable results, the rest stands ready."""
    a = Fixed("a", {"p": [f"p{n}" for n in range(10)]})
    found = asyncio.run(gather([a], ["p"], 8))
    assert (len(found.seeds), len(found.reserves)) == (8, 2)


@pytest.mark.parametrize(("queries", "limit"), [([], 5), (["p"], 0)])
def test_nothing_to_ask_is_refused(queries: list[str], limit: int) -> None:
    with pytest.raises(ArgumentError):
        asyncio.run(gather([Fixed("a", {})], queries, limit))
    with pytest.raises(ArgumentError):
        asyncio.run(gather([], ["p"], 5))


def test_the_same_answers_give_the_same_seeds() -> None:
    def run(first: str) -> Any:
        providers = [Fixed("a", {"p": ["x", "y"]}), Fixed("b", {"p": ["z", "y"]})]
        if first == "b":
            # Only the order in which they answer changes.
            providers = [replace_name(p) for p in providers]
        return pages(asyncio.run(gather(providers, ["p"], 3)).seeds)

    def replace_name(p: Fixed) -> Fixed:
        return Fixed({"a": "b", "b": "a"}[p.name], p.answers)

    assert run("a") == run("b") == ["x", "z", "y"]


def test_result_uses_are_optional() -> None:
    hit = SearchResult("https://x.example/", "", "", "", 1, "a", "p", ("https://y.example/",))
    assert replace(hit).uses == ()
