"""The frontier's contract: what is stored of a URL, and what a backend must promise.

A URL is in exactly one `State`. All changes of one page (its URL's state, its links, its lines in
the statistics and the export) are made by `Frontier.settle`, all of them or none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from taxocrawl.frontier.policy import FrontierView

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from taxocrawl.documents.duplicates import Fingerprint
    from taxocrawl.frontier.policy import Limits, SelectionPolicy
    from taxocrawl.frontier.revisit import RevisitFigures, RevisitPolicy, Verdict, Visit


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
    payload: str = ""
    """As in `Entry`: kept when the URL is new."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A URL as the frontier knows it."""

    id: int
    """Rises with each new URL, never changes, survives restarts."""
    url: str
    key: str
    """The canonical form of the URL: one row per key."""
    host: str
    state: State
    score: float
    depth: int
    found_in: int
    """Iteration in which the URL became known; -1 before iteration 0."""
    iteration: int | None
    """For which it was selected; None before."""
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
    fingerprint: Fingerprint | None = None
    """What tells the document's copies; None when its ``content_hash`` is all that is known."""
    template_hash: str = ""
    """Hash of the page's text without numbers (`documents.duplicates.template_hash`)."""
    refused: Mapping[str, int] = field(default_factory=dict)
    """Number of the page's links that are not followed, by reason; added to `refusals`."""
    aliases: Sequence[str] = ()
    """Other URLs of the same page: they count as known from now on and are not fetched."""
    visit: Visit | None = None
    """What the download tells of the page; None when it could not be had or read."""
    totals: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Added to running totals (`Frontier.add_totals`) by their names when the page is had for the
    first time."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What `settle` did."""

    new_links: int
    known_links: int
    exported: bool
    """False when another copy of the document is exported (then this one is an alias of it)."""
    reason: str = ""
    """The outcome's, or ``duplicate`` or ``unchanged``."""
    duplicate_of: str = ""
    """URL of the copy that is exported in its place."""
    superseded: Sequence[Mapping[str, Any]] = ()
    """Documents' records that were exported until now, and that this copy replaces."""
    verdict: Verdict | None = None
    """What the visit says of the copy that was had before; None for a page never had."""


@dataclass(frozen=True, slots=True)
class Redirected:
    """What `redirect` decided."""

    followed: bool
    """Whether the entry is selected again; else it is done, the new URL's page has an entry."""
    target: int
    """Entry of the page: the redirected entry itself when followed."""


