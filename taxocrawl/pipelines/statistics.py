"""Figures of each iteration, and the run's closing files."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Self, cast

from taxocrawl import signals
from taxocrawl.diversify.weighing import WEIGHTS
from taxocrawl.evaluate.aspects import AspectTally, aspect_fields, aspect_rows
from taxocrawl.evaluate.crawl import CrawlTally
from taxocrawl.evaluate.iterations import ITERATION_FIELDS, iteration_rows, iteration_table
from taxocrawl.evaluate.truth import read_truth
from taxocrawl.exceptions import StorageError
from taxocrawl.pipelines.closing import write_closing_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scrapy.crawler import Crawler

    from taxocrawl.evaluate.truth import Truth
    from taxocrawl.items import Page
    from taxocrawl.scheduler import FrontierScheduler
    from taxocrawl.spiders.focused import FocusedSpider

logger = logging.getLogger(__name__)


class StatisticsPipeline:
    """Counts committed pages; logs the table at the end of each iteration; closes the run.

    The run is closed here because pipelines close before the scheduler closes the frontier.
    """

    def __init__(self, crawler: Crawler, truth: Truth | None) -> None:
        self.crawler = crawler
        self.truth = truth
        self.tally, self.aspects = self._tallies()
        crawler.signals.connect(self.iteration_finished, signal=signals.iteration_finished)
        crawler.signals.connect(self.settled_without_page, signal=signals.settled_without_page)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        plan = cast("FocusedSpider", crawler.spider).plan
        return cls(crawler, read_truth(plan.truth) if plan.truth else None)

    @property
    def spider(self) -> FocusedSpider:
        return cast("FocusedSpider", self.crawler.spider)

    def open_spider(self) -> None:
        """Count what an interrupted run had done, and make its line files whole again."""
        if not self.spider.plan.resume:
            return
        frontier = cast("FrontierScheduler", self.crawler.engine.scheduler).frontier
        for record in frontier.fetches():
            self._add(record)
        self.spider.folder.rebuild(frontier.fetches(), frontier.documents())

    def process_item(self, item: Page) -> Page:
        if item.fetch is not None:
            self._add(item.fetch)
        return item

    def settled_without_page(self, fetch: dict[str, Any]) -> None:
        """Count a download that the scheduler settled itself."""
        self._add(fetch)
        try:
            self.spider.folder.append_fetch(fetch)
        except StorageError as error:
            self.spider.scheduler.give_up(error)

    def iteration_finished(self, iteration: int) -> None:
        """Log the table and write iterations.csv."""
        self._count_all()
        figures = self.tally.figures()
        logger.info("iteration %d ended\n%s", iteration, iteration_table(figures))
        try:
            self._write(iteration_rows(figures))
        except StorageError as error:
            self.spider.scheduler.give_up(error)

    def close_spider(self) -> None:
        """Write the files that look back on the whole run, as far as they can be written."""
        try:
            self._close()
        except StorageError as error:
            self.spider.storage_failed(error)

    def _close(self) -> None:
        scheduler = self.spider.scheduler
        if not scheduler.closes_run():
            return
        self._count_all()
        rows = iteration_rows(self.tally.figures())
        write_closing_files(self.spider, self.truth, rows, self._write(rows))
        scheduler.run_closed()

    def _count_all(self) -> None:
        """In a crawl of several processes, count what all of them have written down."""
        scheduler = self.spider.scheduler
        if scheduler.shared:
            self.tally, self.aspects = self._tallies()
            for record in scheduler.frontier.fetches():
                self._add(record)

    def _tallies(self) -> tuple[CrawlTally, AspectTally]:
        least = self.crawler.settings.getfloat("ASPECT_RELEVANT_ABOVE")
        return CrawlTally(self.truth), AspectTally(self.spider.aspect_names, least)

    def _add(self, record: Mapping[str, Any]) -> None:
        self.tally.add(record)
        self.aspects.add(record)

    def _write(self, iterations: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
        """Write iterations.csv and, of a topic with aspects, aspects.csv; return its rows."""
        folder, names = self.spider.folder, self.aspects.names
        folder.write_iterations(ITERATION_FIELDS, iterations)
        if not names:
            return []
        weights = self.spider.scheduler.frontier.get_meta(WEIGHTS, ())
        rows = aspect_rows(names, self.aspects.figures, weights)
        folder.write_aspects(aspect_fields(names), rows)
        return rows
