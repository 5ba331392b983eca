"""Scrapy's feeds (``-O FILE``, FEEDS, scrapyd's items) of the exported documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.extensions.feedexport import FeedExporter

from taxocrawl.items import Page

if TYPE_CHECKING:
    from scrapy import Spider


class DocumentFeed(FeedExporter):
    """A feed holds the records that documents.jsonl holds, not pages, which have bytes in them.

    A feed is written as the crawl goes: a document stays in it that a better copy replaced later.
    """

    def item_scraped(self, item: Any, spider: Spider) -> None:
        """Export the record of an exported document; leave other pages out."""
        if not isinstance(item, Page):
            super().item_scraped(item, spider)
        elif item.record is not None and not item.reason:
            super().item_scraped(item.record, spider)
