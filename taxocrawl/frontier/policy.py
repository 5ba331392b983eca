"""What a selection policy is, and what it sees of a frontier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taxocrawl.frontier.base import State


class Ranked(NamedTuple):
    """What a selection policy sees of a known URL."""

    id: int
    score: float
    host: str
    depth: int
    found_in: int


class FrontierView(Protocol):
    """What a selection policy may ask a frontier. Best first, here and in all that follows: score
    falling, then by the order of discovery (`ordering.place_of`, then id) rising."""

    def ranked(
        self, *, found_in: int | None = None, found_before: int | None = None
    ) -> Iterator[Ranked]:
        """Known URLs, best first, found in / before an iteration; read as far as needed."""

    def taken(self, host: str) -> int:
        """Number of a host's URLs that were ever selected, whatever became of them."""

    def count(self, state: State) -> int: ...


class SelectionPolicy(Protocol):
    """Chooses, at the start of an iteration, which known URLs are fetched in it."""

    name: str
    size: int | None
    """URLs of one iteration; None when there is no limit."""
    barrier: bool
    """False for a policy that chooses URL by URL (`Frontier.pop_known`), without iterations that
    wait for their last page."""
    limits: Limits

    def choose(self, frontier: FrontierView, iteration: int) -> list[int]:
        """Entry ids, best first within each part that the policy fills."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What selection never takes, however good it is. None means no limit."""

    max_depth: int | None = None
    """Links from a seed, from 0."""
    max_pages_per_host: int | None = None
    """URLs of one host over the whole crawl, from 1."""
    max_host_share: float | None = None
    """Part of an iteration that one host may have, in (0, 1]; at least one URL."""
