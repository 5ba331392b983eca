"""Pages that break parsers: each is read without an exception, each is accounted for."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

import pytest

from taxocrawl.documents.html import extract_html
from taxocrawl.documents.kind import sniff
from taxocrawl.documents.pages import is_challenge, is_login_wall
from taxocrawl.items import Kind

if TYPE_CHECKING:
    from pathlib import Path

URL = "https://page.example/articles/1"
CHALLENGES = {"h005.html", "h015.html"}
WITHOUT_TEXT = {"h002.html", *CHALLENGES}
PDF_IN_DISGUISE = {"h001.html"}


@pytest.fixture(scope="module")
def pages(corpora: Path) -> list[Path]:
    return sorted((corpora / "nasty_html").iterdir())


@pytest.fixture(scope="module")
def bodies(pages: list[Path]) -> dict[str, bytes]:
    return {page.name: page.read_bytes() for page in pages}


def test_every_listed_page_is_there(corpora: Path, pages: list[Path]) -> None:
    with (corpora / "index_extras.csv").open(encoding="utf-8", newline="") as file:
        listed = [row["path"] for row in csv.DictReader(file) if row["kind"] == "nasty_html"]
    assert sorted(listed) == [f"nasty_html/{page.name}" for page in pages]


def test_kinds(bodies: dict[str, bytes]) -> None:
    pdfs = {name for name, body in bodies.items() if sniff(body, ["text/html"]).kind is Kind.PDF}
    assert pdfs == PDF_IN_DISGUISE
    assert all(
        sniff(body, ["application/pdf"]).kind is Kind.HTML
        for name, body in bodies.items()
        if name not in PDF_IN_DISGUISE
    )


def test_each_page_is_read_and_accounted_for(bodies: dict[str, bytes]) -> None:
    without_text, challenges, walls = set(), set(), set()
    for name, body in bodies.items():
        document = extract_html(body, URL)
        if not document.text:
            without_text.add(name)
        if is_challenge(document, body):
            challenges.add(name)
        if is_login_wall(document, body, URL):
            walls.add(name)
        assert "\x00" not in document.text
        assert all(link.url.startswith("http") for link in document.outlinks)
    assert without_text == WITHOUT_TEXT
    assert challenges == CHALLENGES
    assert walls == set()


@pytest.mark.parametrize(
    ("name", "letters", "at_least"),
    [
        ("h000.html", "[\u3040-\u30ff]", 150),  # kana
        ("h003.html", "[‘’“”–]", 100),
        ("h006.html", "[À-ÖØ-öø-ÿ]", 60),
        ("h014.html", "[‘’“”–—é]", 1),
        ("h016.html", "[\u4e00-\u9fff]", 1000),  # declares GB2312, is UTF-8
        ("h020.html", "[éèàçê]", 100),
    ],
)
def test_right_characters(bodies: dict[str, bytes], name: str, letters: str, at_least: int) -> None:
    text = extract_html(bodies[name], URL).text
    assert len(re.findall(letters, text)) >= at_least
    # U+FFFD for lost bytes; `Ã` and `â€` for UTF-8 read as windows-1252.
    assert not re.search("\ufffd|Ã[\u0080-\u00bf]|â€", text)


@pytest.mark.parametrize(
    ("name", "doi", "pdf_url"),
    [
        (
            "h004.html",
            "10.1215/00127094-3129809",
            "https://projecteuclid.org/journals/duke-mathematical-journal/",
        ),
        ("h009.html", "10.1103/revmodphys.94.045004", "http://link.aps.org/pdf/"),
        ("h010.html", "10.1007/bf02727953", "https://link.springer.com/content/pdf/"),
        ("h013.xhtml", "10.1177/2325967116646534", "http://ojs.sagepub.com/content/4/5/"),
        ("h017.html", "10.1088/0026-1394/12/4/002", "https://iopscience.iop.org/article/"),
        ("h022.html", "10.1051/jphysrad:01955001606044400", "https://hal.science/jpa-00235190"),
    ],
)
def test_landing_pages_name_their_pdf(
    bodies: dict[str, bytes], name: str, doi: str, pdf_url: str
) -> None:
    document = extract_html(bodies[name], URL)
    assert document.doi == doi
    assert document.pdf_url.startswith(pdf_url)
    assert document.authors
    assert document.year


def test_links_of_an_issue_list(bodies: dict[str, bytes]) -> None:
    document = extract_html(bodies["h006.html"], "https://www.journal.example/list/2003.html")
    assert len(document.outlinks) == 570
    assert document.dropped_links == {"scheme mailto": 188}
    near = [link.context for link in document.outlinks if link.anchor == "Full article"]
    assert sum("Coleoptera" in context for context in near) >= 10


def test_cases_of_html(cases: Path) -> None:
    files = cases / "files"
    challenge = (files / "challenge.html").read_bytes()
    document = extract_html(challenge, "https://j.example/content/pdf/77.pdf")
    assert is_challenge(document, challenge)
    landing = extract_html((files / "landing.html").read_bytes(), "https://j.example/pdf/78.pdf")
    assert landing.pdf_url == "https://j.example/files/78.pdf"
    assert landing.authors == ("Möhle, A.",)
    links = extract_html(
        (files / "links.html").read_bytes(), "https://j.example/articles/77/index.html"
    )
    assert [link.url for link in links.outlinks] == [
        "https://j.example/pdf/a1.pdf",
        "https://cdn.j.example/a2.pdf",
        "https://j.example/journal/v12/a3.pdf",
        "https://j.example/journal/v12/?page=2",
        "https://j.example/journal/v12/",
        "https://j.example/journal/v12/a5.pdf?x=1&y=2",
    ]
