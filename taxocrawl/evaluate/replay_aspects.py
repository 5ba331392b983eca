"""Replays crawls of the diversification-aware crawler (METU 4.3), as `replay` does others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taxocrawl.diversify.weighing import BY_ASPECT, TOTALS, TOTALS_UNIT
from taxocrawl.evaluate.replay import Judgement, Strategy, followed
from taxocrawl.frontier.base import Candidate
from taxocrawl.score.links import link_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from taxocrawl.diversify.aspects import AspectScorer
    from taxocrawl.diversify.weighing import AspectWeighing
    from taxocrawl.frontier.base import Entry, Frontier
    from taxocrawl.frontier.policy import SelectionPolicy
    from taxocrawl.items import Document
    from taxocrawl.score.aspects import AspectCosines
    from taxocrawl.score.links import LinkWeights


@dataclass(frozen=True, slots=True)
class Judge:
    """Measures each page's cosine to the aspects, whatever the crawl goes by."""

    cosines: AspectCosines
    page_text: Callable[[Document], str]

    def fetch(self, page: Document) -> dict[str, object]:
        """What it adds to a page's fetch record."""
        return {"aspects": self.cosines.scores(self.page_text(page))}


@dataclass(frozen=True, slots=True)
class MeasuredStrategy:
    """The crawler without diversification: aspects are measured and do not count."""

    plain: Strategy
    measure: Judge

    @property
    def policy(self) -> SelectionPolicy:
        return self.plain.policy

    def judge(self, frontier: Frontier, entry: Entry, page: Document) -> Judgement:
        return Judgement(self.plain.judge(frontier, entry, page).links, self.measure.fetch(page))

    def iteration_finished(self, frontier: Frontier, iteration: int) -> None:
        """Nothing of it moves by iteration."""


@dataclass(frozen=True, slots=True)
class DiversifiedStrategy:
    """Scores pages and links as `taxocrawl.pipelines.aspects` does."""

    aspects: AspectScorer
    weighing: AspectWeighing
    gather: Callable[[Sequence[float]], list[float]]
    """What a page's scores to the aspects add to their totals."""
    page_text: Callable[[Document], str]
    weights: LinkWeights
    policy: SelectionPolicy
    measure: Judge

    def judge(self, frontier: Frontier, entry: Entry, page: Document) -> Judgement:
        self.weighing.begin(frontier, entry.iteration or 0)
        parts = self.aspects.parts([self.page_text(page)])[:, 0]
        links = followed(frontier, page)
        candidates = []
        if links:
            shares = (self.weights.url, self.weights.anchor, self.weights.context)
            mixed, _ = self.aspects.of_links(parts, link_texts(links), self.weights.page, shares)
            rows = zip(links, self.aspects.combined(mixed).tolist(), mixed.T.tolist(), strict=True)
            candidates = [
                Candidate(link.url, score, entry.depth + 1, entry.url, evidence={BY_ASPECT: kept})
                for link, score, kept in rows
            ]
        gathered = [round(n * TOTALS_UNIT) for n in self.gather(parts[1:].tolist())]
        return Judgement(candidates, self.measure.fetch(page), {TOTALS: gathered})

    def iteration_finished(self, frontier: Frontier, iteration: int) -> None:
        self.weighing.reweigh(frontier, iteration)
