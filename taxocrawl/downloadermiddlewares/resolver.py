"""Looks names up for the downloader, and keeps it away from addresses that are not public."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from scrapy.resolver import CachingThreadedResolver
from twisted.internet.error import DNSLookupError

from taxocrawl.frontier.reachable import is_public

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler
    from twisted.internet.base import ReactorBase
    from twisted.internet.defer import Deferred


class PrivateAddressError(DNSLookupError):
    """Raised for a name, or an address in any form, that leads to no public address."""


class PublicResolver(CachingThreadedResolver):
    """Scrapy's resolver; with PRIVATE_HOSTS_ALLOWED off, it answers with public addresses alone.

    The connection is made to the very address that is checked here, so that a name server gains
    nothing by answering differently the second time.
    """

    public_only = False

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: ReactorBase) -> Self:
        resolver = super().from_crawler(crawler, reactor)
        resolver.public_only = not crawler.settings.getbool("PRIVATE_HOSTS_ALLOWED")
        return resolver

    def getHostByName(  # noqa: N802 - Twisted's name
        self, name: str, timeout: Sequence[int] = ()
    ) -> Deferred[str]:
        """The address of a name; fails with PrivateAddressError for one that is not public."""
        found = super().getHostByName(name, timeout)
        return found.addCallback(self._checked, name) if self.public_only else found

    @staticmethod
    def _checked(address: str, name: str) -> str:
        if not is_public(address):
            raise PrivateAddressError(f"{name} is at {address}, which is not public")
        return address
