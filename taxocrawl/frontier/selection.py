"""Selection policies: which of the known URLs an iteration fetches.

An iteration is one generate–fetch–update cycle. "Iteration k" of the KU spider is `All`, "batch k"
of the METU crawler is `RecentHalf` (METU 4.2.2.2), Nutch's "round" is `Top`. `BestFirst` knows no
iterations but counts its pages in cycles for the statistics. docs/frontier.md has an example that
is worked by hand.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from itertools import islice
from typing import TYPE_CHECKING, Any

from taxocrawl.exceptions import SettingError
from taxocrawl.frontier.base import State
from taxocrawl.frontier.policy import FrontierView, Limits, Ranked, SelectionPolicy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

NO_LIMITS = Limits()


class All:
    """Every known URL (KU 3.1: the whole queue is one iteration)."""

    name = "all"
    barrier = True

    def __init__(self, limits: Limits = NO_LIMITS) -> None:
        self.size: int | None = None
        self.limits = limits

    def choose(self, frontier: FrontierView, iteration: int) -> list[int]:
        view = _Within(frontier, self.limits, frontier.count(State.KNOWN))
        return [known.id for known in view.ranked()]


class Top:
    """The best known URLs, whenever they were found.

    Args:
        size: URLs of one iteration, at least 1.
        limits: what is never taken.
    """

    name = "top"
    barrier = True

    def __init__(self, size: int, limits: Limits = NO_LIMITS) -> None:
        self.size: int | None = _checked_size(size)
        self.limits = limits

    def choose(self, frontier: FrontierView, iteration: int) -> list[int]:
        view = _Within(frontier, self.limits, self.size)
        return [known.id for known in islice(view.ranked(), self.size)]


class RecentHalf:
    """Half from the links found in the last iteration, half from older ones (METU 4.2.2.2).

    A half that is short is filled up from the other; of an odd size the recent links get the
    larger half. Recent is what was found in iteration k-1 when k is selected.

    Args:
        size: URLs of one iteration, at least 1.
        limits: what is never taken.
    """

    name = "recent-half"
    barrier = True

    def __init__(self, size: int, limits: Limits = NO_LIMITS) -> None:
        self._size = _checked_size(size)
        self.size: int | None = self._size
        self.limits = limits

    def choose(self, frontier: FrontierView, iteration: int) -> list[int]:
        view = _Within(frontier, self.limits, self._size)
        recent = view.ranked(found_in=iteration - 1)
        older = view.ranked(found_before=iteration - 1)
        chosen = list(islice(recent, self._size - self._size // 2))
        chosen += islice(older, self._size - len(chosen))
        chosen += islice(recent, self._size - len(chosen))
        return [known.id for known in chosen]


class BestFirst:
    """Always the best known URL whose host may be asked now; no iteration waits for its last page.

    The crawl takes URLs one by one (`Frontier.pop_known`); after `size` of them the next cycle
    begins, which is what statistics count as an iteration. `choose` gives one cycle at once.

    Args:
        size: URLs of one cycle, at least 1.
        limits: what is never taken.
    """

    name = "best-first"
    barrier = False

    def __init__(self, size: int, limits: Limits = NO_LIMITS) -> None:
        self.size: int | None = _checked_size(size)
        self.limits = limits

    def choose(self, frontier: FrontierView, iteration: int) -> list[int]:
        return Top(self.size or 1, self.limits).choose(frontier, iteration)


class Named:
    """URLs that were chosen beforehand, by their ids; for the spider's own use."""

    name = "named"
    barrier = True

    def __init__(self, ids: Sequence[int]) -> None:
        self.ids = list(ids)
        self.size: int | None = len(self.ids)
        self.limits = NO_LIMITS

    def choose(self, frontier: FrontierView, iteration: int) -> list[int]:
        return self.ids


