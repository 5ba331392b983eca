"""Finds a run's seeds: expands its queries and asks its providers through Scrapy's downloader."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request

from taxocrawl.frontier.base import Candidate
from taxocrawl.frontier.urls import host_of, unfetchable
from taxocrawl.queries.expand import expand_all
from taxocrawl.seeds import gather, providers_from_argument
from taxocrawl.seeds.base import Answer, Fetch, SearchResult, SeedProvider

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
    spider.scheduler.push_seeds(seeds)
    spider.scheduler.frontier.set_meta(
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
        reason = unfetchable(result.url)
        if not reason and not spider.plan.allows(host_of(result.url)):
            reason = "host not allowed"
        if reason:
            spider.crawler.stats.inc_value(f"seeds/dropped/{reason}")
            continue
        evidence: dict[str, Any] = {
            "query": result.query,
            "rank": result.rank,
            "title": result.title[:200],
        }
        candidates.append(
            Candidate(
                url=result.url, score=1.0, source=f"seed:{result.provider}", evidence=evidence
            )
        )
    return candidates
