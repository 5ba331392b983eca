"""What keeps a URL from being asked for, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING

from taxocrawl.frontier import traps
from taxocrawl.frontier.base import State
from taxocrawl.frontier.selection import NO_LIMITS
from taxocrawl.frontier.urls import host_of, unfetchable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from taxocrawl.frontier.base import Entry
    from taxocrawl.frontier.policy import Limits
    from taxocrawl.frontier.reading import FrontierReader
    from taxocrawl.frontier.redis.reading import RedisReader

    Reader = FrontierReader | RedisReader


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a run may do.

    Attributes:
        allows: whether links to a host are followed.
        limits: of its selection policy.
        last: its last iteration.
        max_pages: downloads after which it ends; 0 means no limit.
        outcome: how it ended; empty or ``running`` before.
    """

    allows: Callable[[str], bool] = lambda host: True
    limits: Limits = NO_LIMITS
    last: int | None = None
    max_pages: int = 0
    outcome: str = ""


def obstacles(reader: Reader, url: str, bounds: Bounds) -> list[str]:
    """Why a URL is not fetched now, one sentence each; empty for one that was, or is under way."""
    entry = reader.find(url)
    if entry is None:
        return list(_of_unknown(reader, url, bounds))
    if entry.state is State.KNOWN:
        found = [*_of_known(reader, entry, bounds), *_of_waiting(reader, entry, bounds)]
        return found or ["its iteration has not begun"]
    if entry.state is State.SELECTED:
        return list(_of_waiting(reader, entry, bounds)) or ["it goes out next"]
    return []


def _of_unknown(reader: Reader, url: str, bounds: Bounds) -> Iterator[str]:
    if reason := unfetchable(url):
        yield f"it is never asked for: {reason}"
        return
    if not bounds.allows(host_of(url)):
        yield f"its host {host_of(url)} is not among allowed_hosts"
    if reason := traps.refusal(url) or reader.trap(url):
        yield f"links to it are refused: {reason}"
    yield "no page whose links are followed was seen to link to it"


def _of_known(reader: Reader, entry: Entry, bounds: Bounds) -> Iterator[str]:
    limits = bounds.limits
    if limits.max_depth is not None and entry.depth > limits.max_depth:
        yield f"its depth {entry.depth} is over max_depth {limits.max_depth}"
    taken = reader.taken(entry.host)
    if limits.max_pages_per_host is not None and taken >= limits.max_pages_per_host:
        yield f"{taken} pages of {entry.host} were taken; max_pages_per_host is its limit"
    current = reader.get_meta("iteration")
    if bounds.last is not None and current is not None and current >= bounds.last:
        yield f"iteration {current} is the last one (iterations={bounds.last})"


def _of_waiting(reader: Reader, entry: Entry, bounds: Bounds) -> Iterator[str]:
    if bounds.outcome not in ("", "running"):
        yield f"the run has ended: {bounds.outcome}"
    if bounds.max_pages and reader.downloaded() >= bounds.max_pages:
        yield f"{reader.downloaded()} pages were downloaded (max_pages={bounds.max_pages})"
    if entry.depth and (reason := reader.trap(entry.url)):
        yield f"the pages of its pattern brought nothing new: {reason}"
    if (until := reader.rests().get(entry.host, 0.0)) > time():
        moment = datetime.fromtimestamp(until, UTC).isoformat(timespec="seconds")
        yield f"its host {entry.host} rests until {moment}"
    if better := reader.ahead(entry):
        yield f"{better} URLs that are {entry.state} go before it"
