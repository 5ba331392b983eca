"""Replayed crawls for `scrapy experiment linkweb --replay`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import urlopen

from taxocrawl.documents.html import extract_html
from taxocrawl.evaluate.replay import UNREACHABLE, PageStore, RememberedScorer, Strategy, replay
from taxocrawl.exceptions import ExtractionError
from taxocrawl.frontier.selection import make_policy
from taxocrawl.score.linkmodel import make_link_model
from taxocrawl.score.links import LinkWeights
from taxocrawl.spiders.topics import scoring_of, topic_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scrapy.settings import BaseSettings

    from taxocrawl.items import Document
    from taxocrawl.score.base import Scorer


class Replays:
    """Crawls a stored web in memory, sharing pages and scores between them.

    Args:
        path: file of the web's pages; those it lacks are fetched.
        settings: what the ways to score do not say.
    """

    def __init__(self, path: Path, settings: BaseSettings) -> None:
        self._store, self._settings = PageStore(path, fetched), settings
        self._last: tuple[object, tuple[Scorer, Callable[[Document], str]]] | None = None

    def order(
        self,
        way: Mapping[str, str],
        policy: str,
        batch: int,
        topic: tuple[str, str],
        seeds: Sequence[str],
        pages: int,
    ) -> list[str]:
        """The URLs of one crawl in their order.

        Args:
            way: settings, and the spider argument `scorer`.
            policy: name of the selection policy.
            batch: URLs of an iteration.
            topic: path of the gold standard ('' for none) and the query.
            seeds: URLs to begin with.
            pages: downloads after which the crawl ends.
        """
        settings = settings_of(way, self._settings)
        scorer, page_text = self._scoring(settings, topic)
        weights = link_weights_of(settings)
        model = make_link_model(
            settings["LINKSCORE_MODEL"], settings.getdict("LINKSCORE_MODEL_PARAMS")
        )
        chosen = make_policy(policy, {} if policy == "all" else {"size": batch})
        strategy = Strategy(scorer, page_text, weights, chosen, model)
        return [str(fetch["url"]) for fetch in replay(self._store, seeds, strategy, pages)]

    def _scoring(
        self, settings: BaseSettings, topic: tuple[str, str]
    ) -> tuple[Scorer, Callable[[Document], str]]:
        key = (topic, settings["SCORER_CLASS"], str(settings["SCORER_PARAMS"]))
        if self._last is None or self._last[0] != key:
            goldstandard, query = topic
            sources = (Path(goldstandard),) if goldstandard else ()
            scorer, page_text = scoring_of(topic_of(sources, query, settings), settings)
            self._last = key, (RememberedScorer(scorer), page_text)
        return self._last[1]


_ARGUMENTS = {
    "scorer": "SCORER_CLASS",
    "weights": "DIVERSIFY_WEIGHTS",
    "lambda": "DIVERSIFY_LAMBDA",
}
"""The settings behind spider arguments."""


def settings_of(way: Mapping[str, str], settings: BaseSettings) -> BaseSettings:
    """Settings with those of a way to crawl: its settings, and the spider arguments above."""
    changed = settings.copy()
    for name, value in way.items():
        changed.set(_ARGUMENTS.get(name, name), value, priority="cmdline")
    return changed


def link_weights_of(settings: BaseSettings) -> LinkWeights:
    """How a link's score is made of its page's and its own."""
    return LinkWeights(
        settings.getfloat("LINKSCORE_PAGE_WEIGHT"), settings.getdict("LINKSCORE_PARTS")
    )


def fetched(url: str) -> Document:
    """A page as a crawl would have it; raises ExtractionError when there is none."""
    try:
        with urlopen(url, timeout=60) as answer:
            return extract_html(answer.read(), answer.url)
    except HTTPError as error:
        raise ExtractionError("no page", str(error)) from error
    except OSError as error:
        raise ExtractionError(UNREACHABLE, str(error)) from error
