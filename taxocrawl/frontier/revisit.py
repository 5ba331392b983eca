"""When a page is asked for again, and how fresh a collection was found to be.

Policies and measures are those of Cho & Garcia-Molina, "Synchronizing a database to improve
freshness" (SIGMOD 2000), which KU 2.1.1 names; docs/revisit.md has the definitions.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from enum import StrEnum
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from taxocrawl.exceptions import SettingError

if TYPE_CHECKING:
    from collections.abc import Iterable

NONE, UNIFORM, PROPORTIONAL = POLICIES = ("none", "uniform", "proportional")
_SHRINK, _GROW = 0.5, 1.5


class Verdict(StrEnum):
    """What a visit says of the copy that was had before."""

    FIRST = "first"
    """There was none to compare with."""
    UNCHANGED = "unchanged"
    CHANGED = "changed"
    GONE = "gone"
    FAILED = "failed"
    """The visit says nothing: no answer, or none that could be read."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What a download tells of its page."""

    at: float
    """Seconds since the epoch."""
    text_hash: str = ""
    """See `text_hash`; empty when the answer was that nothing was modified."""
    etag: str = ""
    last_modified: str = ""
    """The header as it came."""


@dataclass(frozen=True, slots=True)
class RevisitPolicy:
    """Gives each page the time until its next visit.

    `uniform` is the one whose bounds are equal.

    Attributes:
        name: one of `POLICIES` but ``none``.
        start: seconds from a page's first visit to its second, within the bounds.
        shortest: seconds between two visits at least, over 0.
        longest: seconds at most.
    """

    name: str
    start: float
    shortest: float
    longest: float

    def interval(self, before: float | None, verdict: Verdict) -> float:
        """Seconds to the next visit, after one that was `before` seconds planned ahead.

        A change halves them, none makes them half as long again; a failure leaves them.
        """
        seconds = self.start if before is None else before
        if verdict is Verdict.CHANGED:
            seconds *= _SHRINK
        elif verdict is Verdict.UNCHANGED:
            seconds *= _GROW
        return self.bounded(seconds)

    def bounded(self, seconds: float | None) -> float:
        """A planned interval within the policy's bounds; that of a first visit for None."""
        return min(max(self.start if seconds is None else seconds, self.shortest), self.longest)


def make_revisit_policy(
    name: str, *, interval: float, shortest: float, longest: float
) -> RevisitPolicy | None:
    """The policy of a name; None for ``none``.

    Args:
        name: one of `POLICIES`.
        interval: of `uniform`, and the first one of `proportional`; seconds, over 0.
        shortest: bound of `proportional`, seconds, over 0.
        longest: bound of `proportional`, seconds, from `shortest` on.

    Raises:
        SettingError: for any other value.
    """
    if name not in POLICIES:
        raise SettingError(f"revisit={name}: expected one of {', '.join(POLICIES)}")
    if name == NONE:
        return None
    if not interval > 0:
        raise SettingError(f"REVISIT_INTERVAL={interval:g}: expected seconds over 0")
    if name == UNIFORM:
        return RevisitPolicy(name, interval, interval, interval)
    if not 0 < shortest <= longest:
        raise SettingError(
            f"REVISIT_MIN={shortest:g}, REVISIT_MAX={longest:g}: "
            "expected seconds over 0, the first not over the second"
        )
    return RevisitPolicy(name, min(max(interval, shortest), longest), shortest, longest)


def text_hash(text: str) -> str:
    """Hash of a text in which white space is all the same; empty for a text without words."""
    words = text.split()
    if not words:
        return ""
    joined = " ".join(words).encode("utf-8", "surrogatepass")
    return blake2b(joined, digest_size=16).hexdigest()


def judge(before: str, visit: Visit | None, *, gone: bool) -> Verdict:
    """What a visit says of the copy whose text's hash is `before`, empty when it is not known."""
    if gone:
        return Verdict.GONE
    if visit is None:
        return Verdict.FAILED
    if not visit.text_hash:
        return Verdict.UNCHANGED
    if not before:
        return Verdict.FIRST
    return Verdict.UNCHANGED if visit.text_hash == before else Verdict.CHANGED


def age(verdict: Verdict, since: float, at: float, last_modified: str = "") -> float | None:
    """Seconds for which the copy of time `since` was out of date at the visit at time `at`.

    0 for a copy that was not; None when the visit says nothing. The page's own Last-Modified
    tells when it changed if it lies between the visits; else the middle between them is taken.
    Never negative, whatever became of the clock between the visits.
    """
    if verdict in (Verdict.FAILED, Verdict.FIRST):
        return None
    if verdict is Verdict.UNCHANGED:
        return 0.0
    modified = _seconds(last_modified)
    if verdict is Verdict.CHANGED and modified is not None and since < modified <= at:
        return at - modified
    return max(0.0, at - since) / 2


@dataclass(slots=True)
class RevisitFigures:
    """What the re-visits of an iteration or of a run found, in sum."""

    verdicts: Counter[str] = field(default_factory=Counter)
    """Number of re-visits by `Verdict`."""
    age_seconds: float = 0.0
    """Sum of the ages of the copies that a visit says something of."""

    @classmethod
    def of(cls, rows: Iterable[tuple[str, int, float | None]]) -> RevisitFigures:
        """From rows of verdict, number and sum of ages."""
        figures = cls()
        for verdict, number, ages in rows:
            figures.verdicts[verdict] += number
            figures.age_seconds += ages or 0.0
        return figures

    @property
    def judged(self) -> int:
        """Re-visits that say something of the copy."""
        return sum(self.verdicts[v] for v in (Verdict.UNCHANGED, Verdict.CHANGED, Verdict.GONE))

    @property
    def freshness(self) -> float | None:
        """Share of the copies that were up to date when they were compared; None without any."""
        return self.verdicts[Verdict.UNCHANGED] / self.judged if self.judged else None

    @property
    def mean_age(self) -> float | None:
        """Mean age in seconds, copies that are up to date counting 0; None without any copy."""
        return self.age_seconds / self.judged if self.judged else None

    def record(self) -> dict[str, Any]:
        """As run.json has it; empty when nothing was visited again."""
        if not self.verdicts:
            return {}
        return {
            "visits": self.verdicts.total(),
            **{v.value: self.verdicts[v] for v in Verdict if v is not Verdict.FIRST},
            "freshness": None if self.freshness is None else round(self.freshness, 6),
            "mean age in seconds": None if self.mean_age is None else round(self.mean_age, 1),
        }


def _seconds(http_date: str) -> float | None:
    try:
        return parsedate_to_datetime(http_date).timestamp()
    except (ValueError, OverflowError):
        return None
