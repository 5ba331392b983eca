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
    time, nobody else can come in between.

    Args:
        client: of the crawl.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    def get(self, key: str) -> Trouble | None:
        found = self._client.hmget("troubles", [key])[0]
        return Trouble(**json.loads(found)) if found else None

    def put(self, key: str, value: Trouble) -> None:
        self._client.command("HSET", "troubles", key, json.dumps(asdict(value)))

    def drop(self, key: str) -> None:
        self._client.command("HDEL", "troubles", key)

    def items(self) -> list[tuple[str, Trouble]]:
        found = self._client.command("HGETALL", "troubles")
        return [(decoded(key), Trouble(**json.loads(value))) for key, value in found.items()]
