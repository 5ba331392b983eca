"""A worker of a shared crawl: what it holds, that it lives, and what it was elected for."""

from __future__ import annotations

import os
import socket
import time
import uuid
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from taxocrawl.frontier.redis.client import decoded
from taxocrawl.frontier.redis.reading import entry_of
from taxocrawl.frontier.redis.visits import visit_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taxocrawl.frontier.base import Entry
    from taxocrawl.frontier.redis.client import Client
    from taxocrawl.frontier.redis.commands import Argument
    from taxocrawl.frontier.visits import VisitRow


class Lease(NamedTuple):
    """An entry in flight that this worker holds."""

    token: str
    """``WORKER:NUMBER``: another one each time that an entry is handed out."""
    entry: Entry
    visit: VisitRow | None
    """What was had of it before."""
    rank: int
    """Among the pages of its iteration, see `taxocrawl.frontier.ordering`."""


class Worker:
    """One process of a crawl.

    Args:
        client: of the crawl.
        lease: seconds after which a worker that gives no sign is taken for dead, over 0.
    """

    def __init__(self, client: Client, lease: float) -> None:
        self._client = client
        self.lease = lease
        # No colon: tokens are parted at it.
        self._host = socket.gethostname()
        self.name = f"{self._host}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self.held: dict[int, Lease] = {}
        self.offices: set[str] = set()
        self._numbers = count(1)

    def token(self) -> str:
        """A token for the next lease."""
        return f"{self.name}:{next(self._numbers)}"

    def hold(self, token: str, reply: Sequence[bytes]) -> Entry:
        """Note an entry that a script handed out with a token (`entry` of common.lua)."""
        number, text, payload, visit, *fields, rank = reply
        entry = entry_of(int(number), text, payload, fields)
        self.held[entry.id] = Lease(token, entry, visit_of(visit), int(rank or 0))
        return entry

    def others(self) -> int:
        """Number of other workers that are alive."""
        self._bury()
        seconds, microseconds = self._client.ask(self._client.redis.time)
        now = seconds + microseconds / 1e6
        alive = self._client.command("ZRANGEBYSCORE", "workers", f"({now!r}", "+inf")
        return sum(decoded(name) != self.name for name in alive)

    def _bury(self) -> None:
        """Strike out workers of this machine whose process is gone: no need to wait for leases."""
        for name in map(decoded, self._client.command("ZRANGE", "workers", 0, -1)):
            host, process, _ = name.rsplit("-", 2)
            if host == self._host and not _runs(int(process)):
                self._client.command("ZREM", "workers", name)

    def beat(self, delay: float, *, reclaim: bool = True) -> int:
        """Say that the worker lives; return how many entries of dead workers are selected again.

        Args:
            delay: seconds for which their hosts are left alone.
            reclaim: whether to look for such entries.
        """
        self._bury()
        arguments: list[Argument] = [self.name, repr(time.time()), self.lease, delay, int(reclaim)]
        arguments += (len(self.offices), *sorted(self.offices), len(self.held))
        for number, lease in self.held.items():
            arguments += (number, lease.token)
        return int(self._client.run("beat", *arguments))

    def elect(self, office: str) -> bool:
        """Whether this worker may do what only one may: it holds the office, or takes it."""
        if not self._client.run("elect", self.name, office, self.lease):
            self.offices.discard(office)
            return False
        self.offices.add(office)
        return True

    def resign(self, office: str) -> None:
        """Leave an office to the next who asks."""
        self.offices.discard(office)
        self._client.run("resign", self.name, office)

    def leave(self) -> None:
        """The worker is gone: what it still holds may be taken from it."""
        for office in tuple(self.offices):
            self.resign(office)
        self._client.command("ZREM", "workers", self.name)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
