"""Keeps taxonomic documents: their bytes, their text and their line of documents.jsonl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, cast

from scrapy.exceptions import DropItem

from taxocrawl.documents.duplicates import fingerprint
from taxocrawl.documents.html import language_of
from taxocrawl.exceptions import StorageError
from taxocrawl.runs.folder import content_hash

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from taxocrawl.items import Page
    from taxocrawl.runs.folder import RunFolder
    from taxocrawl.scheduler import FrontierScheduler
    from taxocrawl.spiders.focused import FocusedSpider


class ExportPipeline:
    """Sets `Page.record` and `Page.fingerprint` for a taxonomic document and stores its files.

    Files are named by the hash of the bytes and written before the page is committed, so that a
    crash leaves at most a file without a line, never a line without its file.
    """

    def __init__(self, crawler: Crawler, folder: RunFolder) -> None:
        self.crawler = crawler
        self.folder = folder

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        spider: FocusedSpider = crawler.spider  # type: ignore[assignment]
        return cls(crawler, spider.folder)

    def process_item(self, item: Page) -> Page:
        """Store the document when the page has no reason against it and passed."""
        document, decision = item.document, item.decision
        if item.reason or document is None or not item.passed:
            return item
        digest = content_hash(item.body)
        try:
            path = self.folder.store(digest, document.kind, item.body, document.text)
        except StorageError as error:
            cast("FrontierScheduler", self.crawler.engine.scheduler).give_up(error)
            raise DropItem(str(error)) from error
        item.fingerprint = fingerprint(document, digest, (item.final_url, item.url))
        item.record = {
            "url": item.url,
            "final_url": item.final_url,
            "kind": document.kind.value,
            "title": document.title,
            "authors": list(document.authors),
            "year": document.year,
            "doi": document.doi,
            "language": document.language or language_of(document.text),
            "category": decision.category.value if decision else None,
            "confidence": round(decision.confidence, 4) if decision else None,
            "score": round(item.score, 6),
            "page_score": round(item.page_score, 6),
            "iteration": item.iteration,
            "depth": item.depth,
            "referrer": item.referrer,
            "content_hash": digest,
            "path": path,
            "flags": list(document.flags),
        }
        return item
