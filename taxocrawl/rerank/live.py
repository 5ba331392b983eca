"""A search of a social network, for programs that have no event loop of their own."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError
from taxocrawl.rerank.fetching import simple_fetch
from taxocrawl.rerank.sources import SOURCES, TOKENS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from taxocrawl.rerank.candidates import Candidate


def live_posts(
    name: str,
    query: str,
    limit: int,
    *,
    url: str = "",
    user_agent: str,
    environment: Mapping[str, str],
) -> list[Candidate]:
    """At most `limit` posts in the source's order.

    Args:
        name: one of `SOURCES`.
        query: words to search for.
        limit: from 1.
        url: another server of the source's kind.
        user_agent: under which it is asked.
        environment: holds the source's token under a name of `TOKENS`.

    Raises ArgumentError for an unknown source, a blank query and a missing token; SeedError when
    the source does not answer as it should.
    """
    if name not in SOURCES:
        raise ArgumentError(f"unknown source {name!r}: expected one of {', '.join(SOURCES)}")
    headers = {"User-Agent": user_agent, "Accept": "application/json"}
    token = environment.get(TOKENS[name], "").strip()
    if token:
        headers["Authorization"] = f"Bearer {token}"
    elif name == "x":
        raise ArgumentError(f"x needs a bearer token in the environment's {TOKENS['x']}")
    return asyncio.run(SOURCES[name](simple_fetch(headers), url=url).search(query, limit))
