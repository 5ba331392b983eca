"""Refuses requests to addresses that are not public, with a reason of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, cast

from scrapy.exceptions import NotConfigured
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.error import DNSLookupError

from taxocrawl.downloadermiddlewares.refusals import Refused
from taxocrawl.downloadermiddlewares.resolver import PrivateAddressError
from taxocrawl.frontier.reachable import is_private_host
from taxocrawl.frontier.urls import host_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from twisted.internet.interfaces import IReactorPluggableResolver

REASON = "private address"


class PrivateHostMiddleware:
    """Asks `PublicResolver` before a request goes out; a redirect is a request as well."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if crawler.settings.getbool("PRIVATE_HOSTS_ALLOWED"):
            # Without a text: Scrapy would warn of it in every crawl.
            raise NotConfigured
        return cls()

    async def process_request(self, request: Request) -> None:
        """Raise Refused for a host that is not public; an unknown one is the downloader's."""
        from twisted.internet import reactor

        host = host_of(request.url)
        if is_private_host(host):
            raise Refused(REASON)
        resolver = cast("IReactorPluggableResolver", reactor)
        try:
            await maybe_deferred_to_future(resolver.resolve(host))
        except PrivateAddressError:
            raise Refused(REASON) from None
        except (DNSLookupError, OSError):
            return
