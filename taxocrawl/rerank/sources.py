"""Searches of social networks as candidates (METU 5.5): X, Mastodon and Bluesky."""

from __future__ import annotations

import asyncio
import re
import time
from abc import ABC, abstractmethod
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlencode

from lxml import html
from lxml.etree import ParserError

from taxocrawl.diversify.features import Post
from taxocrawl.exceptions import ArgumentError, SeedError
from taxocrawl.rerank.candidates import Candidate
from taxocrawl.seeds.polite import PoliteFetch
from taxocrawl.text.normalise import fold_whitespace, normalise_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from taxocrawl.seeds.base import Answer, Fetch, Sleep

_RESETS = ("x-rate-limit-reset", "x-ratelimit-reset", "ratelimit-reset")


class PostSource(Protocol):
    """A search that answers a query with posts."""

    name: str

    async def search(self, query: str, limit: int) -> list[Candidate]:
        """At most `limit` (from 1) different posts in the source's order.

        Raises SeedError, naming the source, when it is down, asks to wait too long, refuses the
        token or answers something else than expected; ArgumentError for a blank query.
        """


class PagedSource(ABC):
    """What the sources have in common: pages, one after the other, each naming the next.

    Args:
        fetch: gets a URL, with the token's header if the source needs one.
        url: the source's address, without a path.
        sleep: waits between requests; the pace is the source's own.
        clock: seconds since the epoch.
    """

    name = ""
    default_url = ""
    page_size = 100

    def __init__(
        self,
        fetch: Fetch,
        *,
        url: str = "",
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._url = (url or self.default_url).rstrip("/")
        patient = with_retry_after(fetch, clock)
        self._service = PoliteFetch(patient, self.name, sleep=sleep, clock=clock)

    async def search(self, query: str, limit: int) -> list[Candidate]:
        """See `PostSource.search`."""
        if not query.strip():
            raise ArgumentError(f"{self.name}: the query is empty")
        if limit < 1:
            raise ArgumentError(f"{self.name}: at least 1 post must be asked for, not {limit}")
        found: dict[str, Candidate] = {}
        position = ""
        while len(found) < limit:
            data = await self._service.get_json(self.address(query, limit, position))
            try:
                posts, following = self.read(data, position)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise SeedError(
                    f"{self.name}: a post of another form than known: {error}"
                ) from error
            new = {post.id: post for post in posts if post.id not in found}
            found |= new
            # A source that repeats itself, or names the same page again, would never end.
            if not new or not following or following == position:
                break
            position = following
        return list(found.values())[:limit]

    @abstractmethod
    def address(self, query: str, limit: int, position: str) -> str:
        """The URL of a page; `position` is empty for the first one."""

    @abstractmethod
    def read(self, data: Mapping[str, Any], position: str) -> tuple[Sequence[Candidate], str]:
        """The posts of a page, and the position of the next one; empty at the end."""


class X(PagedSource):
    """X's recent search (API v2): the last seven days; needs a bearer token."""

    name = "x"
    default_url = "https://api.x.com"

    def address(self, query: str, limit: int, position: str) -> str:
        fields = {
            "query": query,
            "max_results": max(10, min(self.page_size, limit)),
            "tweet.fields": "created_at,author_id,entities",
            "expansions": "author_id",
            "user.fields": "username",
        }
        if position:
            fields["next_token"] = position
        return f"{self._url}/2/tweets/search/recent?{urlencode(fields)}"

    def read(self, data: Mapping[str, Any], position: str) -> tuple[Sequence[Candidate], str]:
        users = {user["id"]: user["username"] for user in data.get("includes", {}).get("users", ())}
        posts = [
            _candidate(
                row["id"],
                row["text"],
                row.get("created_at"),
                users.get(row.get("author_id"), ""),
                _links(row.get("entities", {}).get("urls", ())),
            )
            for row in data.get("data", ())
        ]
        return posts, str(data.get("meta", {}).get("next_token") or "")


class Mastodon(PagedSource):
    """The search of a Mastodon server; most servers search posts for a token's user only."""

    name = "mastodon"
    default_url = "https://mastodon.social"
    page_size = 40

    def address(self, query: str, limit: int, position: str) -> str:
        fields = {"q": query, "type": "statuses", "limit": min(self.page_size, limit)}
        if position:
            fields["offset"] = position
        return f"{self._url}/api/v2/search?{urlencode(fields)}"

    def read(self, data: Mapping[str, Any], position: str) -> tuple[Sequence[Candidate], str]:
        rows = data["statuses"]
        posts = [
            _candidate(
                row["uri"],
                _plain(row["content"]),
                row.get("created_at"),
                row["account"]["acct"],
                _link((row.get("card") or {}).get("url"), row.get("card") or {}),
                (row.get("application") or {}).get("name") or "",
            )
            for row in rows
        ]
        return posts, str(int(position or 0) + len(rows)) if rows else ""


class Bluesky(PagedSource):
    """Bluesky's post search."""

    name = "bluesky"
    default_url = "https://api.bsky.app"

    def address(self, query: str, limit: int, position: str) -> str:
        fields = {"q": query, "limit": min(self.page_size, limit)}
        if position:
            fields["cursor"] = position
        return f"{self._url}/xrpc/app.bsky.feed.searchPosts?{urlencode(fields)}"

    def read(self, data: Mapping[str, Any], position: str) -> tuple[Sequence[Candidate], str]:
        posts = []
        for row in data["posts"]:
            linked = (row.get("embed") or {}).get("external") or {}
            record, author = row["record"], row["author"]["handle"]
            link = _link(linked.get("uri"), linked)
            posts.append(
                _candidate(row["uri"], record["text"], record.get("createdAt"), author, link)
            )
        return posts, str(data.get("cursor") or "")


SOURCES: Mapping[str, type[PagedSource]] = {kind.name: kind for kind in (X, Mastodon, Bluesky)}
TOKENS: Mapping[str, str] = {
    "x": "X_BEARER_TOKEN",
    "mastodon": "MASTODON_TOKEN",
    "bluesky": "BLUESKY_TOKEN",
}
"""The environment's variable with each source's bearer token."""


def with_retry_after(fetch: Fetch, clock: Callable[[], float]) -> Fetch:
    """A fetch whose refusals for want of patience say how long to wait, in the usual header.

    X names the moment in seconds since the epoch, Mastodon as a date.
    """

    async def patient(url: str) -> Answer:
        answer = await fetch(url)
        if answer.status != 429 or "retry-after" in answer.headers:
            return answer
        until = next((answer.headers[name] for name in _RESETS if name in answer.headers), "")
        moment = float(until) if re.fullmatch(r"\d{1,12}", until) else _moment(until)
        if moment is None:
            return answer
        wait = max(0, round(moment - clock()))
        return replace(answer, headers={**answer.headers, "retry-after": str(wait)})

    return patient


def _candidate(
    id_: object,
    text: str,
    time_: object,
    author: str,
    link: tuple[str, str] = ("", ""),
    client: str = "",
) -> Candidate:
    if not isinstance(text, str):
        raise TypeError(f"the text of post {id_!r} is {text!r:.40}")
    moment = _moment(time_) if isinstance(time_, str) else None
    post = Post(fold_whitespace(text), moment, author, client, *link)
    record = {"id": str(id_), "text": post.text, "timestamp": moment, "author": author}
    record |= {"client": client, "url": post.url, "linked_text": post.linked_text}
    return Candidate("", str(id_), post, None, record)


def _moment(text: str) -> float | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _plain(content: str) -> str:
    """The text of a post's markup: a break or paragraph divides words, a link's parts do not."""
    # The parser refuses control characters, which would cost the whole page.
    content = normalise_text(content)
    if not content.strip():
        return ""
    try:
        tree = html.fragment_fromstring(content, create_parent="div")
    except ParserError:
        return ""
    for element in tree.iter("br", "p"):
        element.tail = f" {element.tail or ''}"
    return str(tree.text_content())


def _links(rows: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    first = rows[0] if rows else {}
    return _link(first.get("expanded_url") or first.get("url"), first)


def _link(url: object, page: Mapping[str, Any]) -> tuple[str, str]:
    """Where a post links to, and what the source says about that page."""
    about = (page.get(name) for name in ("title", "description"))
    return (str(url or ""), fold_whitespace(" ".join(text for text in about if text)))
