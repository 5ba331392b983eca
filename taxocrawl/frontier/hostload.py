"""Which hosts must not be asked now."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


class DownloadSlot(Protocol):
    """What is used of `scrapy.core.downloader.Slot`. Times are of `time.monotonic`."""

    concurrency: int
    delay: float
    lastseen: float

    @property
    def active(self) -> Collection[Any]: ...


class HostLoad:
    """Requests under way for each host, hosts that rest, and hosts whose delay is not over.

    A request that is handed out earlier would only wait inside the downloader, where it counts
    against the limit of all hosts together and no better one can overtake it.

    Args:
        concurrency: requests at a time to a host for which the downloader has no slot yet.
    """

    def __init__(self, concurrency: int) -> None:
        self._concurrency = max(1, concurrency)
        self._under_way: Counter[str] = Counter()
        self._resting: dict[str, float] = {}

    def begin(self, host: str) -> None:
        """A request to the host was handed out."""
        self._under_way[host] += 1

    def end(self, host: str) -> None:
        """It has left the downloader, or never got there."""
        self._under_way[host] -= 1
        if self._under_way[host] <= 0:
            del self._under_way[host]

    def rest(self, host: str, until: float) -> None:
        """Do not ask the host before a time (monotonic, seconds); the later of two wins.

        Infinity means: not before nothing else is left to do (see `next_ready`).
        """
        self._resting[host] = max(until, self._resting.get(host, until))

    def busy(self, slots: Mapping[str, DownloadSlot], now: float) -> set[str]:
        """Hosts that must not be asked now."""
        self._resting = {host: until for host, until in self._resting.items() if until > now}
        busy = set(self._resting)
        for host, slot in slots.items():
            load = max(self._under_way[host], len(slot.active))
            if load >= max(1, slot.concurrency) or slot.lastseen + slot.delay > now:
                busy.add(host)
        busy.update(
            host
            for host, load in self._under_way.items()
            if host not in slots and load >= self._concurrency
        )
        return busy

    def next_ready(
        self, slots: Mapping[str, DownloadSlot], now: float, *, idle: bool = False
    ) -> float | None:
        """When the next host is free again that waits for nothing but time; None if none does.

        With `idle` (nothing is under way) and none left, hosts that rest to infinity are free now.
        """
        times = [*self._resting.values(), *(slot.lastseen + slot.delay for slot in slots.values())]
        ready = min((time for time in times if now < time < math.inf), default=None)
        if ready is None and idle and math.inf in times:
            self._resting.clear()
            return now
        return ready
