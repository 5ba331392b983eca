"""Cookies, without asking a third party for the list of public suffixes."""

from __future__ import annotations

from typing import Any

from scrapy.downloadermiddlewares import cookies
from tldextract import TLDExtract


class OfflineCookiesMiddleware(cookies.CookiesMiddleware):
    """Scrapy's, with the public-suffix list that ships with tldextract.

    Scrapy's own fetches the list from the network at the first cookie, synchronously: it stalls
    the reactor, and behind a proxy it fails with a traceback.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cookies._split_domain = TLDExtract(include_psl_private_domains=True, suffix_list_urls=())
