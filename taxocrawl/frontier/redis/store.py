"""The shared frontier: what one worker does with it."""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING, Any

from taxocrawl.exceptions import FrontierError, StorageError
from taxocrawl.frontier.base import Redirected, Settled
from taxocrawl.frontier.discovery import checked_score, offers_of
from taxocrawl.frontier.ordering import redirected_rank
from taxocrawl.frontier.patterns import is_shortcut, pattern_numbers
from taxocrawl.frontier.redis.client import PATIENCE, Client
from taxocrawl.frontier.redis.commands import Commands
from taxocrawl.frontier.redis.links import (
    LAST_RANK,
    digest,
    evidence_text,
    link_arguments,
    score_text,
)
from taxocrawl.frontier.redis.reading import RedisReader
from taxocrawl.frontier.redis.settling import Settlement
from taxocrawl.frontier.redis.troubles import SharedTroubles
from taxocrawl.frontier.redis.visits import RedisVisits
from taxocrawl.frontier.redis.workers import Worker
from taxocrawl.frontier.rows import to_json
from taxocrawl.frontier.traps import BUDGET, SHORTCUT, pattern_of
from taxocrawl.frontier.urls import canonicalize, host_of
from taxocrawl.frontier.visits import SETTLED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from redis import Redis

    from taxocrawl.frontier.base import Candidate, Entry, Outcome
    from taxocrawl.frontier.policy import Limits, SelectionPolicy
    from taxocrawl.frontier.redis.commands import Argument
    from taxocrawl.frontier.revisit import RevisitPolicy

logger = logging.getLogger(__name__)

LEASE = 60.0
ITERATIONS = "iterations"
"""Office of the worker that selects the next iteration."""
_BATCH = 1000
_ANY_DEPTH = 2**53


class NotElectedError(FrontierError):
    """Raised by `select` when another worker was elected to do it meanwhile."""


