"""How one record of Crossref or Europe PMC is read: links, title, odd shapes, request lines."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from taxocrawl.exceptions import SeedError
from taxocrawl.seeds.crossref import Crossref, read_item
from taxocrawl.seeds.europepmc import EuropePmc, plain_query, read_result
from taxocrawl.seeds.works import Row
from tests.seeds.service import Service, article, crossref_page, europepmc_page, work

PDF = {"URL": "https://j.example/1.pdf", "content-type": "application/pdf"}
HTML = {"URL": "https://j.example/1/full", "content-type": "text/html"}
XML = {"URL": "https://j.example/1.xml", "content-type": "text/xml"}
UNSTATED = {"URL": "https://j.example/1/turn", "content-type": "unspecified"}
LANDING = "https://journal.example/article/1"
DOI = "https://doi.org/10.5555/work.1"
OPEN = [{"URL": "https://creativecommons.org/licenses/by/4.0/", "content-version": "vor"}]
CLOSED = [{"URL": "https://www.publisher.example/tdm/license", "content-version": "tdm"}]


def urls(row: Row) -> list[str]:
    return [url for _, url in row.links]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"link": [HTML, PDF]}, [PDF["URL"], HTML["URL"], LANDING, DOI]),
        ({"link": [UNSTATED, HTML]}, [HTML["URL"], LANDING, UNSTATED["URL"], DOI]),
        ({"link": [XML]}, [LANDING, DOI]),
        ({"link": [PDF], "license": OPEN}, [PDF["URL"], LANDING, DOI]),
        ({"link": [PDF], "license": [*CLOSED, *OPEN]}, [PDF["URL"], LANDING, DOI]),
        ({"link": [PDF], "license": CLOSED}, [LANDING, DOI, PDF["URL"]]),
        ({"link": [PDF], "license": [{}, 3]}, [PDF["URL"], LANDING, DOI]),
        ({"link": [PDF, PDF]}, [PDF["URL"], LANDING, DOI]),
        ({"link": [{"URL": LANDING, "content-type": "application/pdf;v=1"}]}, [LANDING, DOI]),
        ({"link": None, "resource": None}, [DOI]),
        ({"link": {"URL": "x"}, "resource": {"primary": None}}, [DOI]),
        ({"link": ["x", 4], "resource": {"primary": {"URL": 3}}}, [DOI]),
        ({"link": [], "URL": "https://other.example/1"}, [LANDING, "https://other.example/1", DOI]),
        ({"DOI": 10.5555}, [LANDING, "http://dx.doi.org/10.5555/work.1"]),
        ({"DOI": "none"}, [LANDING, "http://dx.doi.org/10.5555/work.1"]),
        (
            {"link": [PDF | {"URL": " https://j.example/a b.pdf?x=1&amp;copy=2 "}]},
            ["https://j.example/a%20b.pdf?x=1&copy=2", LANDING, DOI],
        ),
        (
            {"link": [PDF | {"URL": u} for u in ("javascript:x", "http://", "//x", "")]},
            [LANDING, DOI],
        ),
    ],
)
def test_links_of_a_crossref_item(fields: dict[str, Any], expected: list[str]) -> None:
    assert urls(read_item(work(1, **fields))) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        (["<i>Pteropus</i>  vampyrus\n&amp; allies"], "Pteropus vampyrus & allies"),
        ("A plain title", "A plain title"),
        ([], ""),
        (None, ""),
        ([None], ""),
        (17, ""),
        ({"x": 1}, ""),
    ],
)
def test_titles_of_a_crossref_item(title: object, expected: str) -> None:
    assert read_item(work(1, title=title)).title == expected


def test_the_snippet_is_the_abstract_or_the_journal() -> None:
    assert read_item(work(1, abstract="<jats:p>A new bat.</jats:p>")).snippet == "A new bat."
    assert read_item(work(1, **{"container-title": ["Acta"]})).snippet == "Acta"
    long = read_item(work(1, abstract="word " * 1000)).snippet
    assert len(long) <= 500
    assert long.endswith("…")


RENDERED = "https://europepmc.org/articles/PMC1?pdf=render"
ARTICLE_DOI = "https://doi.org/10.5555/article.1"


def full_text(*links: tuple[str, str, str]) -> dict[str, Any]:
    keys = ("documentStyle", "availabilityCode", "url")
    return {"fullTextUrlList": {"fullTextUrl": [dict(zip(keys, x, strict=True)) for x in links]}}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            full_text(
                ("doi", "S", "http://dx.doi.org/10.5555/article.1"),
                ("html", "OA", "https://e.example/1"),
                ("pdf", "F", "https://e.example/1.pdf"),
            ),
            ["https://e.example/1.pdf", "https://e.example/1", ARTICLE_DOI],
        ),
        ({}, [RENDERED, "https://europepmc.org/articles/PMC1", ARTICLE_DOI]),
        ({"isOpenAccess": "N", "inEPMC": "Y"}, [RENDERED, RENDERED.partition("?")[0], ARTICLE_DOI]),
        ({"isOpenAccess": "N"}, [ARTICLE_DOI]),
        ({"isOpenAccess": "N", "doi": None}, []),
        ({"pmcid": ["PMC1"]}, [ARTICLE_DOI]),
        ({"pmcid": "PMC1/../../x"}, [ARTICLE_DOI]),
        ({"isOpenAccess": "N"} | full_text(("pdf", "S", "https://e.example/1.pdf")),
         [ARTICLE_DOI, "https://e.example/1.pdf"]),
        ({"isOpenAccess": "N", "fullTextUrlList": {"fullTextUrl": "x"}}, [ARTICLE_DOI]),
        ({"isOpenAccess": "N", "fullTextUrlList": []}, [ARTICLE_DOI]),
    ],
)  # fmt: skip
def test_links_of_a_europepmc_result(fields: dict[str, Any], expected: list[str]) -> None:
    assert urls(read_result(article(1, **fields))) == expected


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ('Pteropus "new genus"', 'Pteropus "new genus"'),
        ('Pteropus "new genus', "Pteropus new genus"),
        ("Pteropus: a revision (Chiroptera)", "Pteropus a revision Chiroptera"),
        ('Pteropus "a:b"', 'Pteropus "a b"'),
        ("Đặng Vũ Tùng 測試 sp. nov.", "Đặng Vũ Tùng 測試 sp. nov."),
        ("leaf-nosed bats", "leaf-nosed bats"),
        ('"" ()', ""),
    ],
)
def test_europepmc_gets_no_stray_syntax(query: str, words: str) -> None:
    assert plain_query(query) == words


def test_europepmc_refuses_a_query_without_a_word() -> None:
    service = Service(europepmc_page([], None))
    with pytest.raises(SeedError, match=r"^europepmc: no word to search for in '\?\?'"):
        asyncio.run(EuropePmc(service.fetch).search("??", 10))
    assert service.asked == []


def test_request_lines() -> None:
    service = Service(crossref_page([]))
    search = Crossref(
        service.fetch, url="http://127.0.0.1:1/works?filter=x", contact="a+b@c.example"
    )
    asyncio.run(search.search("Đặng  a=b&c\n測試", 10))
    assert service.asked[0].startswith("http://127.0.0.1:1/works?filter=x&query.bibliographic=")
    sent = service.arguments(0)
    assert sent["query.bibliographic"] == "Đặng a=b&c 測試"
    assert sent["mailto"] == "a+b@c.example"
    assert sent["cursor"] == "*"
    assert service.asked[0].isascii()
    assert " " not in service.asked[0]
    service = Service(europepmc_page([], None))
    asyncio.run(EuropePmc(service.fetch, contact="a@c.example").search("Pteropus", 10))
    assert service.asked[0].startswith("https://www.ebi.ac.uk/europepmc/webservices/rest/search?")
    assert service.arguments(0) == {
        "query": "Pteropus", "format": "json", "resultType": "core", "pageSize": "20",
        "cursorMark": "*", "email": "a@c.example",
    }  # fmt: skip


def test_no_contact_is_sent_when_none_is_set() -> None:
    service = Service(crossref_page([]))
    asyncio.run(Crossref(service.fetch).search("Pteropus", 10))
    assert "mailto" not in service.asked[0]


@pytest.mark.parametrize(
    "answer",
    [{}, {"message": None}, {"message": []}, crossref_page(None), crossref_page({"a": 1})],
)
def test_crossref_answers_without_a_list_are_errors(answer: object) -> None:
    with pytest.raises(SeedError, match=r"^crossref: expected a list in message.items"):
        asyncio.run(Crossref(Service(answer).fetch).search("Pteropus", 10))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({}, "none"),
        ({"errCode": 1, "errMsg": "Bad query"}, "Bad query"),
        ({"resultList": []}, "none"),
        (europepmc_page(None, "x"), "none"),
    ],
)
def test_europepmc_answers_without_a_list_are_errors(answer: object, said: str) -> None:
    with pytest.raises(SeedError, match=rf"expected a list in resultList.result, got {said}$"):
        asyncio.run(EuropePmc(Service(answer).fetch).search("Pteropus", 10))


def test_nothing_found_is_no_error() -> None:
    found = asyncio.run(Crossref(Service(crossref_page([])).fetch).search("adfaaf", 10))
    assert found.results == ()
    assert (found.requests, found.problem) == (1, "")
