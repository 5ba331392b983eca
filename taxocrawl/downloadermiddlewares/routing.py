"""Document routing: decides by its bytes what a download is, and has its text extracted."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.http import HtmlResponse
from w3lib.html import get_meta_refresh

from taxocrawl.documents.html import extract_html, extract_text, robots_directives
from taxocrawl.documents.kind import Sniffed, sniff
from taxocrawl.documents.pages import is_challenge, is_login_wall, looks_truncated
from taxocrawl.documents.pdf_pool import PdfPool
from taxocrawl.items import Document, Kind
from taxocrawl.responses import DocumentResponse

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

# Above this size parsing HTML would hold the reactor noticeably long.
_THREAD_BYTES = 512 * 1024


class DocumentRoutingMiddleware:
    """Turns each successful download into a `DocumentResponse`.

    Redirects, errors and the answers of search providers pass untouched.
    """

    def __init__(self, crawler: Crawler, pool: PdfPool) -> None:
        self.crawler = crawler
        self.pool = pool
        crawler.signals.connect(self.close, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        pool = PdfPool(
            workers=settings.getint("PDF_WORKERS"),
            timeout_seconds=settings.getfloat("PDF_TIME_LIMIT"),
            memory_mb=settings.getint("PDF_MEMORY_LIMIT"),
            max_pages=settings.getint("PDF_MAX_PAGES"),
            engine=settings["PDF_ENGINE"],
        )
        return cls(crawler, pool)

    async def close(self) -> None:
        """End the PDF workers with the spider."""
        await self.pool.close()

    async def process_response(self, request: Request, response: Response) -> Response:
        """Extract the document of a download with status 200."""
        if response.status != 200 or request.meta.get("search"):
            return response
        sniffed = sniff(
            response.body,
            [value.decode("latin-1") for value in response.headers.getlist("Content-Type")],
            response.url,
            (response.headers.get("Content-Disposition") or b"").decode("latin-1"),
        )
        document = await self.extract(sniffed, response)
        if self._moves_on(document, response):
            return response
        self._count(sniffed, document)
        return DocumentResponse(
            response.url,
            status=response.status,
            headers=response.headers,
            body=sniffed.body,
            flags=response.flags,
            request=request,
            certificate=response.certificate,
            ip_address=response.ip_address,
            protocol=response.protocol,
            document=document,
        )
