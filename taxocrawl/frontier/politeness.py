"""How long a host is left alone when it fails, and when it is given up.

Failures are counted by origin (scheme, host and port), because a closed port says nothing of the
site behind another one; it is the host that rests, because one machine answers for all of them.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

RESTS = "host rests"
"""Meta value of a frontier: until when (seconds of `time.time`) which hosts rest."""
_REMEMBERED = 50_000
_PORTS = {"http": 80, "https": 443}

Value = TypeVar("Value")


def origin_of(url: str) -> str:
    """``scheme://host:port`` in lower case, without the scheme's own port (RFC 6454).

    Raises ValueError for a URL with an impossible port or address.
    """
    parts = urlsplit(url)
    scheme, host = parts.scheme.lower(), parts.hostname or ""
    if ":" in host:
        host = f"[{host}]"
    port = parts.port
    return (
        f"{scheme}://{host}" if port in (None, _PORTS.get(scheme)) else f"{scheme}://{host}:{port}"
    )


class Recent(Generic[Value]):
    """A mapping that forgets what was used longest ago once its weight is over a limit.

    Args:
        limit: of the sum of all weights.
        weight: of one value; 1 by default.
    """

    def __init__(self, limit: int, weight: Callable[[Value], int] = lambda value: 1) -> None:
        self._limit = limit
        self._weight = weight
        self._values: OrderedDict[str, Value] = OrderedDict()
        self._total = 0

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: str) -> Value | None:
        """The value, which counts as used now."""
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def put(self, key: str, value: Value) -> None:
        """Add or replace a value; the newest stays even if it alone is over the limit."""
        self.drop(key)
        self._values[key] = value
        self._total += self._weight(value)
        while self._total > self._limit and len(self._values) > 1:
            self.drop(next(iter(self._values)))

    def drop(self, key: str) -> None:
        if key in self._values:
            self._total -= self._weight(self._values.pop(key))

    def items(self) -> list[tuple[str, Value]]:
        return list(self._values.items())


@dataclass(frozen=True, slots=True)
class BackOff:
    """How patient we are.

    Attributes:
        start: seconds of rest after the first failure, at least 0; each further one doubles them.
        longest: seconds of rest at most.
        longest_wait: seconds at most that a host may ask for itself (Retry-After).
        failures: failures without a good answer between them after which a host is parked, from 1.
        silences: the same for no answer at all.
    """

    start: float = 2.0
    longest: float = 600.0
    longest_wait: float = 3600.0
    failures: int = 7
    silences: int = 4


class Fate(Enum):
    """What becomes of a host that failed."""

    RESTS = "rests"
    PARKED = "parked"
    """Not asked until nothing else is left to do; then once more."""
    GIVEN_UP = "given up"
    """Not asked before the next iteration."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """A host's fate, and how long it rests."""

    fate: Fate
    seconds: float = 0.0


@dataclass(slots=True)
class Trouble:
    """The account of an origin that failed."""

    failures: int = 0
    silences: int = 0
    parked: bool = False
    reason: str = ""
    """Why it was given up; empty while it is not."""


class TroubleStore(Protocol):
    """The accounts of origins, kept by their names."""

    def get(self, key: str) -> Trouble | None: ...

    def put(self, key: str, value: Trouble) -> None:
        """Add or replace an account."""

    def drop(self, key: str) -> None: ...

    def items(self) -> list[tuple[str, Trouble]]: ...


class HostTrouble:
    """Counts the failures of origins; a good answer clears an origin's account.

    Args:
        back_off: how patient we are.
    """

    def __init__(self, back_off: BackOff) -> None:
        self._back_off = back_off
        self._troubles: TroubleStore = Recent(_REMEMBERED)
        self._answering: Recent[str] = Recent(_REMEMBERED)

    def keep_in(self, store: TroubleStore) -> None:
        """Share the accounts with others that keep them in the same store."""
        self._troubles = store

    @property
    def longest_rest(self) -> float:
        """Seconds for which a host rests at most."""
        return max(self._back_off.longest, self._back_off.longest_wait)

    def answered(self, host: str, origin: str) -> None:
        """An origin gave an answer that is no failure."""
        self._troubles.drop(origin)
        self._answering.put(host, origin)

    def failed(
        self,
        host: str,
        origin: str,
        *,
        reason: str,
        silent: bool = False,
        asked_wait: float | None = None,
    ) -> Consequence:
        """An origin failed.

        Args:
            host: the origin's host.
            origin: as by `origin_of`.
            reason: why its URLs end if this was the last time that it was asked.
            silent: whether there was no answer at all.
            asked_wait: seconds for which the host asked to be left alone.
        """
        trouble = self._troubles.get(origin) or Trouble()
        trouble.failures += 1
        trouble.silences = trouble.silences + 1 if silent else 0
        seconds = self._rest(trouble.failures, asked_wait)
        consequence = self._judge(host, origin, trouble, reason, seconds)
        self._troubles.put(origin, trouble)
        return consequence

    def _judge(
        self, host: str, origin: str, trouble: Trouble, reason: str, seconds: float
    ) -> Consequence:
        limits = self._back_off
        if trouble.failures < limits.failures and trouble.silences < limits.silences:
            return Consequence(Fate.RESTS, seconds)
        # Where another port answers, nothing will come of waiting for this one.
        if trouble.parked or self._answering.get(host) not in (None, origin):
            trouble.reason = reason
            return Consequence(Fate.GIVEN_UP)
        trouble.parked = True
        return Consequence(Fate.PARKED, seconds)

    def given_up(self, origin: str) -> str:
        """The reason with which an origin's URLs end now; empty while it is asked."""
        trouble = self._troubles.get(origin)
        return trouble.reason if trouble else ""

    def new_iteration(self) -> None:
        """Origins that were given up are asked once more, and parked if they fail again."""
        for origin, trouble in self._troubles.items():
            if trouble.reason:
                trouble.parked, trouble.reason = False, ""
                self._troubles.put(origin, trouble)

    def _rest(self, failures: int, asked_wait: float | None) -> float:
        if asked_wait is not None:
            return min(asked_wait, self._back_off.longest_wait)
        # The exponent is bounded so that the power stays a number of seconds.
        doubled = self._back_off.start * 2.0 ** min(failures - 1, 60)
        return min(doubled, self._back_off.longest)
