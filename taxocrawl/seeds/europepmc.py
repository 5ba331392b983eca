"""Europe PMC's search module.

Documented at https://europepmc.org/RestfulWebService. Needs no key.
"""

from __future__ import annotations

import re
from typing import Any

from taxocrawl.exceptions import SeedError
from taxocrawl.seeds.base import Use
from taxocrawl.seeds.paged import PagedSearch
from taxocrawl.seeds.polite import one_line
from taxocrawl.seeds.works import Row, RowPage, make_row

ARTICLE_URL = "https://europepmc.org/articles/"

_PHRASE = re.compile(r'"([^"]*)"')
_OPERATORS = re.compile(r"[^\w\s.,'’-]|_")


class EuropePmc(PagedSearch):
    """Seeds from Europe PMC, by its own relevance.

    A work's seed is its open full text where the record names one (PDF, then HTML, then the copy
    in PubMed Central), else its DOI.
    """

    name = "europepmc"
    default_url = "https://www.ebi.ac.uk/europepmc/webservices/rest/search"
    # 1000 are allowed, but a core record is some 10 kB.
    max_rows = 200
    contact_parameter = "email"

    def _words(self, query: str) -> str:
        if words := plain_query(query):
            return words
        raise SeedError(f"{self.name}: no word to search for in {one_line(query)!r}")

    def _parameters(self, words: str, rows: int, mark: str) -> dict[str, str]:
        return {
            "query": words,
            "format": "json",
            "resultType": "core",
            "pageSize": str(rows),
            "cursorMark": mark,
        }

    def _read(self, answer: dict[str, Any], mark: str) -> RowPage:
        found = answer.get("resultList")
        results = found.get("result") if isinstance(found, dict) else None
        if not isinstance(results, list):
            said = one_line(answer.get("errMsg") or "none")
            raise SeedError(f"{self.name}: expected a list in resultList.result, got {said}")
        following = answer.get("nextCursorMark")
        total = answer.get("hitCount")
        return RowPage(
            tuple(read_result(result) for result in results),
            # The last page repeats the mark it was asked with.
            next_cursor=following if isinstance(following, str) and following != mark else "",
            total=total if isinstance(total, int) and total > 0 else None,
        )


def plain_query(query: str) -> str:
    """`query` as words and quoted phrases, without the signs that Europe PMC takes for syntax.

    A colon would make a field name of the word before it, and an unbalanced quote or bracket is
    answered with an error.
    """
    pieces: list[str] = []
    for at, piece in enumerate(_PHRASE.split(query)):
        words = " ".join(_OPERATORS.sub(" ", piece).split())
        if any(c.isalnum() for c in words):
            pieces.append(f'"{words}"' if at % 2 else words)
    return " ".join(pieces)


def read_result(result: object) -> Row:
    """One work of Europe PMC's answer; fields of an unexpected type count as absent."""
    if not isinstance(result, dict):
        return Row()
    snippet = result.get("abstractText") or result.get("authorString")
    doi = result.get("doi") or result.get("DOI")
    return make_row(result.get("title"), snippet, doi, _links(result))


def _links(result: dict[str, Any]) -> list[tuple[Use, object]]:
    full_text = result.get("fullTextUrlList")
    urls = full_text.get("fullTextUrl") if isinstance(full_text, dict) else None
    named = urls if isinstance(urls, list) else [urls]
    links = [(_use(link), link.get("url")) for link in named if isinstance(link, dict)]
    if any(use in {Use.OPEN_PDF, Use.OPEN_HTML} for use, _ in links):
        return links
    pmcid = result.get("pmcid")
    is_open = result.get("isOpenAccess") == "Y" or result.get("inEPMC") == "Y"
    if is_open and isinstance(pmcid, str) and re.fullmatch(r"PMC\d{1,12}", pmcid):
        links += [
            (Use.OPEN_PDF, f"{ARTICLE_URL}{pmcid}?pdf=render"),
            (Use.OPEN_HTML, f"{ARTICLE_URL}{pmcid}"),
        ]
    return links


def _use(link: dict[str, Any]) -> Use:
    style, availability = link.get("documentStyle"), link.get("availabilityCode")
    if style == "doi":
        return Use.DOI
    if availability not in {"OA", "F"}:
        return Use.CLOSED
    return {"pdf": Use.OPEN_PDF, "html": Use.OPEN_HTML}.get(str(style), Use.UNSTATED)
