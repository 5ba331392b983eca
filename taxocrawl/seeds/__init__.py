"""Search providers: where a crawl's first URLs come from.

`providers_from_argument` reads the spider's ``seeds=``; `gather` asks all providers all queries.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError
from taxocrawl.seeds.crossref import Crossref
from taxocrawl.seeds.europepmc import EuropePmc
from taxocrawl.seeds.file import FileSeeds
from taxocrawl.seeds.gather import Failure, Gathered, gather
from taxocrawl.text.files import names_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from taxocrawl.seeds.base import Fetch, SeedProvider, Sleep
    from taxocrawl.seeds.paged import PagedSearch

PROVIDERS: dict[str, type[PagedSearch]] = {
    Crossref.name: Crossref,
    EuropePmc.name: EuropePmc,
}
"""Scholarly searches by name."""
FILE_ENDINGS = (".txt", ".csv", ".tsv", ".jsonl", ".ndjson")
MAX_ARGUMENT_LENGTH = 8000
"""Characters of a ``seeds=`` argument; longer ones belong in a file (systems cut arguments)."""
__all__ = [
    "PROVIDERS",
    "Crossref",
    "EuropePmc",
    "Failure",
    "FileSeeds",
    "Gathered",
    "check_argument",
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
    kind = PROVIDERS.get(name.strip().lower())
    if kind is None:
        raise ArgumentError(f"seeds: {name!r} is no provider; known are {', '.join(PROVIDERS)}")
    return kind(fetch, url=url, contact=contact, retries=retries, sleep=sleep)


def providers_from_argument(
    argument: str,
    fetch: Fetch,
    *,
    urls: Mapping[str, str] | None = None,
    contact: str = "",
    retries: int = 3,
    sleep: Sleep = asyncio.sleep,
) -> list[SeedProvider]:
    """The providers of a ``seeds=`` argument; `urls` holds other endpoints by provider name.

    Provider names and at most one file of URLs, apart by commas (``crossref,my-urls.csv``), or
    http(s) URLs apart by blanks. Raises ArgumentError for an argument that is empty, too long or
    names an unknown provider, and InputFileError for a file that cannot be used.
    """
    names, own = _parse(argument)
    found: list[SeedProvider] = [own] if own else []
    for name in names:
        url = (urls or {}).get(name, "")
        found.append(provider(name, fetch, url=url, contact=contact, retries=retries, sleep=sleep))
    return found


def check_argument(argument: str) -> None:
    """Raise what `providers_from_argument` would for an argument, before anything is asked."""
    _parse(argument)


def _parse(argument: str) -> tuple[tuple[str, ...], FileSeeds | None]:
    """Provider names, and the user's own URLs if there are any."""
    if len(argument) > MAX_ARGUMENT_LENGTH:
        raise ArgumentError(
            f"seeds: {len(argument)} characters are too long for an argument "
            f"(at most {MAX_ARGUMENT_LENGTH}); write the URLs to a file and give its path"
        )
    if argument.strip().lower().startswith(("http://", "https://")):
        return (), FileSeeds.of_urls(argument.split())
    if names_file(argument):
        return (), FileSeeds(argument)
    parts = [part.strip() for part in argument.split(",") if part.strip()]
    names = dict.fromkeys(part.lower() for part in parts if part.lower() in PROVIDERS)
    files = [part for part in parts if part.lower() not in PROVIDERS]
    for part in files:
        if "/" not in part and not part.lower().endswith(FILE_ENDINGS) and not names_file(part):
            raise ArgumentError(
                f"seeds: {part!r} is neither a file nor a provider; known providers: "
                f"{', '.join(PROVIDERS)}"
            )
        if "://" in part:
            raise ArgumentError(f"seeds: expected an http(s) URL, got {part!r}")
    if len(files) > 1:
        raise ArgumentError(f"seeds: expected one file of URLs at most, got {', '.join(files)}")
    if not parts:
        raise ArgumentError(f"seeds: expected a file or one of {', '.join(PROVIDERS)}, got nothing")
    return tuple(names), FileSeeds(files[0]) if files else None
