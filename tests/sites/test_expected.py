from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.sites import expected
from tests.sites.content import absolute, hosts
from tests.sites.expected import EXPORTED, OPTIONAL, compare, facts
from tests.sites.walk import right_crawl

PORT = 8080
RELEVANT = frozenset(fact.address for fact in facts() if fact.label == "taxonomic")


def crawl(iterations: int, query: str = expected.QUERY) -> dict[str, int]:
    """A right crawl; of two addresses of a document the first one counts."""
    same = {fact.address: fact.same_as for fact in facts() if fact.same_as}
    found = right_crawl(query, RELEVANT, iterations)
    return {address: number for address, number in found.items() if address not in same}


def test_a_right_crawl_brings_exactly_what_is_expected() -> None:
    found = crawl(iterations=2)
    assert {a: i for a, i in found.items() if a not in OPTIONAL} == EXPORTED
    assert expected.COUNT == len(EXPORTED) == 17


def test_the_genus_alone_brings_the_same() -> None:
    assert crawl(2, "Pteropus") == crawl(2)


@pytest.mark.parametrize("iterations", [0, 1])
def test_each_iteration_brings_new_documents(iterations: int) -> None:
    found = {a for a in crawl(iterations) if a not in OPTIONAL}
    assert found == {a for a, number in EXPORTED.items() if number <= iterations}
    assert iterations + 1 in EXPORTED.values()


def test_a_third_iteration_reaches_one_more() -> None:
    assert crawl(3).keys() - crawl(2).keys() == {"//annals/article/105"}


def test_some_documents_stay_out_of_reach() -> None:
    hidden = RELEVANT - crawl(10).keys() - {f.address for f in facts() if f.same_as}
    assert hidden == {
        "//annals/article/108",  # behind ecology
        "//annals/restricted/109",  # robots.txt
        "//museum/item/308",  # noindex
        "//museum/item/309",  # nofollow
        "//museum/item/312",  # behind an encyclopaedia
    }


def test_every_document_has_its_line_of_truth() -> None:
    served = {
        f"//{host.key}{path}"
        for host in hosts().values()
        for path, route in host.routes.items()
        if not route.redirect and not route.error and path != "/robots.txt"
    }
    endless = {"//island/fulltext/212"}  # never comes to an end
    known = {fact.address for fact in facts()}
    walls = {address for address in known if address.startswith("//island/premium/")}
    assert known - walls == served - endless - {"//island/premium/*"}


def test_the_table_is_well_formed() -> None:
    addresses = [fact.address for fact in facts()]
    assert len(addresses) == len(set(addresses))
    for fact in facts():
        assert fact.label in {"taxonomic", "non-taxonomic"}
        assert fact.export in {"yes", "optional", "no"}
        assert fact.why, fact.address
        assert not fact.same_as or fact.same_as in addresses
        if fact.export == "yes":
            assert fact.label == "taxonomic", fact.address
            assert fact.iteration in {0, 1, 2}, fact.address


def test_the_truth_file_is_what_a_crawl_takes(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv"
    expected.write_truth(path, PORT)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0].keys() == {"url", "label"}
    assert (rows[1]["url"], rows[1]["label"]) == ("http://127.0.0.2:8080/article/101", "taxonomic")
    assert len(rows) == len(facts())


def test_comparing_a_perfect_run() -> None:
    urls = list(expected.expected_urls(PORT))
    assert compare(urls, PORT).right
    assert compare([*urls, *(absolute(address, PORT) for address in OPTIONAL)], PORT).right


def test_comparing_takes_either_address() -> None:
    swap = {"http://127.0.0.4:8080/item/306": "http://127.0.0.4:8080/view.php?id=306"}
    urls = [swap.get(url, url) for url in expected.expected_urls(PORT)]
    assert compare(urls, PORT).right
    assert compare([*urls, *swap], PORT).repeated == ("//museum/item/306",)


def test_comparing_names_what_is_wrong() -> None:
    urls = [url for url in expected.expected_urls(PORT) if not url.endswith("/article/102")]
    more = ["http://127.0.0.2:8080/article/107", "http://elsewhere.example/"]
    found = compare([*urls, *more], PORT)
    assert found.missing == ("//annals/article/102",)
    assert found.forbidden == ("//annals/article/107", "http://elsewhere.example/")
    assert not found.right
