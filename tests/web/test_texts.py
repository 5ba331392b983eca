"""Lists of short texts in two columns."""

from __future__ import annotations

import io
import json
import re
from html import unescape

import pytest

from taxocrawl.web.models import TextList
from tests.site import Answer, Site

POSTS = [
    "Large flying foxes counted on Java by volunteers",
    "Large flying foxes counted on Java by volunteers, again",
    "A virus was found in horses near a colony",
    "Tourists visit the bat cave",
]
FORM = {"query": "bats", "source": "", "limit": "100", "lines": "\n".join(POSTS), "aspects": ""}


@pytest.fixture
def ada(person):
    return person("ada", "reader")


def made(client, **changes):
    answer = client.post("/texts/new", {**FORM, **changes})
    assert answer.status_code == 302, answer.content.decode()
    return answer["Location"]


def columns(client, path, **query):
    html = client.get(path, query).content.decode()
    parts = html.split('<section aria-labelledby="second">')
    return [[unescape(t) for t in re.findall(r'<p class="post">(.*?)</p>', p)] for p in parts]


def test_an_empty_form_has_no_complaints(ada):
    html = ada.get("/texts/new").content.decode()
    assert "errorlist" not in html
    assert 'value="100"' in html


def test_lines_in_two_columns(ada):
    path = made(ada)
    assert path in ada.get("/texts").content.decode()
    first, second = columns(ada, path, lambda_="0.3")
    assert first == POSTS
    assert second.index(POSTS[1]) == 3
    first, second = columns(ada, path, method="mmr", lambda_="1", length="10")
    assert first == second == POSTS


def test_sy_leaves_repetitions_out(ada):
    _, second = columns(ada, made(ada), method="sy", lambda_="0.6")
    assert second == [POSTS[0], *POSTS[2:]]


def test_xquad_covers_the_aspects(ada):
    path = made(ada, aspects="tourism: tourists cave\nhealth: virus")
    _, second = columns(ada, path, method="xquad", lambda_="1")
    assert set(second[:2]) == {POSTS[2], POSTS[3]}


def test_a_file_of_json_lines(ada):
    records = [
        {"id": "a", "text": "one bat", "timestamp": "2026-01-02T03:04:05Z", "author": "@ada"},
        {"id": "b", "text": "two bats", "url": "https://a.example/"},
    ]
    file = io.BytesIO("\n".join(map(json.dumps, records)).encode())
    html = ada.get(made(ada, file=file, lines="")).content.decode()
    assert "2 Jan 2026, 03:04" in html
    assert "@ada" in html
    assert 'href="https://a.example/"' in html


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "has no texts"),
        (b"\n \n", "has no texts"),
        (b"\xff\xfe\x00", "not a text in UTF-8"),
        (b'{"id": 1}', "the file, line 1"),
        (b'{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}', "occurs more than once"),
        (
            b'{"id": "a", "qid": "1", "text": "x"}\n{"id": "b", "qid": "2", "text": "y"}',
            "2 queries",
        ),
        (b"x\n" * 1001, "too many"),
        (b'{"a":' * 2000, "the file, line 1"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_line(ada, content, said):
    answer = ada.post("/texts/new", {**FORM, "lines": "", "file": io.BytesIO(content)})
    assert answer.status_code == 422
    assert said in unescape(answer.content.decode())
    assert not TextList.objects.exists()


def test_a_list_is_its_owners(ada, person):
    path = made(ada)
    eve = person("eve", "curator", manages=True)
    assert eve.get(path).status_code == 404
    assert eve.post(f"{path}/delete").status_code == 404
    assert path not in eve.get("/texts").content.decode()
    assert ada.post(f"{path}/delete").status_code == 302
    assert ada.get(path).status_code == 404


def test_posts_are_text(ada):
    hostile = "<script>alert(1)</script> <img src=x onerror=alert(1)> \u202eabc"
    html = ada.get(made(ada, lines=hostile, query="<b>q</b>")).content.decode()
    assert html.count("<script") == 1
    assert "<img" not in html
    assert "<b>" not in html
    assert "\u202e" not in html


def test_a_live_search(ada, desk):
    site = Site("127.0.0.1")
    posts = [
        {
            "uri": f"at://post/{n}",
            "author": {"handle": "ada.example"},
            "record": {"text": text, "createdAt": "2026-01-02T03:04:05Z"},
        }
        for n, text in enumerate(POSTS)
    ]
    for limit in ("100", "2"):
        path = f"/xrpc/app.bsky.feed.searchPosts?q=bats&limit={limit}"
        site.pages[path] = Answer(json.dumps({"posts": posts}))
    desk(post_sources={"bluesky": site.url("").rstrip("/")})
    try:
        assert columns(ada, made(ada, source="bluesky"))[0] == POSTS
        assert columns(ada, made(ada, source="bluesky", limit="2"))[0] == POSTS[:2]
    finally:
        site.close()


def test_a_live_search_that_fails_says_so(ada, desk, monkeypatch):
    monkeypatch.delenv("X_BEARER_TOKEN", raising=False)
    answer = ada.post("/texts/new", {**FORM, "source": "x"})
    assert answer.status_code == 422
    assert "bearer token" in answer.content.decode()
