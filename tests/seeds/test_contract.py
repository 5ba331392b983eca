"""What every seed provider promises (taxocrawl.seeds.base.SeedProvider), for each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from taxocrawl.seeds.base import SeedProvider
from taxocrawl.seeds.crossref import Crossref
from taxocrawl.seeds.europepmc import EuropePmc
from taxocrawl.seeds.file import FileSeeds
from tests.seeds.service import Service, article, crossref_page, europepmc_page, work

Make = Callable[[Path], SeedProvider]


def crossref(folder: Path) -> SeedProvider:
    items = [{"title": ["no link"]}, *(work(n // 2) for n in range(20))]
    return Crossref(Service(crossref_page(items), crossref_page([])).fetch)


def europepmc(folder: Path) -> SeedProvider:
    results = [{"title": "no link"}, *(article(1 + n // 2) for n in range(20))]
    return EuropePmc(Service(europepmc_page(results, "x"), europepmc_page([], "x")).fetch)


def file(folder: Path) -> SeedProvider:
    path = folder / "seeds.txt"
    urls = (f"https://a.example/{n // 2}" for n in range(20))
    path.write_text("\n".join(["no link", *urls]))
    return FileSeeds(path)


@pytest.fixture(params=[crossref, europepmc, file], ids=lambda make: make.__name__)
def provider(request: pytest.FixtureRequest, tmp_path: Path) -> SeedProvider:
    make: Make = request.param
    return make(tmp_path)


class TestSeedProvider:
    def test_results_are_distinct_ranked_and_limited(self, provider: SeedProvider) -> None:
        outcome = asyncio.run(provider.search("Pteropus", 4))
        assert [hit.rank for hit in outcome.results] == [1, 2, 3, 4]
        assert [hit.rank for hit in outcome.reserves] == [5, 6, 7, 8, 9, 10]
        hits = (*outcome.results, *outcome.reserves)
        assert len({hit.url for hit in hits}) == 10
        assert {hit.provider for hit in hits} == {provider.name}
        assert {hit.query for hit in hits} == {"Pteropus"}

    def test_rows_left_out_are_counted(self, provider: SeedProvider) -> None:
        outcome = asyncio.run(provider.search("Pteropus", 4))
        assert (outcome.without_link, outcome.repeats, outcome.problem) == (1, 10, "")

    def test_fewer_results_than_the_limit_are_all_there_are(self, provider: SeedProvider) -> None:
        outcome = asyncio.run(provider.search("Pteropus", 1000))
        assert len(outcome.results) == 10
        assert outcome.reserves == ()

    def test_alternatives_are_other_links_with_their_uses(self, provider: SeedProvider) -> None:
        for hit in asyncio.run(provider.search("Pteropus", 10)).results:
            assert hit.url not in hit.alternatives
            assert len(hit.uses) == 1 + len(hit.alternatives)
            assert list(hit.uses) == sorted(hit.uses)
