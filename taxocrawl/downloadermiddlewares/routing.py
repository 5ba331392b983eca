"""Document routing: decides by its bytes what a download is, and has its text extracted."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.http import TextResponse
from scrapy.utils.response import get_meta_refresh
from w3lib.encoding import http_content_type_encoding

from taxocrawl.documents.directives import apply_directives, robots_directives
from taxocrawl.documents.html import extract_html, extract_text
from taxocrawl.documents.kind import Sniffed, sniff
from taxocrawl.documents.pages import is_challenge, is_login_wall, looks_truncated
from taxocrawl.documents.pdf_pool import PdfPool
from taxocrawl.downloadermiddlewares.probes import SoftNotFoundProbes
from taxocrawl.exceptions import ExtractionError
from taxocrawl.frontier.urls import unfetchable
from taxocrawl.items import Document, Kind
from taxocrawl.responses import DocumentResponse

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

# Above this size parsing HTML would hold the reactor noticeably long.
_THREAD_BYTES = 256 * 1024
# A page this short, or one that a redirect brought to a site's home, may be an error page.
_SHORT_PAGE_WORDS = 200
# A page that goes on by itself within this time is a station of a redirect, not a document.
_REFRESH_SECONDS = 5.0


class DocumentRoutingMiddleware:
    """Turns each download with status 200 into a `DocumentResponse`.

    Redirects (a quick meta refresh included), errors, robots.txt and the answers of search
    providers pass untouched. PDFs are read by worker processes, large HTML in a thread. A host is
    asked for one address that cannot exist when its first short page comes, so that error pages
    with status 200 are known for what they are.
    """

    def __init__(self, crawler: Crawler, pool: PdfPool) -> None:
        self.crawler = crawler
        self.pool = pool
        self.obey_nofollow = crawler.settings.getbool("ROBOTS_META_OBEY")
        self.probes = SoftNotFoundProbes(crawler)
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
        """Extract the document of a download."""
        if response.status != 200 or request.meta.get("search") or request.meta.get("robots"):
            return response
        try:
            sniffed = sniff(
                response.body,
                [value.decode("latin-1") for value in response.headers.getlist("Content-Type")],
                response.url,
                (response.headers.get("Content-Disposition") or b"").decode("latin-1"),
            )
        except ExtractionError as error:
            sniffed = Sniffed(Kind.OTHER, None, False, response.body)
            document = Document(kind=Kind.OTHER, reason=error.reason)
        else:
            document = await self._extract(sniffed, response)
            if document.kind is Kind.HTML:
                if not document.reason and is_challenge(document, sniffed.body):
                    document = replace(document, reason="challenge page")
                elif _refreshes(response):
                    return response
                else:
                    document = await self._judge_page(request, response, sniffed, document)
        self._count(sniffed, document)
        return _document_response(request, response, sniffed, document)

    async def _extract(self, sniffed: Sniffed, response: Response) -> Document:
        """The document of a download; what is wrong with it is its reason, never an exception."""
        body, url, charset = sniffed.body, response.url, _charset(response)
        flags = (*response.flags, *sniffed.flags)
        cut = looks_truncated(body, sniffed.kind, flags=flags)
        try:
            if sniffed.kind is Kind.PDF:
                document = await self.pool.extract(body, url)
            elif sniffed.kind is Kind.HTML:
                if len(body) > _THREAD_BYTES:
                    document = await asyncio.to_thread(extract_html, body, url, charset)
                else:
                    document = extract_html(body, url, charset)
            elif sniffed.kind is Kind.TEXT:
                document = extract_text(body, url, charset)
            else:
                document = Document(kind=Kind.OTHER, reason="other kind")
        except ExtractionError as error:
            document = Document(kind=sniffed.kind, reason=error.reason)
        if cut and sniffed.kind is not Kind.OTHER:
            document = replace(
                document,
                reason="truncated",
                flags=tuple(dict.fromkeys((*document.flags, "truncated"))),
            )
        forbidden = robots_directives(
            value.decode("latin-1") for value in response.headers.getlist("X-Robots-Tag")
        )
        return apply_directives(document, forbidden, obey_nofollow=self.obey_nofollow)

    async def _judge_page(
        self, request: Request, response: Response, sniffed: Sniffed, document: Document
    ) -> Document:
        """The page with its reason when it is a login wall or an error page."""
        if document.reason:
            return document
        if sniffed.declared is Kind.PDF or response.url.lower().endswith(".pdf"):
            document = replace(document, flags=(*document.flags, "pdf promised"))
        if is_login_wall(document, sniffed.body, response.url):
            return replace(document, reason="login wall")
        asked = (request.meta.get("redirect_urls") or [response.url])[0]
        if not request.meta.get("probe") and _may_be_error_page(document, asked, response.url):
            await self.probes.learn(asked)
            if self.probes.not_found.is_soft_404(asked, response.url, document, sniffed.body):
                return replace(document, reason="soft 404")
        return document

    def _count(self, sniffed: Sniffed, document: Document) -> None:
        stats = self.crawler.stats
        stats.inc_value(f"documents/kind/{sniffed.kind}")
        if sniffed.label_differs:
            stats.inc_value("documents/label differs")
        for reason, number in document.dropped_links.items():
            stats.inc_value(f"links/dropped/{reason}", number)


def _charset(response: Response) -> str | None:
    header = response.headers.get("Content-Type")
    return http_content_type_encoding(header.decode("latin-1")) if header else None


def _refreshes(response: Response) -> bool:
    """Whether an HTML page is a redirect by a quick meta refresh to another address."""
    if not isinstance(response, TextResponse) or b"refresh" not in response.body[:4096].lower():
        return False
    try:
        seconds, target = get_meta_refresh(response)
    except ValueError:  # of an address, or a base, that no URL parser takes
        return False
    return (
        seconds is not None
        and seconds <= _REFRESH_SECONDS
        and target != response.url
        and not unfetchable(str(target))
    )


def _may_be_error_page(document: Document, asked: str, final_url: str) -> bool:
    if document.doi or document.authors:
        return False
    short = len(document.text.split(maxsplit=_SHORT_PAGE_WORDS)) <= _SHORT_PAGE_WORDS
    return short or asked != final_url


def _document_response(
    request: Request, response: Response, sniffed: Sniffed, document: Document
) -> DocumentResponse:
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
