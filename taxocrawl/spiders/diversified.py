"""The diversification-aware crawler: collects a topic's documents evenly over its aspects."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from taxocrawl.diversify.aspects import GATHERED, AspectScorer
from taxocrawl.diversify.weights import make_weights
from taxocrawl.exceptions import ArgumentError, InputFileError, SettingError
from taxocrawl.pipelines.aspects import AspectScorePipeline
from taxocrawl.pipelines.linkscores import LinkScorePipeline
from taxocrawl.runs.folder import RunFolder
from taxocrawl.score.aspects import AspectCosines
from taxocrawl.score.choice import page_reader
from taxocrawl.score.remembered import RememberedScores
from taxocrawl.spiders.plan import (
    ARGUMENTS,
    ASPECT_ARGUMENTS,
    TOPIC_ARGUMENTS,
    topic_folder,
)
from taxocrawl.spiders.topic import TopicSpider
from taxocrawl.spiders.topics import scoring_of
from taxocrawl.topic import SEEDS_FILE, GoldStandard, read_aspects

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from taxocrawl.diversify.weights import WeightFunction
    from taxocrawl.items import Document
    from taxocrawl.score.choice import TopicTexts
    from taxocrawl.spiders.plan import CrawlPlan
    from taxocrawl.topic import Aspect

logger = logging.getLogger(__name__)

JUDGED_BY = "tfidf"
"""The scorer whose reading of a page the aspects' cosines are taken of."""
_FILTER = "html-forest"


class DiversifiedSpider(TopicSpider):
    """Crawls a topic's folder with aspects as METU figure 4.2 has it.

    Batches are chosen by ``recent-half`` and pages filtered by the topic's random forest when it
    has one. Without ``seeds=`` it begins with the folder's ``seeds.txt`` when there is one. With
    ``aspects=off`` it is the crawler without diversification, and aspects are only measured.
    """

    name = "diversified"
    argument_names: ClassVar = (*ARGUMENTS, *TOPIC_ARGUMENTS, *ASPECT_ARGUMENTS)
    aspect_scorer: AspectScorer | None
    """What pages and links are scored by; None when aspects do not count."""
    judge: AspectCosines
    judged_text: Callable[[Document], str]
    weights: WeightFunction

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **arguments: str) -> Self:
        """As its base class; the pipeline that scores links is the one that knows aspects."""
        # Not in update_settings: Scrapy's commands put the project's settings over what that did.
        crawler.settings.replace_in_component_priority_dict(
            "ITEM_PIPELINES", LinkScorePipeline, AspectScorePipeline
        )
        return super().from_crawler(crawler, *args, **arguments)

    @classmethod
    def plan_of(
        cls, crawler: Crawler, arguments: dict[str, str]
    ) -> tuple[CrawlPlan, dict[str, str]]:
        settings = crawler.settings
        if "resume" not in arguments:
            arguments = _with_defaults(arguments, settings)
        plan, kept = super().plan_of(crawler, arguments)
        if not plan.topic:
            raise ArgumentError("topic=: missing; give the folder of a topic with aspects/*.txt")
        if plan.selection == "best-first":
            raise ArgumentError(
                "selection=best-first: has no iterations, from one to the next of which the "
                "weights of aspects move; expected recent-half, top or all"
            )
        if settings["DIVERSIFY_TOTALS"] not in GATHERED:
            raise SettingError(
                f"DIVERSIFY_TOTALS={settings['DIVERSIFY_TOTALS']}: expected one of "
                f"{', '.join(GATHERED)}"
            )
        if plan.aspects and settings["LINKSCORE_MODEL"]:
            raise SettingError(
                f"LINKSCORE_MODEL={settings['LINKSCORE_MODEL']}: scores waiting links otherwise "
                "than the aspects do; expected nothing, or aspects=off"
            )
        cls._check_aspects(plan)
        return plan, kept

    @classmethod
    def _check_aspects(cls, plan: CrawlPlan) -> None:
        """Say what is odd about the aspects; raise InputFileError when a resumed run had others."""
        aspects = read_aspects(plan.goldstandards[0])
        for remark in aspects.remarks:
            logger.warning("%s", remark)
        names = [aspect.name for aspect in aspects.found]
        if not names:
            logger.warning("topic=%s: crawling without aspects", plan.topic)
        before = RunFolder(plan.resume).read_info().get("aspects", []) if plan.resume else names
        if names != before:
            raise InputFileError(
                f"{plan.goldstandards[0]}: has the aspects {', '.join(names) or 'none'}, the "
                f"resumed run began with {', '.join(before) or 'none'}"
            )

    def make_scorers(self, topic: TopicTexts) -> None:
        """Those of the topic, and of each of its aspects."""
        super().make_scorers(topic)
        texts = texts_of_aspects(self.plan.goldstandards[0], topic)
        self.aspect_names = tuple(texts)
        self.judge = AspectCosines(topic, list(texts.items()))
        self.judged_text = page_reader(JUDGED_BY)
        self.weights = make_weights(
            self.settings["DIVERSIFY_WEIGHTS"], self.settings.getdict("DIVERSIFY_WEIGHTS_PARAMS")
        )
        self.aspect_scorer = None
        if self.plan.aspects and texts:
            scorers = [
                RememberedScores(scoring_of(of_aspect, self.settings)[0])
                for of_aspect in texts.values()
            ]
            self.aspect_scorer = AspectScorer(
                self.scorer,
                scorers,
                self.settings.getfloat("DIVERSIFY_LAMBDA"),
                self.settings.getfloat("DIVERSIFY_SPECIFICITY"),
            )


def texts_of_aspects(folder: Path, topic: TopicTexts) -> dict[str, TopicTexts]:
    """What pages and links are compared with for each aspect of a topic's folder."""
    return {aspect.name: _texts_of(aspect, topic) for aspect in read_aspects(folder).found}


def _texts_of(aspect: Aspect, topic: TopicTexts) -> TopicTexts:
    phrases = (GoldStandard(aspect.name, aspect.phrases),)
    return replace(topic, goldstandards=phrases, query=aspect.label)


def _with_defaults(arguments: dict[str, str], settings: BaseSettings) -> dict[str, str]:
    """The arguments with what the topic's folder and its models decide."""
    folder = topic_folder(arguments.get("topic", ""), Path(settings["GOLDSTANDARD_DIR"]))
    defaults = {"selection": "recent-half"}
    if folder is not None:
        model = Path(settings["MODELS_DIR"]) / folder.resolve().name / _FILTER
        defaults["filter"] = "forest" if model.is_dir() else "none"
        if defaults["filter"] == "none" and "filter" not in arguments:
            logger.warning(
                "%s: not there, every page passes; scrapy trainingset makes a page filter", model
            )
        if (seeds := folder / SEEDS_FILE).is_file():
            defaults["seeds"] = str(seeds)
    return {**defaults, **arguments}
