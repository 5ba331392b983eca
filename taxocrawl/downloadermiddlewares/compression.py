"""Undoes content codings, and says when the packed stream was cut short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest

from taxocrawl.documents.kind import gzip_is_cut

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response


class UndecodableError(Exception):
    """Raised for a body in another content coding than its header says, or a damaged one."""


class CompressionMiddleware(HttpCompressionMiddleware):
    """Scrapy's, which takes what can be unpacked of a cut gzip stream for the whole of it."""

    def process_response(
        self, request: Request, response: Response, spider: object = None
    ) -> Request | Response:
        """Unpack; a response whose gzip stream has no end gets the flag ``truncated``.

        Raises UndecodableError for a body that is not packed as its Content-Encoding says.
        """
        packed = response.body
        codings = b",".join(response.headers.getlist("Content-Encoding")).lower()
        try:
            unpacked = super().process_response(request, response)
        except IgnoreRequest:  # more than DOWNLOAD_MAXSIZE
            raise
        except Exception as error:  # each coding's library has errors of its own
            text = f"{response.url}: no {codings.decode('latin-1')} ({error})"
            raise UndecodableError(text) from error
        if b"gzip" not in codings or unpacked is response or not hasattr(unpacked, "flags"):
            return unpacked
        if gzip_is_cut(packed, len(unpacked.body)):
            return unpacked.replace(flags=[*unpacked.flags, "truncated"])
        return unpacked
