"""What searches have in common that are read page by page, each page naming the next one."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote, urlencode

from taxocrawl.seeds.polite import PoliteFetch
from taxocrawl.seeds.works import RowPage, check_search, outcome, page_size, page_through

if TYPE_CHECKING:
    from collections.abc import Mapping

    from taxocrawl.seeds.base import Fetch, SearchOutcome, Sleep


class PagedSearch(ABC):
    """A `SeedProvider` that asks one service.

    Args:
        fetch: of the crawler.
        url: of the service; empty for its public one.
        contact: an e-mail address that the service is told; empty for none.
        retries: of a request that failed, from 0.
        sleep: waits for so many seconds.
    """

    name: str
    uses_query = True
    default_url: ClassVar[str]
    max_rows: ClassVar[int]
    """Rows asked for at once, at most."""
    contact_parameter: ClassVar[str]

    def __init__(
        self,
        fetch: Fetch,
        *,
        url: str = "",
        contact: str = "",
        retries: int = 3,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._url = url or self.default_url
        self._contact = contact
        self._service = PoliteFetch(fetch, self.name, retries=retries, sleep=sleep)

    async def search(self, query: str, limit: int) -> SearchOutcome:
        """See `SeedProvider.search`."""
        check_search(query, limit)
        words, rows = self._words(query), page_size(limit, self.max_rows)
        before = self._service.requests

        async def read_page(mark: str) -> RowPage:
            address = self._address(self._parameters(words, rows, mark))
            return self._read(await self._service.get_json(address), mark)

        works, problem = await page_through(read_page, "*", limit)
        requests = self._service.requests - before
        return outcome(works, self.name, query, limit, requests=requests, problem=problem)

    def _address(self, parameters: Mapping[str, str]) -> str:
        if self._contact:
            parameters = {**parameters, self.contact_parameter: self._contact}
        joint = "&" if "?" in self._url else "?"
        # Marks hold + / and =, which mean something else unless they are encoded.
        return self._url + joint + urlencode(parameters, quote_via=quote, safe="")

    @abstractmethod
    def _words(self, query: str) -> str:
        """A query as the service takes it; raises SeedError when nothing is left of it."""

    @abstractmethod
    def _parameters(self, words: str, rows: int, mark: str) -> dict[str, str]:
        """Of the request for the page of a mark."""

    @abstractmethod
    def _read(self, answer: dict[str, Any], mark: str) -> RowPage:
        """A page, and the mark of the next one; raises SeedError for another shape."""
