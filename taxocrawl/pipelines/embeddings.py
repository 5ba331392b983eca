"""Has a page's and its links' texts encoded in a thread before they are scored."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Self

from scrapy.exceptions import NotConfigured

from taxocrawl.score.links import link_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrapy.crawler import Crawler

    from taxocrawl.items import Document, Page
    from taxocrawl.spiders.focused import FocusedSpider


class EmbeddingPipeline:
    """Calls the scorer's `prepare`, where it has one, off the reactor; else it is not there.

    The model runs outside Python's lock. One thread: pages go on in the order in which they came.
    """

    def __init__(
        self,
        prepare: Callable[[Sequence[str]], None],
        page_text: Callable[[Document], str],
        *,
        links: bool = True,
    ) -> None:
        self._prepare, self._page_text, self._links = prepare, page_text, links
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="embeddings")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured, without a message, for scorers that take no preparation."""
        spider: FocusedSpider = crawler.spider  # type: ignore[assignment]
        prepare = getattr(spider.scorer, "prepare", None)
        if prepare is None:
            raise NotConfigured
        links = crawler.settings.getfloat("LINKSCORE_PAGE_WEIGHT") < 1
        return cls(prepare, spider.page_text, links=links)

    async def process_item(self, item: Page) -> Page:
        """Encode in one go what the next pipeline will score."""
        document = item.document
        if document is None or not document.text:
            return item
        texts = [self._page_text(document)]
        if item.passed and self._links and not document.nofollow:
            texts += link_texts(document.outlinks)
        await asyncio.get_running_loop().run_in_executor(self._thread, self._prepare, texts)
        return item

    def close_spider(self) -> None:
        """End the thread."""
        self._thread.shutdown()