class Frontier(FrontierView, Protocol):
    """A store of URL states. SQLite is the embedded one; Redis the shared one."""

    def push(self, candidates: Iterable[Candidate], iteration: int) -> tuple[int, int]:
        """Add URLs; return (new, known before).

        A URL found again keeps its row and id; while still known it takes the maximum of its
        scores (with its evidence and referrer; of equal ones the referrer first in the alphabet),
        the minimum of its depths, and of its places in the iteration of its discovery (`ordering`).
        URLs never asked for (`urls.unfetchable`) are counted in `refusals` and in neither number.
        Raises ValueError for a score that is not a number in [0, 1].
        """

    def rescore(self, candidates: Iterable[Candidate]) -> int:
        """Give URLs that are still known these scores (and evidence, if any), lower too; return
        how many changed. Others are left alone. Raises ValueError for a score out of [0, 1]."""

    def refusals(self) -> dict[str, int]: ...  # refused links by reason

    def trap(self, url: str, under_way: int = 0) -> str:
        """Why no further page of a URL's pattern is asked for (`frontier.traps.spent`); empty when
        it may be. `under_way` pages of the pattern are asked for and not settled."""

    def trapped(self, urls: Collection[str]) -> dict[str, str]:
        """Those of many URLs that `trap` would give a reason for, with it: one question for all."""

    def best_known(
        self,
        limit: int | None = None,
        *,
        found_in: int | None = None,
        found_before: int | None = None,
    ) -> list[Entry]:
        """Whole entries of what `ranked` gives; all when limit is None."""

    def select(self, policy: SelectionPolicy, iteration: int) -> int:
        """Move the policy's choice from known to selected, with their ranks (`ordering`); return
        how many. When it is any, the meta values ``iteration`` and ``iteration taken`` are set in
        the same transaction."""

    def pop(self, busy_hosts: Collection[str] = ()) -> Entry | None:
        """Move the best selected entry of a host that is not busy to in flight, and return it."""

    def pop_known(
        self, iteration: int, limits: Limits, busy_hosts: Collection[str] = ()
    ) -> Entry | None:
        """Move the best known entry of a host that is not busy straight to in flight.

        `limits` holds but for its share of an iteration, which the caller counts. Meta values and
        rank as by `select`.
        """

    def can_pop_known(self, limits: Limits, busy_hosts: Collection[str] = ()) -> bool:
        """Whether `pop_known` would find an entry."""

    def requeue(self, entry_id: int, payload: str) -> None:
        """Put an in-flight entry back to selected with a changed request (a retry)."""

    def redirect(
        self, entry_id: int, url: str, payload: str, fetch: Mapping[str, Any] | None = None
    ) -> Redirected:
        """Decide what becomes of an in-flight entry that redirects to a URL.

        Nobody's URL, its own, or one found in the entry's iteration and still known: it becomes an
        alias as by `settle`, the entry goes back to selected with `payload` and the new URL's host.
        Another entry's URL: the entry is done, reason ``redirect to known``, with `fetch` as its
        record; if the other is still known it is selected for the same iteration.
        """

    def revisit(self, url: str, iteration: int, payload: str = "") -> bool:
        """Ask once more for a settled URL: back to selected; for one in flight, when it is settled.
        One still waiting is fetched once. False for an unknown URL."""

    def plan_visits(self, policy: RevisitPolicy | None) -> None:
        """Plan second visits by a policy from now on; None plans none."""

    def select_due(self, iteration: int) -> int:
        """Select all pages whose next visit is due; return how many. When it is any, the meta
        value ``revisited in`` is set besides those that `select` sets."""

    def versions(self, entry_id: int) -> list[str]: ...  # content hashes, the oldest first

    def revisited(self, iteration: int | None = None) -> RevisitFigures: ...

    def settle(self, outcome: Outcome) -> Settled:
        """Write all of an outcome in one transaction.

        An entry that is not in flight (settled before) is left alone, with all that came along.
        An alias that is itself known is done, reason ``alias``; one selected is asked for. Of a
        work's copies the best is exported: a better one replaces what was exported before, whose
        page and fetch record then have the reason ``duplicate``; a page's new text does not.
        """

    def recover(self) -> int:
        """Return entries left in flight by a crash to selected; return how many."""

    def find(self, url: str) -> Entry | None:
        """The entry of a URL or of an alias of it."""

    def entry(self, entry_id: int) -> Entry | None: ...

    def why(self, url: str) -> dict[str, Any] | None:
        """All that is known of a URL: its entry's fields, ``when`` it last changed state, its
        ``referrers`` up to a seed, ``aliases``, ``events``, ``fetches``, ``visit`` and so on."""

    def exported_as(self, content_hash: str) -> str | None:
        """URL whose document of this content is exported, or None."""

    def entries(self, state: State | None = None) -> Iterator[Entry]:
        """All entries (of a state) in the order of discovery, read piece by piece: scores may be
        changed meanwhile."""

    def counts(self) -> dict[State, int]: ...

    def fetched(self) -> int: ...  # fetch records

    def downloaded(self) -> int: ...  # fetch records with a status: an answer came

    def outstanding(self) -> dict[int, int]: ...  # selected and in flight, by iteration

    def fetches(self) -> Iterator[dict[str, Any]]:
        """All fetch records in the order in which they were settled."""

    def documents(self) -> Iterator[dict[str, Any]]:
        """The exported documents' records, one for each work, in the order of settling."""

    def get_meta(self, name: str, default: Any = None) -> Any:
        """A JSON value kept with the frontier (current iteration, seeds complete, …)."""

    def set_meta(self, name: str, value: Any) -> None: ...

    def add_totals(self, name: str, values: Sequence[float]) -> None:
        """Add to the running totals of a name, number by number. Raises ValueError unless the
        values are finite and as many as before."""

    def totals(self, name: str) -> list[float]:
        """The running totals of a name, shared by all workers; empty before anything was added.
        Whole numbers add up exactly in any order."""

    def close(self) -> None: ...
