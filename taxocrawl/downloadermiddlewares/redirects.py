"""Redirects of an answer's status; one that leads nowhere is an answer like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.redirect import RedirectMiddleware as ScrapyRedirectMiddleware

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response


class RedirectMiddleware(ScrapyRedirectMiddleware):
    """Scrapy's, which fails at an address that no URL parser takes."""

    def process_response(
        self, request: Request, response: Response, spider: object = None
    ) -> Request | Response:
        """The request that a redirect asks for, or the response when its address is malformed."""
        try:
            return super().process_response(request, response)
        except ValueError:
            return response
