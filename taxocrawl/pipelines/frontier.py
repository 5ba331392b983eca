"""Commits a page: URL state, links, statistics and export in one transaction of the frontier."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self, cast

from taxocrawl.frontier.base import Candidate, Outcome, State

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from taxocrawl.items import Page
    from taxocrawl.scheduler import FrontierScheduler
    from taxocrawl.spiders.focused import FocusedSpider


class FrontierPipeline:
    """The last word on a page: after it the page is done, before it the page is in flight."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_item(self, item: Page) -> Page:
        """Settle the page's URL, then add its lines to the run's files."""
        scheduler = cast("FrontierScheduler", self.crawler.engine.scheduler)
        spider = cast("FocusedSpider", self.crawler.spider)
        fetch = fetch_record(item)
        settled = scheduler.settle(
            Outcome(
                entry_id=item.entry_id,
                state=State(item.state),
                reason=item.reason,
                fetch=fetch,
                links=cast("list[Candidate]", item.links),
                document=item.record,
                aliases=item.aliases,
            )
        )
        if item.record is not None and not settled.exported:
            fetch["reason"] = item.reason = "duplicate"
        item.fetch = fetch
        spider.folder.append_fetch(fetch)
        if settled.exported and item.record is not None:
            spider.folder.append_document(item.record)
        self._count(item, settled.exported, settled.new_links)
        return item

    def _count(self, item: Page, exported: bool, new_links: int) -> None:
        stats = self.crawler.stats
        stats.inc_value("pages/count")
        stats.inc_value("frontier/pushed", new_links)
        if exported:
            stats.inc_value("export/documents")
        elif item.record is not None:
            stats.inc_value("export/duplicates")
        if item.reason:
            stats.inc_value(f"pages/reason/{item.reason}")


def fetch_record(page: Page) -> dict[str, Any]:
    """The page's line of fetches.csv."""
    decision = page.decision
    return {
        "time": datetime.fromtimestamp(page.fetched_at, UTC).isoformat(timespec="milliseconds"),
        "url": page.url,
        "final_url": page.final_url,
        "status": page.status or None,
        "kind": page.document.kind.value if page.document else None,
        "category": decision.category.value if decision else None,
        "confidence": round(decision.confidence, 4) if decision else None,
        "score": round(page.score, 6),
        "iteration": page.iteration,
        "depth": page.depth,
        "referrer": page.referrer,
        "reason": page.reason,
    }
