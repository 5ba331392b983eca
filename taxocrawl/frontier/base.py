"""The frontier's contract: what is stored of a URL, and what a backend must promise.

A URL is in exactly one `State`. All changes that belong to one page (its URL's state, its links,
its line in the statistics and its export record) are made by one call, `Frontier.settle`, in one
transaction, so that a crash leaves either all of them or none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol


class State(StrEnum):
    """known → selected → in flight → done | failed | gone."""

    KNOWN = "known"
    SELECTED = "selected"
    IN_FLIGHT = "in flight"
    DONE = "done"
    FAILED = "failed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A URL offered to the frontier by a seed provider or by a page that links to it."""

    url: str
    score: float
    """In [0, 1], finite."""
    depth: int = 0
    referrer: str = ""
    source: str = "link"
    """``link``, or ``seed:<provider>``."""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """The parts of the score, the anchor, or the provider's rank and query: kept for `why`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A URL as the frontier knows it."""

    id: int
    """Discovery number: rises with each new URL, never changes, survives restarts."""
    url: str
    key: str
    """The canonical form of the URL: one row per key."""
    host: str
    state: State
    score: float
    depth: int
    found_in: int
    """Iteration in which the URL became known."""
    iteration: int | None
    """Iteration for which it was selected; None before."""
    referrer: str
    source: str
    reason: str
    attempts: int
    payload: str
    """JSON of what is needed to rebuild its request beyond the URL ('' for a plain GET)."""
    evidence: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that is to be written when one in-flight URL is settled."""

    entry_id: int
    state: State
    reason: str = ""
    fetch: Mapping[str, Any] = field(default_factory=dict)
    """The line of fetches.csv; empty when nothing was downloaded."""
    links: Sequence[Candidate] = ()
    document: Mapping[str, Any] | None = None
    """The line of documents.jsonl; its ``content_hash`` is exported once."""
    aliases: Sequence[str] = ()
    """Other URLs of the same page: they count as known from now on and are not fetched."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What `settle` did."""

    new_links: int
    known_links: int
    exported: bool
    """False when the document's content hash had been exported before (then it is an alias)."""


class SelectionPolicy(Protocol):
    """Chooses, at the start of an iteration, which known URLs are fetched in it."""

    name: str

    def choose(self, frontier: FrontierView, iteration: int) -> list[int]:
        """Entry ids in fetch order (best first; ties by discovery number)."""


class FrontierView(Protocol):
    """What a selection policy may ask a frontier. Best first: score falling, then id rising."""

    def best_known(
        self,
        limit: int | None = None,
        *,
        found_in: int | None = None,
        found_before: int | None = None,
    ) -> list[Entry]:
        """Known entries, best first, found in / before an iteration; all when limit is None."""

    def count(self, state: State) -> int: ...


class Frontier(FrontierView, Protocol):
    """A store of URL states. SQLite is the embedded one; Redis the shared one."""

    def push(self, candidates: Iterable[Candidate], iteration: int) -> tuple[int, int]:
        """Add URLs; return (new, known before). A URL found again keeps its row and the maximum
        of its scores while it is still known."""

    def select(self, policy: SelectionPolicy, iteration: int) -> int:
        """Move the policy's choice from known to selected; return how many."""

    def pop(self, busy_hosts: Collection[str] = ()) -> Entry | None:
        """Move the best selected entry of a host that is not busy to in flight, and return it."""

    def requeue(self, entry_id: int, payload: str) -> None:
        """Put an in-flight entry back to selected with a changed request (retry or redirect)."""

    def settle(self, outcome: Outcome) -> Settled:
        """Write all of an outcome in one transaction. Settling twice changes nothing."""

    def recover(self) -> int:
        """Return entries left in flight by a crash to selected; return how many."""

    def find(self, url: str) -> Entry | None:
        """The entry of a URL or of an alias of it."""

    def counts(self) -> dict[State, int]:
        """Number of URLs in each state (0 for an empty state)."""

    def fetches(self) -> Iterator[dict[str, Any]]:
        """All fetch records in the order in which they were settled."""

    def documents(self) -> Iterator[dict[str, Any]]:
        """All exported documents' records in the order in which they were settled."""

    def get_meta(self, name: str, default: Any = None) -> Any:
        """A JSON value kept with the frontier (current iteration, seeds complete, …)."""

    def set_meta(self, name: str, value: Any) -> None: ...

    def close(self) -> None: ...
