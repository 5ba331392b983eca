from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest

from tests.sites.server import SmallWeb


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    """By name in lower case."""
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")


Fetch = Callable[..., Reply]


def get(url: str, *, method: str = "GET", **headers: str) -> Reply:
    """One request without following redirects; underscores in header names stand for hyphens."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=10)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request(method, target, headers=sent)
        response = connection.getresponse()
        named = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, named, response.read())
    finally:
        connection.close()


@pytest.fixture(scope="session")
def web() -> Iterator[SmallWeb]:
    """The small web, served in a process of its own."""
    with SmallWeb() as served:
        yield served
