"""Second visits in the shared frontier; see `taxocrawl.frontier.visits`, whose rules hold."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from taxocrawl.frontier.base import State
from taxocrawl.frontier.redis.client import decoded
from taxocrawl.frontier.redis.links import LAST_RANK
from taxocrawl.frontier.rows import to_json
from taxocrawl.frontier.schema import STATES
from taxocrawl.frontier.visits import NEVER_DUE, PLANNED_BY, VisitRow, clock, conditional, visited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taxocrawl.frontier.base import Outcome
    from taxocrawl.frontier.redis.client import Client
    from taxocrawl.frontier.redis.commands import Commands
    from taxocrawl.frontier.revisit import RevisitPolicy, Verdict

_BATCH = 1000


class RedisVisits:
    """What was had of each page, and when it is due.

    Args:
        client: of the crawl.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._policy: RevisitPolicy | None = None

    def plan(self, policy: RevisitPolicy | None) -> None:
        """Follow a policy from now on, and plan all visits anew when another one planned them."""
        self._policy = policy
        name = to_json(asdict(policy) if policy else None)
        planned = decoded(self._client.hmget("meta", [PLANNED_BY])[0]) or "null"
        if planned != name:
            self._plan_all(policy)
            self._client.command("HSET", "meta", PLANNED_BY, name)
        if policy is not None:
            latest = clock() + policy.longest
            self._plan(dict.fromkeys(self._between(f"({latest!r}", "+inf"), latest))

    def settled(
        self, outcome: Outcome, before: VisitRow | None, iteration: int, commands: Commands
    ) -> Verdict | None:
        """Add what changes to the commands; None for a page that was never had, and is not now."""
        change = visited(before, outcome, self._policy)
        if change is None:
            return None
        number, row = outcome.entry_id, change.row
        if before is not None:
            seen = {
                "iteration": iteration,
                "at": change.at,
                "verdict": change.verdict,
                "age": change.age,
            }
            commands.add("RPUSH", f"revisits:{number}", to_json(seen))
            of = f"{iteration} {change.verdict}"
            commands.add("HINCRBY", "revisited", f"{of} number", 1)
            commands.add("HINCRBYFLOAT", "revisited", f"{of} age", repr(change.age or 0.0))
        commands.add("HSET", "visits", number, to_json(row[:-1]))
        if row.next_at is None:
            commands.add("ZREM", "due", number)
        else:
            commands.add("ZADD", "due", repr(row.next_at), number)
        return change.verdict

    def select_due(self, iteration: int, now: str) -> int:
        """See `Frontier.select_due`."""
        due = self._between("-inf", repr(clock()))
        selected = 0
        for at in range(0, len(due), _BATCH):
            batch = due[at : at + _BATCH]
            arguments: list[Any] = []
            for number, value in zip(batch, self._client.hmget("visits", batch), strict=True):
                row = visit_of(value)
                arguments += (number, conditional(row.etag, row.last_modified) if row else "")
            selected += self._client.run(
                "again", iteration, now, 1, LAST_RANK, len(batch), *arguments
            )
        return selected

    def next_at(self, number: int) -> float | None:
        """When an entry is due."""
        found: float | None = self._client.command("ZSCORE", "due", number)
        return found

    def _plan_all(self, policy: RevisitPolicy | None) -> None:
        self._client.command("DEL", "due")
        if policy is None:
            return
        for batch in self._had():
            found = self._client.each("HMGET", (f"u:{number}" for number in batch), "s", "r")
            self._plan(
                {
                    number: row.visited_at + policy.bounded(row.interval)
                    for (number, row), (state, reason) in zip(batch.items(), found, strict=True)
                    if STATES[int(state)] in (State.DONE, State.FAILED)
                    and decoded(reason) not in NEVER_DUE
                }
            )

    def _had(self) -> Iterator[dict[int, VisitRow]]:
        cursor = 0
        while True:
            cursor, found = self._client.command("HSCAN", "visits", cursor, "COUNT", _BATCH)
            rows = ((int(number), visit_of(value)) for number, value in found.items())
            yield {number: row for number, row in rows if row}
            if not cursor:
                return

    def _between(self, low: str, high: str) -> list[int]:
        return [int(n) for n in self._client.command("ZRANGEBYSCORE", "due", low, high)]

    def _plan(self, times: dict[int, float]) -> None:
        if times:
            pairs = (part for number, time in times.items() for part in (repr(time), number))
            self._client.command("ZADD", "due", *pairs)


def visit_of(value: bytes | None) -> VisitRow | None:
    """A stored visit; None for ''. When the next one is planned stands elsewhere."""
    return (
        VisitRow(**dict(zip(VisitRow._fields, [*json.loads(value), None], strict=True)))
        if value
        else None
    )
