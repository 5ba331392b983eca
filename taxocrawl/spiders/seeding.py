"""Finds a run's seeds: expands its queries and asks its providers through Scrapy's downloader."""

from __future__ import annotations

import logging
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request

from taxocrawl.exceptions import SeedError
from taxocrawl.frontier.base import Candidate, Entry, Frontier, State
from taxocrawl.queries.expand import expand_all
from taxocrawl.seeds import gather, providers_from_argument
from taxocrawl.seeds.base import Answer, Fetch, SearchResult, SeedProvider
from taxocrawl.spiders.plan import PUSHED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from taxocrawl.spiders.focused import FocusedSpider

logger = logging.getLogger(__name__)


def seed_providers(argument: str, settings: BaseSettings, fetch: Fetch) -> list[SeedProvider]:
    """The providers that a ``seeds=`` argument names, at the addresses of the settings."""
    return providers_from_argument(
        argument,
        fetch,
        urls={"crossref": settings["CROSSREF_URL"], "europepmc": settings["EUROPEPMC_URL"]},
        contact=settings["CONTACT_EMAIL"],
        retries=settings.getint("SEED_MAX_RETRIES"),
    )


def downloader_fetch(crawler: Crawler) -> Fetch:
    """A `Fetch` that uses Scrapy's downloader, with its delays, timeouts and user agent.

    robots.txt is not asked: a service's API is there for programs, under the limits that it
    states in its answers; retries are the provider's business.
    """

    async def fetch(url: str) -> Answer:
        request = Request(
            url, meta={"search": True, "dont_obey_robotstxt": True, "dont_retry": True}
        )
        try:
            response: Response = await crawler.engine.download_async(request)
        except OSError:
            raise
        except Exception as error:  # every kind of download error means: no answer
            raise OSError(str(error) or type(error).__name__) from error
        headers = {
            key.decode("latin-1").lower(): b", ".join(values).decode("latin-1")
            for key, values in response.headers.items()
        }
        return Answer(response.status, response.body, headers)

    return fetch


async def find_seeds(spider: FocusedSpider) -> None:
    """Put the run's seeds, and the reserves that replace dead ones, into the frontier.

    Raises SeedError when no provider answered, or when none found a single URL to fetch.
    """
    crawler, plan = spider.crawler, spider.plan
    settings = crawler.settings
    if plan.seeds == PUSHED:
        _take_pushed(spider)
        return
    queries = expand_all(
        plan.queries,
        plan.expand,
        terms_file=_path(settings["GENERIC_TERMS_FILE"]),
        taxonomy_file=_path(settings["TAXONOMY_FILE"]),
    )
    for query in queries:
        logger.info("query: %s", query)
    providers = seed_providers(plan.seeds, settings, downloader_fetch(crawler))
    found = await gather(providers, queries, settings.getint("SEED_LIMIT"))
    seeds = _candidates(spider, found.seeds)
    frontier = spider.scheduler.frontier
    frontier.set_meta("reserve seeds", [asdict(r) for r in found.reserves])
    spider.scheduler.push_seeds(seeds)
    frontier.set_meta(
        "seed search",
        {
            "queries": queries,
            "seeds": len(seeds),
            "by provider": _by_provider(found.seeds),
            "without link": found.without_link,
            "repeats": found.repeats,
            "requests": found.requests,
            "failures": [list(failure) for failure in found.failures],
        },
    )


def _take_pushed(spider: FocusedSpider) -> None:
    settings = spider.crawler.settings
    taken = spider.scheduler.admit_pushed()
    if not taken and settings["MAX_IDLE_TIME_BEFORE_CLOSE"] is None:
        key = settings["REDIS_START_URLS_KEY"] % {"name": spider.name}
        raise SeedError(
            f"seeds={PUSHED}: nothing was pushed under {key}; push first, or let workers wait "
            "(MAX_IDLE_TIME_BEFORE_CLOSE)"
        )


def replacements(spider: FocusedSpider, iteration: int) -> list[Candidate]:
    """What is fetched in place of seeds that turned out dead, once iteration 0 is through.

    A dead seed's own further addresses come first (the landing page of a PDF that is refused),
    then the next reserve of the search. What replaced which seed is kept in the frontier, and
    follows from it alone, so that a killed run that is resumed replaces the same.
    """
    frontier = spider.scheduler.frontier
    if iteration != 0:
        return []
    replaced: list[int] = frontier.get_meta("replaced seeds") or []
    reserves: list[dict[str, Any]] = frontier.get_meta("reserve seeds") or []
    candidates: list[Candidate] = []
    for entry in _dead_seeds(frontier):
        if entry.id in replaced:
            continue
        replaced.append(entry.id)
        addresses = entry.evidence.get("alternatives") or []
        others = [address for address in addresses if not spider.refusal_of(address)]
        if others:
            evidence = {**entry.evidence, "alternatives": others[1:]}
            candidates.append(
                Candidate(url=others[0], score=1.0, source=entry.source, evidence=evidence)
            )
        elif reserves:
            candidates += _candidates(spider, [SearchResult(**reserves.pop(0))])
    if candidates:
        spider.scheduler.push_seeds(candidates)
        frontier.set_meta("replaced seeds", replaced)
        frontier.set_meta("reserve seeds", reserves)
    return candidates


def _dead_seeds(frontier: Frontier) -> list[Entry]:
    """Entries of seeds that brought no document, in the order of their discovery."""
    found: dict[int, Entry] = {}
    for fetch in frontier.fetches():
        if fetch["iteration"] == 0 and fetch["reason"] not in ("", "non-taxonomic", "duplicate"):
            entry = frontier.find(fetch["url"])
            if entry and entry.source.startswith("seed:") and _is_dead(entry):
                found[entry.id] = entry
    return [found[number] for number in sorted(found)]


def _is_dead(entry: Entry) -> bool:
    return entry.state in (State.FAILED, State.GONE) or entry.reason in _NO_DOCUMENT


_NO_DOCUMENT = frozenset({"challenge page", "login wall", "soft 404"})


def _path(value: str | None) -> Path | None:
    return Path(value) if value else None


def _by_provider(results: Iterable[SearchResult]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for result in results:
        counts[result.provider] = counts.get(result.provider, 0) + 1
    return counts


def _candidates(spider: FocusedSpider, results: Iterable[SearchResult]) -> list[Candidate]:
    """Seeds as frontier candidates: all with score 1, in their order (KU treats them alike)."""
    candidates = []
    for result in results:
        if reason := spider.refusal_of(result.url):
            spider.crawler.stats.inc_value(f"seeds/dropped/{reason}")
            continue
        evidence: dict[str, Any] = {
            "query": result.query,
            "rank": result.rank,
            "title": result.title[:200],
            "alternatives": list(result.alternatives),
        }
        candidates.append(
            Candidate(
                url=result.url, score=1.0, source=f"seed:{result.provider}", evidence=evidence
            )
        )
    return candidates
