"""Search providers: where a crawl's first URLs come from.

`gather` asks all providers all queries; `providers_from_argument` reads the spider's ``seeds=``.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError
from taxocrawl.seeds.crossref import Crossref
from taxocrawl.seeds.europepmc import EuropePmc
from taxocrawl.seeds.file import FileSeeds
from taxocrawl.seeds.gather import Failure, Gathered, gather

if TYPE_CHECKING:
    from collections.abc import Mapping

    from taxocrawl.seeds.base import Fetch, SeedProvider, Sleep

SEARCHES: dict[str, type[Crossref | EuropePmc]] = {
    Crossref.name: Crossref,
    EuropePmc.name: EuropePmc,
}
"""Scholarly searches by name."""
MAX_ARGUMENT_LENGTH = 8000
"""Characters of a ``seeds=`` argument; longer ones belong in a file (systems cut arguments)."""
FILE_ENDINGS = (".txt", ".csv", ".tsv", ".jsonl", ".ndjson")

__all__ = [
    "SEARCHES",
    "Crossref",
    "EuropePmc",
    "Failure",
    "FileSeeds",
    "Gathered",
    "gather",
    "provider",
    "providers_from_argument",
]


def provider(
    name: str,
    fetch: Fetch,
    *,
    url: str = "",
    contact: str = "",
    retries: int = 3,
    sleep: Sleep = asyncio.sleep,
) -> SeedProvider:
    """The search of that name, asked at `url` ('' means its public endpoint).

    `contact` is an e-mail address for the service's polite pool, '' for none. Raises
    ArgumentError for an unknown name.
    """
    kind = SEARCHES.get(name.strip().lower())
    if kind is None:
        raise ArgumentError(
            f"seeds: unknown provider {name!r}; expected {', '.join(sorted(SEARCHES))}, "
            f"a file of URLs ({', '.join(FILE_ENDINGS)}) or http(s) URLs"
        )
    options = {"url": url} if url else {}
    return kind(fetch, contact=contact, retries=retries, sleep=sleep, **options)


def providers_from_argument(
    argument: str,
    fetch: Fetch,
    *,
    urls: Mapping[str, str] | None = None,
    contact: str = "",
    retries: int = 3,
    sleep: Sleep = asyncio.sleep,
) -> list[SeedProvider]:
    """The providers of a ``seeds=`` argument: names and files apart by commas, or URLs by blanks.

    `urls` holds other endpoints by provider name. Raises ArgumentError for an empty or too long
    argument, an unknown or repeated name, and InputFileError for a file that cannot be used.
    """
    if len(argument) > MAX_ARGUMENT_LENGTH:
        raise ArgumentError(
            f"seeds: {len(argument)} characters are too long for an argument "
            f"(at most {MAX_ARGUMENT_LENGTH}); write the URLs to a file and give its path"
        )
    if argument.strip().lower().startswith(("http://", "https://")):
        return [FileSeeds.of_urls(argument.split())]
    names = [name for part in argument.split(",") if (name := part.strip())]
    if not names:
        raise ArgumentError("seeds: expected provider names or a file of URLs, got nothing")
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ArgumentError(f"seeds: {repeated[0]!r} is given more than once")
    found: list[SeedProvider] = []
    for name in names:
        if _names_a_file(name):
            found.append(FileSeeds(name.removeprefix("file:")))
            continue
        endpoint = (urls or {}).get(name.lower(), "")
        found.append(
            provider(name, fetch, url=endpoint, contact=contact, retries=retries, sleep=sleep)
        )
    return found


def _names_a_file(name: str) -> bool:
    if name.lower() in SEARCHES:
        return False
    looks_like_one = name.startswith("file:") or "/" in name or name.lower().endswith(FILE_ENDINGS)
    return looks_like_one or Path(name).exists()
