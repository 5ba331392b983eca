"""A search service made of prepared answers, and works in Crossref's and Europe PMC's shapes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from taxocrawl.seeds.base import Answer


class Service:
    """Answers the nth request with the nth answer (the last one for ever); keeps what was asked.

    An answer is an Answer, JSON data, bytes, a status code, or an OSError to be raised.
    """

    def __init__(self, *answers: Any, answer: Callable[[str], Any] | None = None) -> None:
        self.asked: list[str] = []
        self.slept: list[float] = []
        self.now = 1_000_000.0
        self._answers = answers
        self._answer = answer

    async def fetch(self, url: str) -> Answer:
        self.asked.append(url)
        if self._answer is not None:
            given = self._answer(url)
        else:
            given = self._answers[min(len(self.asked), len(self._answers)) - 1]
        if isinstance(given, OSError):
            raise given
        if isinstance(given, Answer):
            return given
        if isinstance(given, int):
            return Answer(given, b"")
        return Answer(200, given if isinstance(given, bytes) else json.dumps(given).encode())

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        return self.now

    def arguments(self, number: int) -> dict[str, str]:
        """The decoded query arguments of the nth request (from 0)."""
        return {k: v[0] for k, v in parse_qs(urlsplit(self.asked[number]).query).items()}


def work(number: int, **fields: Any) -> dict[str, Any]:
    """A Crossref item with a landing page."""
    landing = f"https://journal.example/article/{number}"
    return {
        "DOI": f"10.5555/work.{number}",
        "title": [f"Work {number}"],
        "URL": f"http://dx.doi.org/10.5555/work.{number}",
        "resource": {"primary": {"URL": landing}},
    } | fields


def crossref_page(items: Any, cursor: str | None = "AoJ/Mm+o==", **message: Any) -> dict[str, Any]:
    body = {"items": items} | message
    if cursor is not None:
        body["next-cursor"] = cursor
    return {"status": "ok", "message-type": "work-list", "message": body}


def article(number: int, **fields: Any) -> dict[str, Any]:
    """A Europe PMC result that is open access."""
    return {
        "id": str(number),
        "source": "MED",
        "pmcid": f"PMC{number}",
        "doi": f"10.5555/article.{number}",
        "title": f"Article {number}.",
        "abstractText": "<h4>Background</h4>A new species of bat.",
        "isOpenAccess": "Y",
    } | fields


def europepmc_page(results: Any, mark: str | None, **fields: Any) -> dict[str, Any]:
    body: dict[str, Any] = {"resultList": {"result": results}} | fields
    if mark is not None:
        body["nextCursorMark"] = mark
    return body