class RedisFrontier(RedisReader):
    """`taxocrawl.frontier.base.Frontier` for all workers of a crawl.

    Args:
        redis: a client that gives bytes (``decode_responses`` off).
        name: of the crawl; workers that give the same name share it.
        lease: seconds after which a worker that gives no sign (`beat`) is taken for dead.
        patience: seconds for which a server that does not answer is waited for.
        trap_budget: pages of a pattern of URLs that may bring nothing new, at least 2.

    Raises:
        StorageError: the server cannot be reached, or cannot write; from any method.
    """

    def __init__(
        self,
        redis: Redis,
        name: str,
        *,
        lease: float = LEASE,
        patience: float = PATIENCE,
        trap_budget: int = BUDGET,
    ) -> None:
        super().__init__(Client(redis, name, patience), trap_budget)
        self.worker = Worker(self._client, lease)
        self.troubles = SharedTroubles(self._client)
        self._visits = RedisVisits(self._client)
        self.page_limit = 0
        """Fetch records and entries in flight at which nothing more is handed out; 0 for none."""
        self.concurrency = 0
        """Requests at a time to one host, of all workers; 0 when hosts are not looked at."""
        self.delay = 0.0
        """Seconds between two requests to one host, of all workers."""
        self.ready_in: float | None = None
        """Seconds until the next host is free again, as `pop` saw it; None when none waits."""
        self.worker.beat(self.delay, reclaim=False)

    def close(self) -> None:
        try:
            self.worker.leave()
        except StorageError as error:
            # Its leases run out by themselves.
            logger.warning("%s", error)
        super().close()

    def elect(self, office: str) -> bool:
        """Whether this worker may do what only one may; see `Worker.elect`."""
        return self.worker.elect(office)

    def resign(self, office: str) -> None:
        """Leave an office."""
        self.worker.resign(office)

    def others(self) -> int:
        """Number of other workers that are alive."""
        return self.worker.others()

    def release(self, entry_id: int, delay: float) -> None:
        """An entry's request has left the downloader: its host may be asked again after a delay in
        seconds, or its Crawl-delay if that is longer."""
        if lease := self.worker.held.get(entry_id):
            self._client.run("release", entry_id, lease.token, delay)

    def rest(self, host: str, seconds: float) -> None:
        """Nobody asks a host for so many seconds; infinity means not before nothing else is left
        to do. The later of two ends wins."""
        self._client.run("rest", host, "inf" if math.isinf(seconds) else repr(seconds))

    def slow_down(self, host: str, seconds: float) -> None:
        """A host is asked no more often than once in so many seconds; 0 for no such wish."""
        if seconds:
            self._client.command("HSET", "slow", host, repr(seconds))
        else:
            self._client.command("HDEL", "slow", host)

    def fetch_pushed(self, key: str, command: str, most: int) -> int:
        """Move values that were pushed under a key of anybody's into the crawl's inbox, in one
        step; ``LPOP``, ``SPOP`` or ``ZPOPMAX`` takes them."""
        return int(self._client.run("inbox", key, command, most))

    def pushed(self, most: int) -> list[bytes]:
        """The values that wait in the inbox, the oldest first."""
        found: list[bytes] = self._client.command("LRANGE", "inbox", 0, most - 1)
        return found

    def admitted(self, number: int) -> None:
        """So many of them are in the frontier."""
        self._client.command("LTRIM", "inbox", number, -1)

    def forget_metas(self, *names: str) -> None:
        """Remove meta values."""
        self._client.command("HDEL", "meta", *names)

    def erase(self) -> None:
        """Remove all that the crawl has in Redis."""
        self._client.erase()

    def is_selecting(self) -> bool:
        """Whether a selection is binding and not carried out yet."""
        return bool(self._client.command("EXISTS", "staged for"))

    def beat(self) -> int:
        """Say that this worker lives; return how many entries of dead ones are selected again."""
        returned = self.worker.beat(self.delay)
        self._carry_out()
        return returned

    def push(self, candidates: Iterable[Candidate], iteration: int) -> tuple[int, int]:
        offers, refused, repeated = offers_of(candidates, iteration)
        commands = Commands()
        commands.refused(refused)
        items = list(offers.items())
        new = 0
        for at in range(0, max(len(items), 1), _BATCH):
            links = link_arguments(dict(items[at : at + _BATCH]))
            new += self._client.run("push", iteration, _now(), *commands.arguments(), *links)
            commands = Commands()
        return new, len(offers) - new + repeated

    def rescore(self, candidates: Iterable[Candidate]) -> int:
        offers = {canonicalize(candidate.url): candidate for candidate in candidates}
        arguments: list[Argument] = []
        for key, offer in offers.items():
            arguments += (digest(key), score_text(checked_score(offer)), evidence_text(offer))
        changed = 0
        for at in range(0, len(arguments), 3 * _BATCH):
            batch = arguments[at : at + 3 * _BATCH]
            changed += self._client.run("rescore", len(batch) // 3, *batch)
        return changed

    def select(self, policy: SelectionPolicy, iteration: int) -> int:
        self._carry_out()
        chosen = policy.choose(self, iteration)
        staged = f"staged:{self.worker.name}"
        self._client.command("DEL", staged)
        for at in range(0, len(chosen), _BATCH):
            self._client.command("RPUSH", staged, *chosen[at : at + _BATCH])
        before = self._taken(iteration)
        if not self._client.run("commit", self.worker.name, ITERATIONS, iteration):
            raise NotElectedError(f"{self._client.prefix}: another worker selects")
        self._carry_out()
        # Not what this worker carried out: another one's `beat` may have been at it as well.
        return self._taken(iteration) - before

    def pop(self, busy_hosts: Collection[str] = ()) -> Entry | None:
        return self._take("pop", *self._terms(), len(busy_hosts), *sorted(busy_hosts))

    def pop_known(
        self, iteration: int, limits: Limits, busy_hosts: Collection[str] = ()
    ) -> Entry | None:
        return self._take("pop_known", 1, *self._terms(), iteration, *_limits(limits, busy_hosts))

    def can_pop_known(self, limits: Limits, busy_hosts: Collection[str] = ()) -> bool:
        reply = self._client.run(
            "pop_known", 0, "", "", *self._terms(), 0, *_limits(limits, busy_hosts)
        )
        return bool(reply[0])

    def requeue(self, entry_id: int, payload: str) -> None:
        if lease := self.worker.held.pop(entry_id, None):
            self._client.run("requeue", entry_id, lease.token, payload, _now(), self.delay)

    def redirect(
        self, entry_id: int, url: str, payload: str, fetch: Mapping[str, Any] | None = None
    ) -> Redirected:
        lease = self.worker.held.pop(entry_id, None)
        if lease is None:
            raise FrontierError(f"{self._client.prefix}: entry {entry_id} is not in flight")
        key = canonicalize(url)
        before = lease.entry.key
        patterns = pattern_numbers(pattern_of(before)) if is_shortcut(before, key) else ()
        reply = self._client.run(
            "redirect",
            *(entry_id, lease.token, digest(key), key, host_of(key), payload, url),
            *(
                _now(),
                self.delay,
                redirected_rank(key),
                to_json(fetch) if fetch else "",
                SHORTCUT,
                len(patterns),
                *patterns,
            ),
        )
        if not reply:
            raise FrontierError(f"{self._client.prefix}: entry {entry_id} is not in flight")
        return Redirected(followed=bool(reply[0]), target=int(reply[1]))

    def revisit(self, url: str, iteration: int, payload: str = "") -> bool:
        number = self._number_of(url)
        if number:
            self._client.run("again", iteration, _now(), 0, LAST_RANK, 1, number, payload)
        return bool(number)

    def plan_visits(self, policy: RevisitPolicy | None) -> None:
        self._visits.plan(policy)

    def select_due(self, iteration: int) -> int:
        return self._visits.select_due(iteration, _now())

    def versions(self, entry_id: int) -> list[str]:
        lease = self.worker.held.get(entry_id)
        # What was never had before has no document: no need to ask.
        return super().versions(entry_id) if lease is None or lease.visit else []

    def settle(self, outcome: Outcome) -> Settled:
        if outcome.state not in SETTLED:
            raise ValueError(f"state {outcome.state!r}: expected done, failed or gone")
        lease = self.worker.held.get(outcome.entry_id)
        if lease is None:
            if self.entry(outcome.entry_id) is None:
                raise FrontierError(f"{self._client.prefix}: no entry {outcome.entry_id}")
            return Settled(0, 0, exported=False, reason=outcome.reason)
        for name, values in outcome.totals.items():
            self._check_totals(name, values)
        settled = None
        while settled is None:
            settled = Settlement(self._client, self._visits, lease, outcome).commit(
                self.worker.name
            )
        del self.worker.held[outcome.entry_id]
        return settled

    def recover(self) -> int:
        self.worker.held.clear()
        return int(self._client.run("recover", self.worker.name, _now(), self.delay))

    def set_meta(self, name: str, value: Any) -> None:
        self._client.command("HSET", "meta", name, to_json(value))

    def add_totals(self, name: str, values: Sequence[float]) -> None:
        self._check_totals(name, values)
        commands = Commands()
        commands.totals(name, values)
        self._client.run("push", 0, _now(), *commands.arguments(), 0)

    def _take(self, script: str, *arguments: Argument) -> Entry | None:
        token = self.worker.token()
        head, rest = arguments[: script == "pop_known"], arguments[script == "pop_known" :]
        reply = self._client.run(script, *head, _now(), token, *rest)
        if reply[0]:
            self.ready_in = None
            return self.worker.hold(token, reply[1])
        self.ready_in = float(reply[1]) if reply[1] else None
        return None

    def _terms(self) -> tuple[float, int, float, int]:
        return self.worker.lease, self.concurrency, self.delay, self.page_limit

    def _carry_out(self) -> None:
        """Carry out the selection that is binding, if any; another worker may have died at it."""
        while self._client.run("select", _now(), _BATCH, LAST_RANK):
            pass

    def _taken(self, iteration: int) -> int:
        """Number of URLs that were selected for an iteration so far; 0 for one that is over."""
        current, taken = self.get_metas("iteration", "iteration taken")
        return int(taken) if current == iteration else 0

    def _check_totals(self, name: str, values: Sequence[float]) -> None:
        if not all(map(math.isfinite, values)):
            raise ValueError(f"totals {name!r}: expected finite numbers, not {list(values)}")
        before = self._client.command("HLEN", f"totals:{name}")
        if before and before != len(values):
            raise ValueError(f"totals {name!r}: {len(values)} values for {before} totals")


def _now() -> str:
    return repr(time.time())


def _limits(limits: Limits, busy_hosts: Collection[str]) -> list[Argument]:
    depth = _ANY_DEPTH if limits.max_depth is None else limits.max_depth
    most = "" if limits.max_pages_per_host is None else limits.max_pages_per_host
    return [depth, most, LAST_RANK, len(busy_hosts), *sorted(busy_hosts)]
