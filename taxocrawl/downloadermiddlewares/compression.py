"""Undoes content codings, and says when the packed stream was cut short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware

from taxocrawl.documents.kind import gzip_is_cut

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response


class CompressionMiddleware(HttpCompressionMiddleware):
    """Scrapy's, which takes what can be unpacked of a cut gzip stream for the whole of it."""

    def process_response(
        self, request: Request, response: Response, spider: object = None
    ) -> Request | Response:
        """Unpack; a response whose gzip stream has no end gets the flag ``truncated``."""
        packed = response.body
        codings = b",".join(response.headers.getlist("Content-Encoding")).lower()
        unpacked = super().process_response(request, response)
        if b"gzip" not in codings or unpacked is response or not hasattr(unpacked, "flags"):
            return unpacked
        if gzip_is_cut(packed, len(unpacked.body)):
            return unpacked.replace(flags=[*unpacked.flags, "truncated"])
        return unpacked
