"""Scores pages and links by a topic and its aspects, whose weights move by iteration (METU 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, cast

import numpy as np

from taxocrawl import signals
from taxocrawl.diversify.aspects import PARTS_DIGITS, gathered
from taxocrawl.exceptions import StorageError
from taxocrawl.frontier.base import Candidate, State
from taxocrawl.pipelines.linkscores import LinkScorePipeline
from taxocrawl.score.links import LinkScore, link_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from scrapy.crawler import Crawler

    from taxocrawl.diversify.aspects import AspectScorer
    from taxocrawl.frontier.base import Entry, Frontier
    from taxocrawl.items import Document, Outlink, Page
    from taxocrawl.spiders.diversified import DiversifiedSpider

TOTALS = "aspects"
"""Name of the running totals of the gathered pages' aspect scores."""
TOTALS_UNIT = 1e9
"""Totals are kept as whole billionths: they add up to the same in any order and on any store."""
WEIGHTS = "aspect weights"
"""Meta value: the weights of each iteration, from iteration 0."""
_RESCORED_AT_ONCE = 1000
_BY_ASPECT = "by_aspect"


@dataclass(frozen=True, slots=True)
class AspectLinkScore(LinkScore):
    """A link's score with what is needed to score it again under other weights."""

    by_aspect: tuple[float, ...]
    """Eq. 4.5 with each single score in the place of S: the topic's, then each aspect's."""


class AspectScorePipeline(LinkScorePipeline):
    """Fills besides `Page.aspect_scores` and `Page.totals`.

    S of eq. 4.6 stands in the place of the page's and the link parts' scores in eq. 4.5. When an
    iteration has ended, weights follow from the totals of all gathered pages, are kept with the
    frontier, and every waiting link is scored again. A run that was interrupted meanwhile does so
    once more, from the same totals. With aspects=off it scores as its base class does.
    """

    aspects: AspectScorer | None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        pipeline = super().from_crawler(crawler)
        pipeline.aspects = pipeline._spider.aspect_scorer
        if pipeline.aspects is not None:
            crawler.signals.connect(pipeline.iteration_finished, signal=signals.iteration_finished)
        return pipeline

    def process_item(self, item: Page) -> Page:
        """Score the page and its links, under the weights of its iteration."""
        if self.aspects is not None:
            self.aspects.weights = self._weights(item.iteration)
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
        of_texts = self.aspects.parts(link_texts(links)).reshape(-1, len(links), 3)
        mixed = self._mixed(np.array(page.parts), of_texts)
        scores = self.aspects.combined(mixed)
        shown = self.aspects.combined(of_texts.reshape(len(of_texts), -1)).reshape(-1, 3)
        rows = zip(scores.tolist(), shown.tolist(), mixed.T.tolist(), strict=True)
        return [
            AspectLinkScore(score, page.page_score, url, anchor, context, tuple(kept))
            for score, (url, anchor, context), kept in rows
        ]

    def _mixed(self, page: NDArray[np.float64], links: NDArray[np.float64]) -> NDArray[np.float64]:
        """Eq. 4.5 for the topic and each aspect, of shape (1 + aspects, links)."""
        of_parts = np.array([self.weights.url, self.weights.anchor, self.weights.context])
        share = self.weights.page
        mixed = share * page[:, None] + (1 - share) * (links * of_parts).sum(axis=2)
        return np.asarray(np.clip(np.round(mixed, PARTS_DIGITS), 0.0, 1.0))

    def iteration_finished(self, iteration: int) -> None:
        """Weigh the aspects for the next iteration and score the waiting links again."""
        scheduler = self._spider.scheduler
        try:
            self._reweigh(scheduler.frontier, iteration)
        except StorageError as error:
            scheduler.give_up(error)

    def _reweigh(self, frontier: Frontier, iteration: int) -> None:
        assert self.aspects is not None
        number = len(self.aspects.weights)
        totals = np.array(frontier.totals(TOTALS) or [0.0] * number) / TOTALS_UNIT
        weights = self._spider.weights(totals)
        history = frontier.get_meta(WEIGHTS) or [[1 / number] * number]
        frontier.set_meta(WEIGHTS, [*history[: iteration + 1], weights.tolist()])
        self.aspects.weights = weights
        waiting = (e for e in frontier.entries(State.KNOWN) if _BY_ASPECT in e.evidence)
        changed = sum(
            frontier.rescore(self._rescored(entries))
            for entries in _pieces(waiting, _RESCORED_AT_ONCE)
        )
        self.crawler.stats.inc_value("links/rescored", changed)

    def _rescored(self, entries: Sequence[Entry]) -> list[Candidate]:
        assert self.aspects is not None
        scores = self.aspects.combined(np.array([e.evidence[_BY_ASPECT] for e in entries]).T)
        return [
            Candidate(entry.url, score, evidence={**entry.evidence, "score": score})
            for entry, score in zip(entries, scores.tolist(), strict=True)
        ]

    def _weights(self, iteration: int) -> NDArray[np.float64]:
        assert self.aspects is not None
        history = self._spider.scheduler.frontier.get_meta(WEIGHTS) or ()
        if iteration < len(history):
            return np.array(history[iteration])
        return np.full(len(self.aspects.weights), 1 / len(self.aspects.weights))

    @property
    def _spider(self) -> DiversifiedSpider:
        return cast("DiversifiedSpider", self.crawler.spider)


def _pieces(entries: Iterable[Entry], size: int) -> Iterator[list[Entry]]:
    piece: list[Entry] = []
    for entry in entries:
        piece.append(entry)
        if len(piece) == size:
            yield piece
            piece = []
    if piece:
        yield piece
