"""A spider's arguments, checked before the first request.

Every argument arrives as a string. `CrawlPlan.parse` turns them into one checked record or raises
ArgumentError (or InputFileError for a file that an argument names) with one line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError
from taxocrawl.queries.expand import STYLES
from taxocrawl.queries.parse import parse_queries
from taxocrawl.seeds import providers_from_argument

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from taxocrawl.seeds.base import Answer

ARGUMENTS = {
    "query": "what to look for: one query, a JSON list of queries, or @FILE with one a line",
    "expand": "none (default), generic or taxonomic: how queries are expanded",
    "seeds": "provider names and files of URLs, joined by commas (default crossref,europepmc)",
    "iterations": "last iteration, the seeds being iteration 0 (default 2)",
    "max_pages": "downloads after which the crawl ends; 0 (default) for no limit",
    "allowed_hosts": "hosts joined by commas; links to others are not followed",
    "out": "the run's folder (default runs/<time>-<query>)",
    "truth": "CSV file url,label: adds precision and recall to the figures",
    "selection": "selection policy (default all)",
    "resume": "folder of an interrupted run, which is continued",
}
DEFAULT_SEEDS = "crossref,europepmc"
CHANGEABLE_ON_RESUME = frozenset({"iterations", "max_pages", "allowed_hosts", "truth", "resume"})
_HOST = re.compile(r"(?!-)[\w-]{1,63}(\.[\w-]{1,63})*\Z")


@dataclass(frozen=True, slots=True)
class CrawlPlan:
    """The checked arguments of one run."""

    queries: tuple[str, ...] = ()
    expand: str = "none"
    seeds: str = DEFAULT_SEEDS
    iterations: int = 2
    max_pages: int = 0
    allowed_hosts: frozenset[str] = frozenset()
    out: Path | None = None
    truth: Path | None = None
    selection: str = "all"
    resume: Path | None = None

    def allows(self, host: str) -> bool:
        """Whether links to a host are followed: it, or a parent domain, is in `allowed_hosts`."""
        if not self.allowed_hosts:
            return True
        parts = host.lower().split(".")
        return any(".".join(parts[n:]) in self.allowed_hosts for n in range(len(parts)))

    @classmethod
    def parse(cls, arguments: Mapping[str, str], *, iterations: int, max_pages: int) -> CrawlPlan:
        """Check a spider's arguments.

        Args:
            arguments: as given with ``-a``; those that begin with ``_`` are scrapyd's and ignored.
            iterations: used when the argument is not given.
            max_pages: used when the argument is not given.
        """
        given = {name: value for name, value in arguments.items() if not name.startswith("_")}
        unknown = sorted(set(given) - set(ARGUMENTS))
        if unknown:
            raise ArgumentError(
                f"{unknown[0]}=: no such argument; expected one of {', '.join(ARGUMENTS)}"
            )
        seeds = given.get("seeds", DEFAULT_SEEDS)
        queries = tuple(parse_queries(given["query"])) if "query" in given else ()
        providers = providers_from_argument(seeds, _unused)
        if not queries and any(provider.uses_query for provider in providers):
            raise ArgumentError("query=: missing; give a query, or seeds=FILE with URLs")
        return cls(
            queries=queries,
            seeds=seeds,
            expand=_choice("expand", given.get("expand", "none"), STYLES),
            iterations=_number("iterations", given.get("iterations"), iterations),
            max_pages=_number("max_pages", given.get("max_pages"), max_pages),
            allowed_hosts=_hosts(given.get("allowed_hosts")),
            out=Path(given["out"]) if given.get("out") else None,
            truth=_file("truth", given.get("truth")),
            selection=given.get("selection", "all"),
            resume=Path(given["resume"]) if "resume" in given else None,
        )


def merge_resumed(stored: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """The arguments of a continued run: the stored ones, with those that may change replaced.

    Raises ArgumentError when another argument is given a different value than the run began with.
    """
    for name, value in given.items():
        if name.startswith("_") or name in CHANGEABLE_ON_RESUME or name == "out":
            continue
        if stored.get(name) != value:
            raise ArgumentError(
                f"{name}={value}: the resumed run began with {name}={stored.get(name)}; "
                f"only {', '.join(sorted(CHANGEABLE_ON_RESUME - {'resume'}))} may change"
            )
    return {**stored, **given}


async def _unused(url: str) -> Answer:
    raise AssertionError(f"asked for {url} while arguments were checked")


def _choice(name: str, value: str, choices: Sequence[str]) -> str:
    if value not in choices:
        raise ArgumentError(f"{name}={value}: expected one of {', '.join(choices)}")
    return value


def _number(name: str, value: str | None, default: int) -> int:
    if value is None:
        return default
    if not re.fullmatch(r"[0-9]{1,9}", value.strip()):
        raise ArgumentError(f"{name}={value}: expected a whole number from 0 on")
    return int(value)


def _hosts(value: str | None) -> frozenset[str]:
    if value is None:
        return frozenset()
    hosts = [host.strip().lower() for host in value.split(",")]
    for host in hosts:
        if not _HOST.match(host):
            raise ArgumentError(
                f"allowed_hosts={value}: {host!r} is no host name; expected names like "
                "example.org joined by commas, without http:// or port"
            )
    return frozenset(hosts)


def _file(name: str, value: str | None) -> Path | None:
    if value is None:
        return None
    path = Path(value)
    if not path.is_file():
        raise ArgumentError(f"{name}={value}: no such file")
    return path
