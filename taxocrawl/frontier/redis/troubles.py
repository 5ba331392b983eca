"""The failures of hosts, counted by all workers together."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from taxocrawl.frontier.politeness import Trouble
from taxocrawl.frontier.redis.client import decoded

if TYPE_CHECKING:
    from taxocrawl.frontier.redis.client import Client


class SharedTroubles:
    """`taxocrawl.frontier.politeness.TroubleStore` in Redis.

    An account is read and written in two steps: while a host has a delay, or one request at a
    time, nobody else can come in between. So one that was not there when it was last read need not
    be dropped.

    Args:
        client: of the crawl.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._without: set[str] = set()

    def get(self, key: str) -> Trouble | None:
        found = self._client.hmget("troubles", [key])[0]
        if found:
            self._without.discard(key)
            return Trouble(**json.loads(found))
        self._without.add(key)
        return None

    def put(self, key: str, value: Trouble) -> None:
        self._without.discard(key)
        self._client.command("HSET", "troubles", key, json.dumps(asdict(value)))

    def drop(self, key: str) -> None:
        if key not in self._without:
            self._client.command("HDEL", "troubles", key)

    def items(self) -> list[tuple[str, Trouble]]:
        found = self._client.command("HGETALL", "troubles")
        return [(decoded(key), Trouble(**json.loads(value))) for key, value in found.items()]
