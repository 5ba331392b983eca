"""Iterations of a crawl that many workers share: one is elected for what only one may do."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from taxocrawl.frontier.base import State
from taxocrawl.frontier.iterations import PAGE_LIMIT, Iterations, push_and_select
from taxocrawl.frontier.redis.store import ITERATIONS, NotElectedError, RedisFrontier

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from taxocrawl.frontier.base import Candidate, Entry
    from taxocrawl.frontier.policy import SelectionPolicy

FINISHED = "finish reason"
"""Meta value: why the crawl has ended; other workers end with it."""
_PUSHED_IN = "seeds pushed in"


class SharedIterations(Iterations):
    """As `Iterations`, told by the frontier what the other workers do.

    An iteration ends when nothing is selected or in flight at any worker. Then one worker, elected
    for as long as its lease holds, reports it and selects the next one; the others wait.

    Args:
        frontier: open.
        policy: chooses; the rest is `Iterations`'.
    """

    idle_wait = 0.0
    """Seconds for which a crawl that has come to its end waits for seeds to be pushed."""

    def __init__(self, frontier: RedisFrontier, policy: SelectionPolicy, **rest: Any) -> None:
        super().__init__(frontier, policy, **rest)
        self._shared = frontier
        self._idle_since: float | None = None
        self._pushed_in: int | None = frontier.get_meta(_PUSHED_IN)
        frontier.page_limit = self._max_pages

    def next(self, busy: Collection[str], *, live: int, unsettled: int) -> Entry | None:
        self._follow()
        if self.finish_reason:
            return None
        entry = self._shared.pop(busy)
        if entry is None and not self._policy.barrier:
            entry = self._pop_known(busy)
        if entry is not None:
            self._idle_since = None
            return entry
        if live or not self._may_lead() or not self._shared.elect(ITERATIONS):
            return None
        try:
            return self._lead(busy)
        except NotElectedError:
            return None
        finally:
            self._shared.resign(ITERATIONS)

    def admit(self, candidates: Sequence[Candidate]) -> bool:
        """Select seeds that were pushed while the crawl runs; False when it must be tried again.

        They belong to the iteration under way, or begin a new one when the last one is over.
        Either way the crawl goes on from there for as many iterations as from the first seeds.
        """
        if not self._shared.elect(ITERATIONS):
            return False
        try:
            self._follow()
            iteration = self.current
            if not self._begun and self._shared.count(State.KNOWN):
                return False
            if self._begun and self._has_ended():
                iteration += 1
            self._shared.set_meta(_PUSHED_IN, iteration)
            push_and_select(self._shared, candidates, iteration)
        except NotElectedError:
            return False
        finally:
            self._shared.resign(ITERATIONS)
        self._idle_since = None
        return True

    def _lead(self, busy: Collection[str]) -> Entry | None:
        # Another worker may have begun an iteration before this one was elected.
        self._follow()
        if self.finish_reason or not self._may_lead():
            return None
        return super().next(busy, live=0, unsettled=0)

    def _pop_known(self, busy: Collection[str]) -> Entry | None:
        size = self._policy.size or 0
        if self._begun and self._shared.get_meta("iteration taken", 0) >= size:
            return self._next_cycle(busy)
        blocked = {*busy, *self._at_their_share()}
        entry = self._shared.pop_known(self.current, self._policy.limits, blocked)
        return self._took(entry) if entry else None

    def _next_cycle(self, busy: Collection[str]) -> Entry | None:
        """Without a barrier the next cycle begins as soon as one is full."""
        if self.current >= self._last_iteration or not self._shared.elect(ITERATIONS):
            return None
        try:
            self._follow()
            if self._shared.get_meta("iteration taken", 0) < (self._policy.size or 0):
                return None
            limits = self._policy.limits
            entry = self._shared.pop_known(self.current + 1, limits, busy)
            if entry is None:
                return None
            self._of_host.clear()
            self._begin(self.current + 1, self._policy.size or 0)
            return self._took(entry)
        finally:
            self._shared.resign(ITERATIONS)

    def _follow(self) -> None:
        """Take over what other workers have decided."""
        found = self._shared.get_metas("iteration", FINISHED, "revisited in", _PUSHED_IN)
        iteration, reason, revisited_in, self._pushed_in = found
        if reason:
            self.finish_reason = reason
        if self._revisits or self._revisited_in is not None:
            self._revisited_in = revisited_in
        if iteration is not None and (iteration != self.current or not self._begun):
            self.current, self._begun = iteration, True
            self._of_host.clear()

    @property
    def _last_iteration(self) -> int:
        return self._last + max(self._revisited_in or 0, self._pushed_in or 0)

    def _may_lead(self) -> bool:
        """Whether nothing is left of the iteration, or the page limit is reached."""
        if self._max_pages and self._shared.downloaded() >= self._max_pages:
            return not self._shared.count(State.IN_FLIGHT)
        return self._is_at_rest()

    def _has_ended(self) -> bool:
        over = self.current >= self._last_iteration or not self._shared.count(State.KNOWN)
        return over and self._is_at_rest()

    def _is_at_rest(self) -> bool:
        counts = self._shared.counts()
        return not (
            counts[State.SELECTED] or counts[State.IN_FLIGHT] or self._shared.is_selecting()
        )

    def _end(self, reason: str) -> None:
        now = time.monotonic()
        if self._idle_since is None:
            self._idle_since = now
        if reason != PAGE_LIMIT and now - self._idle_since < self.idle_wait:
            if self._begun:
                self._report_finished(self.current)
            return
        super()._end(reason)
        self._shared.set_meta(FINISHED, reason)

    def _report_finished(self, iteration: int) -> None:
        # Without a barrier any worker may see that a cycle has ended; one tells.
        leads = ITERATIONS in self._shared.worker.offices
        if self._shared.elect(ITERATIONS):
            super()._report_finished(iteration)
            if not leads:
                self._shared.resign(ITERATIONS)
