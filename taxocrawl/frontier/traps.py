"""Crawler traps: what no link is followed to, and patterns of URLs that bring nothing new.

Two kinds of judgement (docs/traps.md). `refusal` reads the URL alone. `pattern_of` names what a
URL has in common with its sisters; what the pages of a pattern have brought so far is a `Yield`,
and `spent` says when more of them are not worth a request. Nothing here is kept between calls.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from taxocrawl.frontier.service_pages import service_page
from taxocrawl.frontier.urls import canonicalize
from taxocrawl.text.doi import doi_from_url

BUDGET = 10
"""Pages of a pattern that may bring nothing new, at least 2, each counted by its weight."""
SHORTCUT, KNOWN_TEXT = 3, 4
"""Weights of a redirect to a known page, and of a page whose text its host had sent before."""
ELSEWHERE = 3
"""Budgets that the pages of one form, of all hosts together, may use up without anything new. One
host alone cannot: its pattern is given up before."""
PATIENCE = 2
"""Pages of a list in a row that may bring nothing new."""
MAX_SEGMENTS = 16
"""Path segments; the deepest repositories of real journals have ten or so."""
MAX_ARGUMENTS = 10
"""Query arguments; the longest forms of old journal software have eight."""
_MAX_REPEATS = 2
# The pages of a site repeat its links; so many URLs are judged once.
_REMEMBERED = 20_000

CALENDAR, PAGINATION, BOILERPLATE = "calendar", "pagination", "boilerplate"
REASONS = frozenset(
    [CALENDAR, PAGINATION, BOILERPLATE, "path too deep", "repeated segments", "parameters"]
    + ["printable copy", "journal system", "search results", "service page"]
)
"""Every reason of this module, see docs/traps.md."""

_YEARS = range(1700, 2101)
_DIGITS = re.compile(r"\d+")
_DATE_NAME = re.compile(
    r"(?:.*[^a-z])?(?:statistics|event|start|end|from|to|view|default|current|selected|bar)?[-_]?"
    r"(?:year|month|day|week|date|yr|yyyy|ym)s?|(?:date|year|month|day)[-_]?(?:from|to|start|end)"
    r"|cal|calendar|i?cal[-_]?date",
)
_PAGE_NAME = re.compile(
    r"(?:.*[^a-z])?(?:pages?(?:no|num|number|index|id)?|paged|pg|p|start(?:index|at|row|page)?"
    r"|first|from|offset|skip|begin|cursor|currentpage|results?page|rangepage|limitstart)"
)
_CALENDAR_WORDS = frozenset(
    "calendar calendario calendrier kalender calendars events event eventos evenements agenda"
    " termine schedule diary stats statistics statistik estadisticas statistiques usage".split()
)
# Years beside small numbers are article and galley numbers below these.
_ARTICLE_WORDS = frozenset(
    "view article articles download doi abs pdf full content item items bitstream handle record"
    " viewfile viewarticle paper papers catalog volume issue vol toc".split()
)
_MANY_WORDS = re.compile(r"[^-_+.]+(?:[-_+.]|%20)[^-_+.]+(?:[-_+.]|%20).+|.{25,}")


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a URL has in common with its sisters."""

    kind: str
    """`CALENDAR`, `PAGINATION`, or `BOILERPLATE` for all others: the reason once it is spent."""
    key: str
    """The canonical URL with its counters and names left open."""

    @property
    def form(self) -> str:
        """The key without its host: what the pages of one software have in common anywhere."""
        return "/" + self.key.split("/", 3)[-1]


@dataclass(slots=True)
class Yield:
    """What the pages of a pattern have brought so far."""

    productive: int = 0
    barren: int = 0
    """Pages that brought nothing, each by its weight."""
    run: int = 0
    """The same since the last productive one."""

    def add(self, *, productive: bool, weight: int = 1) -> None:
        """Count one more page; `weight` says how sure it is that a barren one stands for all."""
        if productive:
            self.productive += 1
            self.run = 0
        else:
            self.barren += weight
            self.run += weight


@lru_cache(maxsize=_REMEMBERED)
def refusal(url: str) -> str:
    """Why no link to a URL is followed, from the URL alone; empty when it may be."""
    path, arguments = _parts(canonicalize(url))
    if len(path) > MAX_SEGMENTS:
        return "path too deep"
    if _repeats(path):
        return "repeated segments"
    names = [name for name, _ in arguments]
    if len(arguments) > MAX_ARGUMENTS or max(map(names.count, names), default=0) > _MAX_REPEATS:
        return "parameters"
    if any(_impossible_year(name, value) for name, value in arguments):
        return CALENDAR
    return service_page(path, arguments)


