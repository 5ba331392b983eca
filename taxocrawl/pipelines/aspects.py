"""Scores pages and links by a topic and its aspects, whose weights move by iteration (METU 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, cast

from taxocrawl import signals
from taxocrawl.diversify.aspects import gathered
from taxocrawl.diversify.weighing import BY_ASPECT, TOTALS, TOTALS_UNIT, AspectWeighing
from taxocrawl.exceptions import StorageError
from taxocrawl.pipelines.linkscores import LinkScorePipeline
from taxocrawl.score.links import LinkScore, link_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler

    from taxocrawl.diversify.aspects import AspectScorer
    from taxocrawl.items import Document, Outlink, Page
    from taxocrawl.spiders.diversified import DiversifiedSpider


@dataclass(frozen=True, slots=True)
class AspectLinkScore(LinkScore):
    """A link's score with what is needed to score it again under other weights."""

    by_aspect: tuple[float, ...]
    """Eq. 4.5 with each single score in the place of S: the topic's, then each aspect's."""

    def parts(self) -> dict[str, Any]:
        return {**LinkScore.parts(self), BY_ASPECT: self.by_aspect}


class AspectScorePipeline(LinkScorePipeline):
    """Fills besides `Page.aspect_scores` and `Page.totals`.

    S of eq. 4.6 stands in the place of the page's and the link parts' scores in eq. 4.5. When an
    iteration has ended, weights follow from the totals of all gathered pages, are kept with the
    frontier, and every waiting link is scored again. A run that was interrupted meanwhile does so
    once more, from the same totals. With aspects=off it scores as its base class does.
    """

    aspects: AspectScorer | None
    weighing: AspectWeighing

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        pipeline = super().from_crawler(crawler)
        pipeline.aspects = pipeline._spider.aspect_scorer
        if pipeline.aspects is not None:
            pipeline.weighing = AspectWeighing(pipeline.aspects, pipeline._spider.weights)
            crawler.signals.connect(pipeline.iteration_finished, signal=signals.iteration_finished)
        return pipeline

    def process_item(self, item: Page) -> Page:
        """Score the page and its links, under the weights of its iteration."""
        if self.aspects is not None:
            self.weighing.begin(self._spider.scheduler.frontier, item.iteration)
        return super().process_item(item)

    def _page_score(self, page: Page, document: Document) -> float:
        page.aspect_scores = self._spider.judge.scores(self._spider.judged_text(document))
        if self.aspects is None:
            return super()._page_score(page, document)
        parts = self.aspects.parts([self.page_text(document)])
        page.parts = tuple(parts[:, 0].tolist())
        if page.passed:
            page.totals = {TOTALS: [round(n * TOTALS_UNIT) for n in self._gathered(page.parts[1:])]}
        return float(self.aspects.combined(parts)[0])

    def _gathered(self, scores: Sequence[float]) -> list[float]:
        settings = self.crawler.settings
        return gathered(
            scores,
            settings["DIVERSIFY_TOTALS"],
            power=settings.getfloat("DIVERSIFY_TOTALS_POWER"),
            above=settings.getfloat("DIVERSIFY_TOTALS_ABOVE"),
        )

    def _scores(self, page: Page, links: Sequence[Outlink]) -> list[LinkScore]:
        if self.aspects is None:
            return super()._scores(page, links)
        if not links:
            return []
        shares = (self.weights.url, self.weights.anchor, self.weights.context)
        mixed, shown = self.aspects.of_links(
            page.parts, link_texts(links), self.weights.page, shares
        )
        scores = self.aspects.combined(mixed)
        rows = zip(scores.tolist(), shown.tolist(), mixed.T.tolist(), strict=True)
        return [
            AspectLinkScore(score, page.page_score, url, anchor, context, tuple(kept))
            for score, (url, anchor, context), kept in rows
        ]

    def iteration_finished(self, iteration: int) -> None:
        """Weigh the aspects for the next iteration and score the waiting links again."""
        scheduler = self._spider.scheduler
        try:
            changed = self.weighing.reweigh(scheduler.frontier, iteration)
        except StorageError as error:
            scheduler.give_up(error)
            return
        self.crawler.stats.inc_value("links/rescored", changed)

    @property
    def _spider(self) -> DiversifiedSpider:
        return cast("DiversifiedSpider", self.crawler.spider)
