"""Replayed crawls for `scrapy experiment diversified --replay`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from taxocrawl.commands._linkweb_replay import fetched, link_weights_of, settings_of
from taxocrawl.diversify.aspects import AspectScorer, gathered
from taxocrawl.diversify.weighing import AspectWeighing
from taxocrawl.diversify.weights import make_weights
from taxocrawl.evaluate.replay import PageStore, RememberedScorer, Strategy, replay
from taxocrawl.evaluate.replay_aspects import DiversifiedStrategy, Judge, MeasuredStrategy
from taxocrawl.frontier.selection import make_policy
from taxocrawl.score.aspects import AspectCosines
from taxocrawl.score.choice import page_reader
from taxocrawl.spiders.diversified import JUDGED_BY, texts_of_aspects
from taxocrawl.spiders.topics import scoring_of, topic_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from scrapy.settings import BaseSettings

    from taxocrawl.evaluate.replay import Guide
    from taxocrawl.items import Document
    from taxocrawl.score.base import Scorer
    from taxocrawl.score.choice import TopicTexts


class DiversifiedReplays:
    """Crawls a stored web in memory, sharing pages and scores between the crawls of one topic.

    Args:
        path: file of the web's pages; those it lacks are fetched.
        settings: what the crawlers do not say.
        batch: URLs of an iteration.
    """

    def __init__(self, path: Path, settings: BaseSettings, batch: int) -> None:
        self._store, self._settings, self._batch = PageStore(path, fetched), settings, batch
        self._topic: tuple[Path, str] | None = None
        self._made: dict[str, tuple[list[Scorer], Callable[[Document], str]]] = {}

    def fetches(
        self, way: Mapping[str, str], folder: Path, query: str, seeds: Sequence[str], pages: int
    ) -> list[dict[str, Any]]:
        """The fetch records of one crawl, each with the page's cosines to the aspects.

        Args:
            way: spider arguments and settings of the crawler.
            folder: of the topic.
            query: of the topic.
            seeds: URLs to begin with.
            pages: downloads after which the crawl ends.
        """
        settings = settings_of(way, self._settings)
        topic = topic_of((folder,), query, settings)
        if self._topic != (folder, query):
            self._topic, self._made = (folder, query), {}
        guide = self._guide(settings, folder, topic, counts=way.get("aspects") != "off")
        return replay(self._store, seeds, guide, pages)

    def _guide(
        self, settings: BaseSettings, folder: Path, topic: TopicTexts, *, counts: bool
    ) -> Guide:
        texts = texts_of_aspects(folder, topic)
        measure = Judge(AspectCosines(topic, list(texts.items())), page_reader(JUDGED_BY))
        (scorer, *of_aspects), page_text = self._scorers(settings, [topic, *texts.values()])
        weights, policy = (
            link_weights_of(settings),
            make_policy("recent-half", {"size": self._batch}),
        )
        if not counts:
            return MeasuredStrategy(Strategy(scorer, page_text, weights, policy), measure)
        aspects = AspectScorer(
            scorer,
            of_aspects,
            settings.getfloat("DIVERSIFY_LAMBDA"),
            settings.getfloat("DIVERSIFY_SPECIFICITY"),
        )
        weigh = make_weights(
            settings["DIVERSIFY_WEIGHTS"], settings.getdict("DIVERSIFY_WEIGHTS_PARAMS")
        )
        gather = partial(
            gathered,
            by=settings["DIVERSIFY_TOTALS"],
            power=settings.getfloat("DIVERSIFY_TOTALS_POWER"),
            above=settings.getfloat("DIVERSIFY_TOTALS_ABOVE"),
        )
        weighing = AspectWeighing(aspects, weigh)
        return DiversifiedStrategy(aspects, weighing, gather, page_text, weights, policy, measure)

    def _scorers(
        self, settings: BaseSettings, texts: Sequence[TopicTexts]
    ) -> tuple[list[Scorer], Callable[[Document], str]]:
        """Scorers of the topic and of each aspect, and what they read of a page."""
        key = f"{settings['SCORER_CLASS']} {settings['SCORER_PARAMS']}"
        if key not in self._made:
            made = [scoring_of(text, settings) for text in texts]
            self._made[key] = [RememberedScorer(scorer) for scorer, _ in made], made[0][1]
        return self._made[key]