@lru_cache(maxsize=_REMEMBERED)
def pattern_of(url: str) -> Pattern:
    """The pattern of a URL: two URLs of one have the same host, form and kind."""
    canonical = canonicalize(url)
    path, arguments = _parts(canonical)
    site = canonical.split("/", 3)[:3]
    if _is_calendar(path, arguments):
        kind, segments = CALENDAR, [_DIGITS.sub("#", segment) for segment in path]
        query = sorted({name for name, _ in arguments})
    elif _is_page_of_list(path, arguments):
        kind, segments = PAGINATION, _open_counter(path)
        query = [f"{n}={'#' if _PAGE_NAME.fullmatch(n) else value}" for n, value in arguments]
    else:
        kind, segments = BOILERPLATE, _open_names(path)
        query = sorted({name for name, _ in arguments})
    key = "/".join([*site, *segments])
    return Pattern(kind, f"{key}?{'&'.join(query)}" if query else key)


def counts_as_news(pattern: Pattern, link: str) -> bool:
    """Whether a new link is news on a page of a pattern.

    From a calendar or a list, what leads to another month or page is not: only what leads out.
    """
    if pattern.kind == BOILERPLATE:
        return True
    other = pattern_of(link)
    return other.key != pattern.key and other.kind == BOILERPLATE


def spent(
    pattern: Pattern,
    past: Yield,
    budget: int = BUDGET,
    under_way: int = 0,
    anywhere: Yield | None = None,
) -> bool:
    """Whether further pages of a pattern are refused.

    Lists end after `PATIENCE` pages in a row without anything new. Calendars have a budget, and go
    on beyond it for as long as at least half of their pages bring something. All others have the
    budget for pages in a row, and one more for each that brought something. Once pages of the same
    form have brought nothing new on several hosts, and on none since, one page of a host is enough.

    Args:
        pattern: of the URL about to be asked for.
        past: what the pattern's settled pages brought.
        budget: see `BUDGET`.
        under_way: pages of the pattern that are asked for and not settled.
        anywhere: what the pages of the pattern's form brought, of all hosts together.
    """
    if pattern.kind == PAGINATION:
        return past.run >= PATIENCE
    if anywhere is not None and anywhere.run >= ELSEWHERE * budget and past.run:
        return True
    if pattern.kind == CALENDAR:
        pages = past.productive + past.barren + under_way
        return past.run >= budget or (pages >= budget and 2 * past.productive < pages)
    return past.run >= budget + past.productive


@lru_cache(maxsize=_REMEMBERED)
def is_exempt(url: str) -> bool:
    """Whether a URL is never held against its pattern: DOIs name works, whatever they lead to."""
    return bool(doi_from_url(url))


def _parts(canonical: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Path segments (none empty) and arguments (names in lower case) of a canonical URL."""
    head, _, query = canonical.partition("?")
    segments = [segment for segment in head.split("/")[3:] if segment]
    pairs = (argument.partition("=") for argument in query.split("&") if argument)
    return segments, [(name.lower(), value) for name, _, value in pairs]


def _repeats(segments: list[str]) -> bool:
    """Whether a run of segments, not all numbers, stands three times in a row."""
    for period in range(1, len(segments) // 3 + 1):
        for start in range(len(segments) - 3 * period + 1):
            run = segments[start : start + period]
            again = segments[start + period : start + 3 * period]
            if again == run * 2 and not all(segment.isdecimal() for segment in run):
                return True
    return False


def _impossible_year(name: str, value: str) -> bool:
    return name.endswith("year") and value.isdecimal() and int(value) not in _YEARS


def _is_calendar(path: list[str], arguments: list[tuple[str, str]]) -> bool:
    words = {segment.lower() for segment in path}
    others = [n for n, v in arguments if v.isdecimal() and not _is_counter(n)]
    if words & _ARTICLE_WORDS or others:
        # An issue's or article's own number stands beside the date.
        return False
    if any(_DATE_NAME.fullmatch(name) and value for name, value in arguments):
        return True
    counted = any(map(_DIGITS.search, path)) or any(_DIGITS.search(v) for _, v in arguments)
    return (bool(words & _CALENDAR_WORDS) and counted) or _ends_in_date(path)


def _is_counter(name: str) -> bool:
    return bool(_DATE_NAME.fullmatch(name) or _PAGE_NAME.fullmatch(name))


def _ends_in_date(path: list[str]) -> bool:
    tail = re.search(r"(?:^|/)(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?$", "/".join(path))
    return (
        tail is not None
        and int(tail[1]) in range(1900, 2101)
        and 1 <= int(tail[2]) <= 12
        and (tail[3] is None or 1 <= int(tail[3]) <= 31)
    )


def _is_page_of_list(path: list[str], arguments: list[tuple[str, str]]) -> bool:
    if any(_PAGE_NAME.fullmatch(name) and value.isdecimal() for name, value in arguments):
        return True
    return _open_counter(path) != path


def _open_counter(path: list[str]) -> list[str]:
    """The path with the page number of ``/page/7`` or ``/page7`` left open."""
    joined = "/".join(path)
    return re.sub(r"(?i)((?:^|/)pages?[-_/]?)\d+(?=$|/|\.)", r"\1#", joined).split("/")


def _open_names(path: list[str]) -> list[str]:
    """The path with numbers, long names and, below the first level, the last name left open."""
    opened = ["*" if _MANY_WORDS.fullmatch(s) else _DIGITS.sub("#", s) for s in path]
    if len(path) > 1:
        opened[-1] = "*"
    return opened
