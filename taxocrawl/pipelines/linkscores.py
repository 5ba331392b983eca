"""Scores a page and its links, and turns the links to follow into frontier candidates."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self, cast

from taxocrawl.frontier import traps
from taxocrawl.frontier.base import Candidate
from taxocrawl.items import Kind, Page
from taxocrawl.score.base import in_unit_interval
from taxocrawl.score.linkmodel import learn, make_link_model
from taxocrawl.score.links import LinkWeights, score_links
from taxocrawl.score.recorded import RecordedModel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrapy.crawler import Crawler

    from taxocrawl.items import Document, Outlink
    from taxocrawl.score.base import Scorer
    from taxocrawl.score.linkmodel import LinkModel
    from taxocrawl.score.links import LinkScore
    from taxocrawl.spiders.focused import FocusedSpider

# A landing page with fewer words says too little to be judged; its own PDF is asked for instead.
_LANDING_PAGE_WORDS = 150


class LinkScorePipeline:
    """Fills `Page.page_score` and `Page.links`.

    Links of a page are followed when the page filter lets it through (KU fig. 3). A page's own PDF
    (`citation_pdf_url`) is also followed from a landing page with too little text to judge, and
    from a page that came where a PDF was promised: it is the same document, not another page's.
    """

    def __init__(
        self,
        crawler: Crawler,
        scorer: Scorer,
        page_text: Callable[[Document], str],
        weights: LinkWeights,
        least: float = 0.0,
        model: LinkModel | None = None,
    ) -> None:
        self.crawler = crawler
        self.scorer = scorer
        self.page_text = page_text
        self.weights = weights
        self.least = least
        self.model = model

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        spider: FocusedSpider = crawler.spider  # type: ignore[assignment]
        model = make_link_model(
            settings["LINKSCORE_MODEL"], settings.getdict("LINKSCORE_MODEL_PARAMS")
        )
        return cls(
            crawler,
            spider.scorer,
            spider.page_text,
            LinkWeights(
                settings.getfloat("LINKSCORE_PAGE_WEIGHT"), settings.getdict("LINKSCORE_PARTS")
            ),
            settings.getfloat("LINKSCORE_MIN"),
            RecordedModel(model, spider.folder.link_model) if model else None,
        )

    def process_item(self, item: Page) -> Page:
        """Score the page; score and keep its links where they are to be followed."""
        document = item.document
        if document is None or not document.text:
            return item
        item.page_score = self._page_score(item, document)
        if item.reason in _NEVER_FOLLOWED:
            return item
        if item.passed:
            item.links = self._candidates(item, document)
            return item
        if self.model is not None:
            self._learn(item, self.model)
        if self._offers_pdf(item, document) and self._is_landing_page(document):
            item.links = [self._own_pdf(item, document)]
        return item

    def _page_score(self, page: Page, document: Document) -> float:
        return in_unit_interval(self.scorer.score(self.page_text(document)))

    def _candidates(self, page: Page, document: Document) -> list[object]:
        links: list[object] = []
        if self._offers_pdf(page, document):
            links.append(self._own_pdf(page, document))
        if document.nofollow:
            self._scores(page, ())
            return links
        offered = [link for link in document.outlinks if not link.nofollow]
        refused = self._refusals(page, [link.url for link in offered])
        followed = [link for link in offered if link.url not in refused]
        scores = self._scores(page, followed)
        links += [
            Candidate(
                url=link.url,
                score=score.score,
                depth=page.depth + 1,
                referrer=page.final_url,
                evidence={**score.parts(), "anchor text": link.anchor[:200]},
            )
            for link, score in zip(followed, scores, strict=True)
            if score.score >= self.least
        ]
        page.refused["score below threshold"] += sum(s.score < self.least for s in scores)
        return links

    def _offers_pdf(self, page: Page, document: Document) -> bool:
        return bool(document.pdf_url) and not self._refusals(page, [document.pdf_url])

    def _scores(self, page: Page, links: Sequence[Outlink]) -> list[LinkScore]:
        scores = score_links(self.scorer, page.page_score, links, self.weights)
        if self.model is None:
            return scores
        learned = self._learn(page, self.model, links, scores)
        return [replace(score, score=new) for score, new in zip(scores, learned, strict=True)]

    def _learn(
        self,
        page: Page,
        model: LinkModel,
        links: Sequence[Outlink] = (),
        scores: Sequence[LinkScore] = (),
    ) -> list[float]:
        """Tell the link model of a page, and pass on its new scores for waiting links."""
        assert page.document is not None
        urls = (page.final_url, page.url, *page.aliases)
        learned, waiting = learn(model, page.document, page.page_score, urls, links, scores)
        if waiting:
            frontier = cast("FocusedSpider", self.crawler.spider).scheduler.frontier
            changed = frontier.rescore(Candidate(url, score) for url, score in waiting.items())
            self.crawler.stats.inc_value("links/rescored", changed)
        return learned

    def _own_pdf(self, page: Page, document: Document) -> Candidate:
        return Candidate(
            url=document.pdf_url,
            score=min(1.0, (1 + page.page_score) / 2),
            depth=page.depth + 1,
            referrer=page.final_url,
            source="full text",
            evidence={"page": page.page_score},
        )

    @staticmethod
    def _is_landing_page(document: Document) -> bool:
        return document.kind is Kind.HTML and (
            "pdf promised" in document.flags or len(document.text.split()) < _LANDING_PAGE_WORDS
        )

    def _refusals(self, page: Page, urls: Sequence[str]) -> dict[str, str]:
        """Why some of a page's links are not followed; counted for each time that one stands."""
        spider = cast("FocusedSpider", self.crawler.spider)
        reasons = {url: spider.refusal_of(url) or traps.refusal(url) for url in urls}
        open_to = [url for url, reason in reasons.items() if not reason]
        reasons |= spider.scheduler.frontier.trapped(open_to)
        page.refused.update(reasons[url] for url in urls if reasons[url])
        return {url: reason for url, reason in reasons.items() if reason}


_NEVER_FOLLOWED = frozenset({"challenge page", "login wall", "soft 404", "truncated"})
