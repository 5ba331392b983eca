"""Generate–fetch–update cycles over a frontier: which URL comes next, and when the crawl ends."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from taxocrawl.frontier.base import State
from taxocrawl.frontier.selection import FoundSince, Named, share_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from taxocrawl.frontier.base import Candidate, Entry, Frontier
    from taxocrawl.frontier.policy import SelectionPolicy

FRONTIER_EMPTY = "frontier empty"
"""Every known URL was settled."""
LIMITS_REACHED = "limits reached"
"""URLs are left, but the policy's limits forbid all of them."""
ITERATIONS_DONE = "iterations done"
"""The last iteration was settled; URLs are left."""
PAGE_LIMIT = "page limit"
"""As many downloads as were wanted; URLs are left."""


def push_and_select(frontier: Frontier, candidates: Sequence[Candidate], iteration: int) -> int:
    """Add URLs and select those that are not asked for yet; return how many."""
    frontier.push(candidates, iteration - 1)
    found = [frontier.find(candidate.url) for candidate in candidates]
    chosen = [e.id for e in found if e is not None and e.state is State.KNOWN]
    return frontier.select(Named(chosen), iteration)


class Iterations:
    """Iterations 0 (the seeds) to `last` by a selection policy.

    With a barrier an iteration ends when its last page is settled; then the policy chooses the
    next. Without, URLs are chosen one by one and `size` of them make an iteration.

    Args:
        frontier: open, its in-flight entries recovered; a crawl that was interrupted goes on in
            the iteration where it stood.
        policy: chooses.
        last: number of the last iteration, from 0.
        max_pages: downloads (`Frontier.downloaded`) after which the crawl ends; 0 means no limit.
        started: called with the iteration and the number of its URLs.
        finished: called with the iteration when its last URL is settled.
        refill: called with the iteration when its last URL is settled, before `finished`; selects
            further URLs for it (such as reserves for dead seeds) and returns how many.
        revisits: whether the pages whose next visit is due are a last iteration, once; `last`
            further ones follow what links it finds (see docs/revisit.md).
    """

    def __init__(
        self,
        frontier: Frontier,
        policy: SelectionPolicy,
        *,
        last: int,
        max_pages: int = 0,
        started: Callable[[int, int], None],
        finished: Callable[[int], None],
        refill: Callable[[int], int] = lambda iteration: 0,
        revisits: bool = False,
    ) -> None:
        self._frontier = frontier
        self._policy = policy
        self._last = last
        self._max_pages = max_pages
        self._started = started
        self._finished = finished
        self._refill = refill
        begun = frontier.get_meta("iteration")
        self._begun = begun is not None
        self.current: int = begun if self._begun else 0
        self.finish_reason = ""
        self._revisits = revisits
        self._revisited_in: int | None = frontier.get_meta("revisited in") if revisits else None
        self._of_host: Counter[str] = Counter()

    def next(self, busy: Collection[str], *, live: int, unsettled: int) -> Entry | None:
        """The URL to be asked now, moved to in flight; None when there is none now, or none any
        more (then `finish_reason` says why).

        Args:
            busy: hosts that must not be asked now.
            live: requests that are still being downloaded or worked on.
            unsettled: those of them whose entry is in flight.
        """
        if self.finish_reason:
            return None
        if self._max_pages and self._frontier.downloaded() + unsettled >= self._max_pages:
            if not live:
                self._end(PAGE_LIMIT)
            return None
        if entry := self._frontier.pop(busy):
            return entry
        if not self._policy.barrier:
            return self._next_known(busy, live)
        if live or self._frontier.count(State.SELECTED) or not self._begin_next():
            return None
        return self._frontier.pop(busy)

    def _begin_next(self) -> bool:
        """Select the next iteration; False at the end of the crawl."""
        if self._begun and self._refill(self.current):
            return True
        if self._begun:
            self._report_finished(self.current)
        following = self.current + 1 if self._begun else 0
        if not self._frontier.count(State.KNOWN):
            return self._begin_revisits(FRONTIER_EMPTY)
        if following > self._last_iteration:
            return self._begin_revisits(ITERATIONS_DONE)
        policy, since = self._policy, self._revisited_in
        selected = self._frontier.select(
            policy if since is None else FoundSince(policy, since), following
        )
        if not selected:
            return self._begin_revisits(LIMITS_REACHED if since is None else ITERATIONS_DONE)
        self._begin(following, selected)
        return True

    def _begin(self, iteration: int, selected: int) -> None:
        self.current, self._begun = iteration, True
        self._started(iteration, selected)

    @property
    def _last_iteration(self) -> int:
        return self._last + (self._revisited_in or 0)

    def _begin_revisits(self, reason: str) -> bool:
        """Select, once, the pages that are due; False at the end of the crawl, for this reason."""
        following = self.current + 1 if self._begun else 0
        selected = self._frontier.select_due(following) if self._revisits else 0
        self._revisits = False
        if not selected:
            self._end(reason)
            return False
        if self._begun:
            self._report_older()
            self._report_finished(self.current)
        self._revisited_in = following
        self._begin(following, selected)
        return True

    def _next_known(self, busy: Collection[str], live: int) -> Entry | None:
        frontier, limits = self._frontier, self._policy.limits
        full = self._begun and frontier.get_meta("iteration taken", 0) >= (self._policy.size or 0)
        if not full:
            blocked = {*busy, *self._at_their_share()}
            if entry := frontier.pop_known(self.current, limits, blocked):
                return self._took(entry)
        if not frontier.can_pop_known(limits):
            left = frontier.count(State.KNOWN)
            return self._end_when_idle(busy, live, LIMITS_REACHED if left else FRONTIER_EMPTY)
        if full and self.current >= self._last_iteration:
            return self._end_when_idle(busy, live, ITERATIONS_DONE)
        if not frontier.can_pop_known(limits, busy) or (live and not full):
            return None
        # The cycle is full, or only hosts that had their share of it are left.
        if self.current >= self._last_iteration:
            return self._end_when_idle(busy, live, ITERATIONS_DONE)
        self._of_host.clear()
        self._begun = False
        self.current += 1
        entry = frontier.pop_known(self.current, limits, busy)
        return self._took(entry) if entry else None

    def _took(self, entry: Entry) -> Entry:
        if not self._begun:
            self._begun = True
            self._started(self.current, self._policy.size or 0)
        self._of_host[entry.host] += 1
        self._report_older()
        return entry

    def _at_their_share(self) -> list[str]:
        share = share_of(self._policy.limits, self._policy.size or 0)
        if share is None:
            return []
        return [host for host, count in self._of_host.items() if count >= share]

    def _end_when_idle(self, busy: Collection[str], live: int, reason: str) -> Entry | None:
        if live or self._frontier.count(State.SELECTED) or not self._begin_revisits(reason):
            return None
        return self._frontier.pop(busy)

    def _end(self, reason: str) -> None:
        if self._begun:
            if not self._policy.barrier:
                self._report_older()
            self._report_finished(self.current)
        self.finish_reason = reason

    def _report_older(self) -> None:
        """Without a barrier the last pages of a cycle come in while the next is under way."""
        oldest: int = self._frontier.get_meta("iteration finished", -1) + 1
        if oldest >= self.current:
            return
        outstanding = self._frontier.outstanding()
        while oldest < self.current and not outstanding.get(oldest):
            self._report_finished(oldest)
            oldest += 1

    def _report_finished(self, iteration: int) -> None:
        if self._frontier.get_meta("iteration finished", -1) < iteration:
            self._finished(iteration)
            self._frontier.set_meta("iteration finished", iteration)
