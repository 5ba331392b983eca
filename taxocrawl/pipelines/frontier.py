"""Commits a page: URL state, links, statistics and export in one transaction of the frontier."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self, cast

from scrapy.exceptions import DropItem

from taxocrawl.documents.duplicates import template_hash
from taxocrawl.exceptions import StorageError
from taxocrawl.frontier.base import Candidate, Outcome, State
from taxocrawl.frontier.revisit import Verdict, Visit, text_hash
from taxocrawl.frontier.traps import REASONS
from taxocrawl.items import NOT_MODIFIED
from taxocrawl.runs.folder import content_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler

    from taxocrawl.frontier.base import Settled
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
        try:
            return self._commit(item)
        except StorageError as error:
            cast("FrontierScheduler", self.crawler.engine.scheduler).give_up(error)
            raise DropItem(str(error)) from error

    def _commit(self, item: Page) -> Page:
        scheduler = cast("FrontierScheduler", self.crawler.engine.scheduler)
        spider = cast("FocusedSpider", self.crawler.spider)
        # What was refused at the last moment is counted with the links, not with the downloads.
        refused_late = item.reason in REASONS
        fetch = {} if refused_late else fetch_record(item)
        refused = Counter({item.reason: 1}) if refused_late else item.refused
        if item.record is not None:
            item.record |= _version(scheduler.frontier.versions(item.entry_id))
        settled = scheduler.settle(
            Outcome(
                entry_id=item.entry_id,
                state=State.DONE if refused_late else State(item.state),
                reason=item.reason,
                fetch=fetch,
                links=cast("list[Candidate]", item.links),
                document=item.record,
                fingerprint=item.fingerprint,
                template_hash=template_hash(item.document.text) if item.document else "",
                refused=refused + Counter(item.document.dropped_links if item.document else {}),
                aliases=item.aliases,
                visit=visit_of(item),
                totals=item.totals,
            )
        )
        for reason, number in refused.items():
            self.crawler.stats.inc_value(f"links/dropped/{reason}", number)
        if refused_late:
            return item
        fetch["reason"] = item.reason = settled.reason
        self._count(item, settled)
        item.fetch = fetch
        spider.folder.append_fetch(fetch)
        if item.record is not None:
            self._keep_files(item.record, settled)
        return item

    def _keep_files(self, record: dict[str, Any], settled: Settled) -> None:
        """Add the document's line; remove files that no exported document has."""
        spider = cast("FocusedSpider", self.crawler.spider)
        dropped_records = list(settled.superseded)
        if settled.exported:
            spider.folder.append_document(record)
        else:
            dropped_records.append(record)
        for dropped in dropped_records:
            if spider.scheduler.frontier.exported_as(str(dropped["content_hash"])) is None:
                spider.folder.discard(dropped)

    def _count(self, item: Page, settled: Settled) -> None:
        stats = self.crawler.stats
        stats.inc_value("frontier/pushed", settled.new_links)
        stats.inc_value("pages/count")
        stats.inc_value("export/documents", settled.exported - len(settled.superseded))
        if settled.duplicate_of or settled.superseded:
            stats.inc_value("export/duplicates")
        if settled.verdict not in (None, Verdict.FIRST):
            stats.inc_value(f"revisits/{settled.verdict}")
        if item.reason:
            stats.inc_value(f"pages/reason/{item.reason}")


def visit_of(page: Page) -> Visit | None:
    """What a second visit is compared with; None for a page that could not be had or read."""
    document, hashed = page.document, ""
    if document is not None and not document.reason:
        hashed = text_hash(document.text) or content_hash(page.body)
    elif page.reason != NOT_MODIFIED:
        return None
    return Visit(page.fetched_at, hashed, page.etag, page.last_modified)


def _version(earlier: Sequence[str]) -> dict[str, object]:
    """Which version of its page a document is, and the content hash of the one before."""
    return {"version": len(earlier) + 1, "previous": earlier[-1] if earlier else ""}


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
        # No column of fetches.csv: aspects.csv sums it up.
        **({"aspects": dict(page.aspect_scores)} if page.aspect_scores else {}),
    }
