"""Asks all providers all queries and merges their results into one list of seeds."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from taxocrawl.exceptions import ArgumentError, SeedError
from taxocrawl.seeds.base import SearchOutcome, SearchResult, SeedProvider, Use
from taxocrawl.seeds.works import Row, Works, result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

logger = logging.getLogger(__name__)

FAILURES_IN_A_ROW = 2
"""Failed queries after which a provider is asked no more: one query may be at fault, two hardly."""
NO_LIMIT = 2**31


class Failure(NamedTuple):
    """A query that a provider did not answer, or not in full."""

    provider: str
    query: str
    message: str


@dataclass(frozen=True, slots=True)
class Gathered:
    """Seeds of all providers and queries; distinct by DOI and by canonical URL."""

    seeds: tuple[SearchResult, ...]
    """The URLs of a file, then at most `limit` results of searches in merged order."""
    reserves: tuple[SearchResult, ...]
    """Next ones in merged order, from which dead seeds are replaced."""
    failures: tuple[Failure, ...]
    without_link: int
    repeats: int
    requests: int


class _Answered(NamedTuple):
    provider: SeedProvider
    outcomes: list[tuple[int, SearchOutcome]]
    """With the place of the query."""
    failures: list[Failure]


async def gather(providers: Sequence[SeedProvider], queries: Sequence[str], limit: int) -> Gathered:
    """Seeds for `queries` (distinct texts) from `providers`.

    Results are merged round robin by rank: all first results in the order of the queries, for
    each query in the order of the providers, then all second ones, and so on. `limit` (from 1)
    counts distinct results of searches; URLs that the user named in a file come first and are
    all kept. Providers run side by side, each with one request at a time.

    Raises SeedError when no provider answered anything, and ArgumentError without providers or
    queries to ask them.
    """
    if not providers:
        raise ArgumentError("seeds: expected at least one provider, got none")
    if not queries and any(provider.uses_query for provider in providers):
        raise ArgumentError("query: expected at least one, got none")
    if limit < 1:
        raise ArgumentError(f"seed limit: expected a number from 1, got {limit}")
    answered = await asyncio.gather(*(_ask(p, queries, limit) for p in providers))
    failures = [failure for answer in answered for failure in answer.failures]
    for failure in failures:
        logger.warning("seeds: %s (query %r)", failure.message, failure.query)
    if not any(answer.outcomes for answer in answered):
        told = "; ".join(dict.fromkeys(failure.message for failure in failures))
        raise SeedError(f"no seed provider answered: {told}")
    return _merge(answered, failures, limit)


async def _ask(provider: SeedProvider, queries: Sequence[str], limit: int) -> _Answered:
    """All queries of one provider, one after the other."""
    answered = _Answered(provider, [], [])
    if not provider.uses_query:
        queries, limit = (queries[0] if queries else "",), NO_LIMIT
    failed = 0
    for place, query in enumerate(queries):
        try:
            found = await provider.search(query, limit)
        except SeedError as error:
            answered.failures.append(Failure(provider.name, query, str(error)))
            failed += 1
            if failed == FAILURES_IN_A_ROW:
                break
            continue
        failed = 0
        answered.outcomes.append((place, found))
        if found.problem:
            answered.failures.append(Failure(provider.name, query, found.problem))
    return answered


def _merge(answered: Sequence[_Answered], failures: list[Failure], limit: int) -> Gathered:
    outcomes = [found for answer in answered for _, found in answer.outcomes]
    works, origins = Works(), list[SearchResult]()
    for hit in _named(answered):
        _keep(works, origins, hit)
    cut = len(origins) + limit
    for hit in _interleaved(answered):
        _keep(works, origins, hit)
    merged = tuple(
        result(row, hit.rank, hit.provider, hit.query)
        for row, hit in zip(works.rows(), origins, strict=True)
    )
    return Gathered(
        seeds=merged[:cut],
        reserves=merged[cut:],
        failures=tuple(failures),
        without_link=sum(found.without_link for found in outcomes),
        repeats=works.repeats + sum(found.repeats for found in outcomes),
        requests=sum(found.requests for found in outcomes),
    )


def _keep(works: Works, origins: list[SearchResult], hit: SearchResult) -> None:
    """Join a result to its work; a new work is remembered as found here."""
    if works.add(_row(hit)) == len(origins):
        origins.append(hit)


def _named(answered: Iterable[_Answered]) -> Iterator[SearchResult]:
    """URLs of the user, in the order of the providers."""
    for answer in answered:
        if not answer.provider.uses_query:
            for _, found in answer.outcomes:
                yield from found.results


def _interleaved(answered: Iterable[_Answered]) -> list[SearchResult]:
    """Results of searches by rank, then query, then provider."""
    placed = [
        ((hit.rank, place, number), hit)
        for number, answer in enumerate(answered)
        if answer.provider.uses_query
        for place, found in answer.outcomes
        for hit in (*found.results, *found.reserves)
    ]
    return [hit for _, hit in sorted(placed, key=lambda entry: entry[0])]


def _row(hit: SearchResult) -> Row:
    links = (hit.url, *hit.alternatives)
    uses = hit.uses or (Use.UNSTATED,) * len(links)
    return Row(hit.title, hit.snippet, hit.doi, tuple(zip(uses, links, strict=True)))
