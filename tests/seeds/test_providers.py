"""Providers by name, and the ``seeds=`` argument."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.seeds import PROVIDERS, FileSeeds, provider, providers_from_argument
from tests.seeds.service import Service, crossref_page


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my seeds.txt").write_text("https://one.example/\n")
    Path("a,b.txt").write_text("https://two.example/\n")


@pytest.mark.parametrize("name", sorted(PROVIDERS))
def test_each_provider_has_its_name(name: str) -> None:
    search = provider(f" {name.upper()} ", Service().fetch)
    assert (search.name, search.uses_query) == (name, True)


def test_endpoints_can_be_changed() -> None:
    service = Service(crossref_page([]))
    search = provider(
        "crossref", service.fetch, url="http://127.0.3.1:1/works", contact="a@b.example"
    )
    asyncio.run(search.search("Pteropus", 1))
    assert service.asked[0].startswith("http://127.0.3.1:1/works?")
    assert service.arguments(0)["mailto"] == "a@b.example"


def test_an_unknown_provider_is_refused() -> None:
    with pytest.raises(ArgumentError, match="'scholar' is no provider; known are crossref, euro"):
        provider("scholar", Service().fetch)


@pytest.mark.parametrize(
    ("argument", "names", "urls"),
    [
        ("crossref", ("crossref",), 0),
        ("EuropePMC , crossref,crossref", ("europepmc", "crossref"), 0),
        ("my seeds.txt", (), 1),
        ("./a,b.txt", (), 1),
        ("crossref,my seeds.txt", ("crossref",), 1),
        ("https://a.example/1 https://a.example/2,3", (), 2),
    ],
)
def test_seeds_arguments(argument: str, names: tuple[str, ...], urls: int) -> None:
    found = providers_from_argument(argument, Service().fetch)
    assert tuple(p.name for p in found if p.uses_query) == names
    assert sum(len(p) for p in found if isinstance(p, FileSeeds)) == urls


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("", "got nothing"),
        (" , ", "got nothing"),
        ("scholar", "'scholar' is neither a file nor a provider; known providers: crossref, europ"),
        ("crossref,scholar", "'scholar' is neither"),
        ("x.txt,y.txt", "expected one file of URLs at most, got x.txt, y.txt"),
        ("https://a.example/ " * 1000, "write the URLs to a file"),
        ("x" * 5000, "is neither a file nor a provider"),
        ("a\0b", "is neither a file nor a provider"),
    ],
)
def test_wrong_seeds_arguments(argument: str, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        providers_from_argument(argument, Service().fetch)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_seeds_file_is_named() -> None:
    with pytest.raises(InputFileError, match=r"nowhere/seeds\.txt: expected a file of URLs"):
        providers_from_argument("nowhere/seeds.txt", Service().fetch)
    with pytest.raises(InputFileError, match=r"seeds\.csv: .*not there"):
        providers_from_argument("seeds.csv", Service().fetch)
