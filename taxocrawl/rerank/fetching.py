"""Getting a URL with the standard library, for programs that crawl nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from taxocrawl.seeds.base import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from taxocrawl.seeds.base import Fetch

TIMEOUT = 30.0
"""Seconds without a byte."""
MOST = 10 * 1024 * 1024
"""Bytes of an answer that are read."""


class _NoRedirect(HTTPRedirectHandler):
    """A redirect would carry the token to another host."""

    def redirect_request(self, *_: object) -> None:
        return None


def simple_fetch(headers: Mapping[str, str]) -> Fetch:
    """A fetch that sends these headers; raises OSError when there is no answer."""
    opener = build_opener(_NoRedirect)

    def get(url: str) -> Answer:
        if not url.startswith(("https://", "http://")):
            raise OSError(f"expected a http or https URL, got {url!r:.60}")
        try:
            with opener.open(Request(url, headers=dict(headers)), timeout=TIMEOUT) as answer:
                found = {name.lower(): value for name, value in answer.headers.items()}
                return Answer(answer.status, answer.read(MOST), found)
        except HTTPError as error:
            with error:
                found = {name.lower(): value for name, value in error.headers.items()}
                return Answer(error.code, error.read(MOST), found)

    async def fetch(url: str) -> Answer:
        return await asyncio.to_thread(get, url)

    return fetch
