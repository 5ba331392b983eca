"""The general focused crawler: collects the documents of any topic that a gold standard shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from taxocrawl.exceptions import ArgumentError
from taxocrawl.spiders.focused import FocusedSpider
from taxocrawl.spiders.plan import ARGUMENTS, TOPIC_ARGUMENTS
from taxocrawl.spiders.topics import topic_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from taxocrawl.score.choice import TopicTexts
    from taxocrawl.spiders.plan import CrawlPlan

_UNTIL_MAX_PAGES = "999999999"


class TopicSpider(FocusedSpider):
    """Collects the documents of a topic: a folder of gold standards, a file, or a query alone.

    With `max_pages` but no `iterations` it goes on until so many pages are fetched.
    """

    name = "topic"
    argument_names: ClassVar = (*ARGUMENTS, *TOPIC_ARGUMENTS)

    @classmethod
    def plan_of(
        cls, crawler: Crawler, arguments: dict[str, str]
    ) -> tuple[CrawlPlan, dict[str, str]]:
        if "resume" not in arguments:
            arguments = {"filter": "none", **arguments}
            if arguments.get("max_pages", "0") != "0":
                arguments.setdefault("iterations", _UNTIL_MAX_PAGES)
        return super().plan_of(crawler, arguments)

    @classmethod
    def topic_of(cls, plan: CrawlPlan, settings: BaseSettings) -> TopicTexts:
        if not plan.goldstandards and not plan.queries:
            raise ArgumentError("topic=, goldstandard= or query=: expected one that says the topic")
        return topic_of(plan.goldstandards, " ".join(plan.queries), settings)
