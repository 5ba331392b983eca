from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from tests.sites import search
from tests.sites.conftest import get
from tests.sites.content import absolute, route_at
from tests.sites.server import SmallWeb

PORT = 8080


def message(query_string: str) -> dict[str, Any]:
    found: dict[str, Any] = search.works(query_string, PORT)["message"]
    return found


def titles(query: str) -> list[str]:
    return [item["title"][0] for item in message(f"query.bibliographic={quote(query)}")["items"]]


def test_the_envelope_is_crossrefs(web: SmallWeb) -> None:
    reply = get(web.url("search", "/works?query.bibliographic=Pteropus&rows=3&mailto=a@b.example"))
    answer = json.loads(reply.body)
    assert (answer["status"], answer["message-type"]) == ("ok", "work-list")
    assert answer["message"]["items-per-page"] == 3
    assert len(answer["message"]["items"]) == 3
    assert answer["message"]["query"] == {"start-index": 0, "search-terms": "Pteropus"}
    assert "next-cursor" not in answer["message"]
    limits = {name: value for name, value in reply.headers.items() if name.startswith("x-rate")}
    assert limits == {"x-rate-limit-limit": "50", "x-rate-limit-interval": "1s"}


def test_an_item_has_what_a_provider_reads() -> None:
    item = message("query=geographic+variation&rows=1")["items"][0]
    assert item["DOI"] == "10.5555/jim.10.201"
    assert item["URL"] == absolute("//search/doi/10.5555/jim.10.201", PORT)
    assert item["resource"]["primary"]["URL"] == absolute("//island/article/view/201", PORT)
    assert item["link"][0]["content-type"] == "application/pdf"
    assert item["link"][0]["URL"] == absolute("//island/article/download/201", PORT)
    assert item["published"] == {"date-parts": [[2018]]}
    assert item["author"][0] == {"given": "Siti R.", "family": "Contoh", "sequence": "additional"}
    assert item["abstract"].startswith("<jats:p>Geographic variation")


def test_words_of_the_title_weigh_most() -> None:
    assert titles("cricket")[0] == "English willow for cricket bats"
    assert titles("Pteropus vampyrus")[0].startswith("The large flying fox Pteropus vampyrus")
    assert titles("zzqxj") == []


def test_the_query_brings_what_is_wanted_and_noise() -> None:
    found = titles("Pteropus vampyrus")
    assert 15 <= len(found) <= 20, "one page of Crossref's default size"
    for part in ("redescription", "henipaviruses", "Milk of", "bibliography"):
        assert any(part in title for title in found)


def test_rows_without_any_link() -> None:
    items = message("query=Pteropus&rows=100")["items"]
    linkless = [item for item in items if not {"DOI", "URL", "resource", "link"} & item.keys()]
    assert len(linkless) == 2


def test_the_same_work_twice_in_other_case() -> None:
    dois = [item.get("DOI", "") for item in message("query=Pteropus&rows=100")["items"]]
    assert {"10.5555/jim.10.201", "10.5555/JIM.10.201"} <= set(dois)


def test_paging_by_cursor_goes_on_after_the_last_page() -> None:
    cursor, pages = "*", []
    for _ in range(4):
        page = message(f"query=Pteropus&rows=8&cursor={quote(cursor, safe='')}")
        pages.append([item["title"][0] for item in page["items"]])
        cursor = page["next-cursor"]
    assert [len(page) for page in pages] == [8, 8, 4, 0]
    assert [title for page in pages for title in page] == titles("Pteropus")
    assert set("/+=") & set(cursor), "must be encoded in a URL"


def test_paging_by_offset() -> None:
    items = message("query=Pteropus&rows=5&offset=3")["items"]
    assert [item["title"][0] for item in items] == titles("Pteropus")[3:8]


@pytest.mark.parametrize(
    "query_string", ["rows=-1", "rows=1001", "rows=x", "cursor=abc", "offset="]
)
def test_wrong_parameters_are_refused(query_string: str) -> None:
    with pytest.raises(search.BadQueryError):
        search.works(query_string, PORT)


def test_one_work_by_its_doi(web: SmallWeb) -> None:
    reply = get(web.url("search", "/works/10.5555/ABS.12.101"))
    answer = json.loads(reply.body)
    assert answer["message-type"] == "work"
    assert answer["message"]["DOI"] == "10.5555/abs.12.101"
    assert get(web.url("search", "/works/10.5555/none")).status == 404


def test_addresses_of_the_index_lead_somewhere() -> None:
    prefix = absolute("//island", PORT).removesuffix(".3:8080")
    for item in message("rows=1000")["items"]:
        for url in [
            *(link["URL"] for link in item.get("link", [])),
            *(value["URL"] for value in item.get("resource", {}).values()),
        ]:
            assert url.startswith(prefix)
            number, _, path = url.removeprefix(f"{prefix}.").partition(f":{PORT}")
            key = ["search", "annals", "island", "museum", "batworld"][int(number) - 1]
            assert key == "search" or route_at(f"//{key}{path}") is not None, url
