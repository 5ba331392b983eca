"""Searches of social networks, on answers of the shape that each documents."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from taxocrawl.exceptions import ArgumentError, SeedError
from taxocrawl.rerank.candidates import Candidate
from taxocrawl.rerank.fetching import simple_fetch
from taxocrawl.rerank.sources import SOURCES, Bluesky, Mastodon, PagedSource, X
from taxocrawl.seeds.base import Answer

X_PAGE = {
    "data": [
        {
            "id": "11",
            "text": "RT @a: new bat",
            "created_at": "2024-05-01T12:00:00.000Z",
            "author_id": "7",
            "entities": {
                "urls": [
                    {
                        "url": "https://t.example/x",
                        "expanded_url": "https://bats.example/1",
                        "title": "A bat",
                        "description": "Of Borneo",
                    }
                ]
            },
        },
        {"id": "12", "text": "figs"},
    ],
    "includes": {"users": [{"id": "7", "username": "ann", "name": "Ann"}]},
    "meta": {"result_count": 2, "next_token": "n1"},
}
MASTODON_PAGE = {
    "accounts": [],
    "hashtags": [],
    "statuses": [
        {
            "id": "1",
            "uri": "https://social.example/1",
            "content": "<p>New\0 bat<br>found</p>"
            '<p><a href="/t"><span>#</span>bats</a> &amp; figs</p>',
            "created_at": "2024-05-01T12:00:00.000Z",
            "account": {"acct": "ann@social.example"},
            "application": {"name": "Web"},
            "card": {"url": "https://bats.example/1", "title": "A bat", "description": ""},
        },
        {
            "id": "2",
            "uri": "https://social.example/2",
            "content": "",
            "account": {"acct": "ben"},
            "application": None,
            "card": None,
        },
    ],
}
BLUESKY_PAGE = {
    "cursor": "25",
    "posts": [
        {
            "uri": "at://did:plc:x/app.bsky.feed.post/1",
            "author": {"handle": "ann.example"},
            "record": {"text": "New bat 🦇", "createdAt": "2024-05-01T12:00:00Z"},
            "embed": {"external": {"uri": "https://bats.example/1", "title": "A bat"}},
        }
    ],
}


class Service:
    """Answers in turn, and what was asked."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.waits: list[float] = []

    async def fetch(self, url: str) -> Answer:
        self.asked.append(url)
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer if isinstance(answer, Answer) else Answer(200, json.dumps(answer).encode())

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    def search(self, kind: type[PagedSource], limit: int = 10) -> list[Candidate]:
        source = kind(self.fetch, sleep=self.sleep, clock=lambda: 1000.0)
        return asyncio.run(source.search("fruit bat", limit))


def test_x() -> None:
    service = Service(X_PAGE, {"meta": {"result_count": 0}})
    first, second = service.search(X)
    assert (first.id, first.post.author, first.post.timestamp) == ("11", "ann", 1714564800.0)
    assert (first.post.url, first.post.linked_text) == ("https://bats.example/1", "A bat Of Borneo")
    assert (second.post.author, second.post.timestamp) == ("", None)
    assert "query=fruit+bat&max_results=10" in service.asked[0]
    assert "next_token=n1" in service.asked[1]


def test_mastodon() -> None:
    service = Service(MASTODON_PAGE, {"statuses": []})
    first, second = service.search(Mastodon)
    assert first.post.text == "New bat found #bats & figs"
    assert (first.post.author, first.post.client) == ("ann@social.example", "Web")
    assert first.post.linked_text == "A bat"
    assert second.post.text == ""
    assert "type=statuses&limit=10" in service.asked[0]
    assert "offset=2" in service.asked[1]


def test_bluesky_ends_when_a_page_brings_nothing_new() -> None:
    service = Service(BLUESKY_PAGE, BLUESKY_PAGE)
    (post,) = service.search(Bluesky)
    assert (post.post.text, post.post.author) == ("New bat 🦇", "ann.example")
    assert "cursor=25" in service.asked[1]


def test_no_more_is_asked_than_wanted() -> None:
    service = Service(X_PAGE)
    assert [post.id for post in service.search(X, 1)] == ["11"]
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"retry-after": "30"},
        {"x-rate-limit-reset": "1030"},
        {"x-ratelimit-reset": "1970-01-01T00:17:10.000Z"},
    ],
)
def test_a_rate_limit_is_waited_for(headers: dict[str, str]) -> None:
    service = Service(Answer(429, b"", headers), {"posts": []})
    assert service.search(Bluesky) == []
    assert 30 in service.waits


def test_too_long_a_wait_ends_the_search() -> None:
    service = Service(Answer(429, b"", {"x-rate-limit-reset": "9000"}))
    with pytest.raises(SeedError, match="x: HTTP 429 and a wait of 8000 s asked for"):
        service.search(X)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer(401, b'{"error": "The access token is invalid"}'), "HTTP 401"),
        (Answer(200, b"<html>"), "expected a JSON object"),
        ({"error": "x"}, "mastodon: a post of another form than known: 'statuses'"),
        ({"statuses": [{"uri": "u", "content": None, "account": {"acct": "a"}}]}, "another form"),
        ({"statuses": [7]}, "another form"),
    ],
)
def test_refusals_and_nonsense_are_one_line(answer: object, message: str) -> None:
    with pytest.raises(SeedError, match=r"^mastodon: ") as caught:
        Service(answer).search(Mastodon)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_answer_at_all() -> None:
    with pytest.raises(SeedError, match="no answer"):
        Service(*[OSError("refused")] * 4).search(Bluesky)


@pytest.mark.parametrize("kind", SOURCES.values())
def test_a_blank_query_and_no_posts_are_refused(kind: type[PagedSource]) -> None:
    with pytest.raises(ArgumentError, match="empty"):
        asyncio.run(kind(Service().fetch).search(" ", 5))
    with pytest.raises(ArgumentError, match="at least 1"):
        asyncio.run(kind(Service().fetch).search("bat", 0))


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status = {"/found": 200, "/moved": 302}.get(self.path, 404)
        self.send_response(status)
        self.send_header("Location", "/found")
        self.end_headers()
        self.wfile.write(str(self.headers.get("Authorization")).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def test_fetching_sends_headers_and_follows_no_redirect(server: str) -> None:
    fetch = simple_fetch({"Authorization": "Bearer t"})
    assert asyncio.run(fetch(f"{server}/found")).body == b"Bearer t"
    moved = asyncio.run(fetch(f"{server}/moved"))
    assert (moved.status, moved.headers["location"]) == (302, "/found")
    assert asyncio.run(fetch(f"{server}/absent")).status == 404


def test_fetching_refuses_other_schemes_and_closed_ports() -> None:
    fetch = simple_fetch({})
    with pytest.raises(OSError, match="http or https"):
        asyncio.run(fetch("file:///etc/hosts"))
    with pytest.raises(OSError):
        asyncio.run(fetch("http://127.0.0.1:1/"))