class FoundSince:
    """Chooses as another policy does, of the URLs that were found in an iteration or later.

    Args:
        policy: chooses.
        since: the iteration.
    """

    barrier = True

    def __init__(self, policy: SelectionPolicy, since: int) -> None:
        self.name, self.size, self.limits = policy.name, policy.size, policy.limits
        self._policy = policy
        self._since = since

    def choose(self, frontier: FrontierView, iteration: int) -> list[int]:
        return self._policy.choose(_Since(frontier, self._since), iteration)


POLICIES: Mapping[str, Callable[..., SelectionPolicy]] = {
    policy.name: policy for policy in (All, Top, RecentHalf, BestFirst)
}
DEFAULT_SIZE = 100
_LIMIT_NAMES = tuple(field.name for field in fields(Limits))


def make_policy(name: str, params: Mapping[str, Any] | None = None) -> SelectionPolicy:
    """A policy by its name.

    Args:
        name: ``all``, ``top``, ``recent-half`` or ``best-first``.
        params: ``size`` (default 100; not for ``all``) and the fields of `Limits`.

    Raises:
        SettingError: unknown name or parameter, or a value out of range.
    """
    if name not in POLICIES:
        raise SettingError(f"selection policy {name!r}: expected one of {', '.join(POLICIES)}")
    given = dict(params or {})
    limits = _checked_limits({key: given.pop(key) for key in _LIMIT_NAMES if key in given})
    if name != All.name:
        given.setdefault("size", DEFAULT_SIZE)
    if unknown := given.keys() - ({"size"} if name != All.name else set()):
        raise SettingError(
            f"selection policy {name!r}: unknown parameter {', '.join(sorted(unknown))}"
        )
    return POLICIES[name](**given, limits=limits)


def share_of(limits: Limits, size: int) -> int | None:
    """URLs that one host may have of an iteration of `size`; None when there is no limit."""
    if limits.max_host_share is None:
        return None
    return max(1, int(limits.max_host_share * size + 1e-9))


class _Since:
    """A view of the frontier that passes over what was found before an iteration."""

    def __init__(self, frontier: FrontierView, since: int) -> None:
        self._frontier = frontier
        self._since = since
        self.taken = frontier.taken
        self.count = frontier.count

    def ranked(
        self, *, found_in: int | None = None, found_before: int | None = None
    ) -> Iterator[Ranked]:
        known = self._frontier.ranked(found_in=found_in, found_before=found_before)
        return (url for url in known if url.found_in >= self._since)


class _Within:
    """A view of the frontier that passes over what the limits forbid.

    Whatever it gives counts as chosen: read no further than what is taken.
    """

    def __init__(self, frontier: FrontierView, limits: Limits, size: int | None) -> None:
        self._frontier = frontier
        self._max_depth = limits.max_depth
        self._max_pages = limits.max_pages_per_host
        self._share = share_of(limits, size or 0)
        self._chosen: Counter[str] = Counter()
        self._taken: dict[str, int] = {}

    def ranked(
        self, *, found_in: int | None = None, found_before: int | None = None
    ) -> Iterator[Ranked]:
        for known in self._frontier.ranked(found_in=found_in, found_before=found_before):
            if self._max_depth is not None and known.depth > self._max_depth:
                continue
            if self._has_room(known.host):
                self._chosen[known.host] += 1
                yield known

    def _has_room(self, host: str) -> bool:
        chosen = self._chosen[host]
        if self._share is not None and chosen >= self._share:
            return False
        if self._max_pages is None:
            return True
        if host not in self._taken:
            self._taken[host] = self._frontier.taken(host)
        return self._taken[host] + chosen < self._max_pages


def _checked_size(size: Any) -> int:
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise SettingError(f"selection size {size!r}: expected a whole number of at least 1")
    return size


def _checked_limits(given: Mapping[str, Any]) -> Limits:
    for name, least in (("max_depth", 0), ("max_pages_per_host", 1)):
        value = given.get(name)
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, int) or value < least
        ):
            raise SettingError(f"selection {name} {value!r}: expected a whole number from {least}")
    share = given.get("max_host_share")
    if share is not None and not (isinstance(share, int | float) and 0 < share <= 1):
        raise SettingError(f"selection max_host_share {share!r}: expected a number in (0, 1]")
    return Limits(**given)
