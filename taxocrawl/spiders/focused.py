"""What the focused spiders share: arguments, run folder, seeds, and pages made of responses."""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import scrapy
from scrapy.utils.defer import deferred_from_coro

from taxocrawl.documents.pages import INDEX_PAGE
from taxocrawl.exceptions import ArgumentError, StorageError, TaxocrawlError
from taxocrawl.frontier.base import State
from taxocrawl.frontier.canonical import trusted_canonical
from taxocrawl.frontier.database import refuse_if_in_use
from taxocrawl.frontier.urls import host_of, unfetchable
from taxocrawl.items import NOT_MODIFIED, Page
from taxocrawl.requests import is_conditional
from taxocrawl.responses import DocumentResponse
from taxocrawl.runs.folder import RunFolder
from taxocrawl.score.remembered import RememberedScores
from taxocrawl.signals import storage_failed
from taxocrawl.spiders.failures import PROGRAM_ERROR, reason_of, reason_of_status
from taxocrawl.spiders.plan import ARGUMENTS, CrawlPlan, merge_resumed
from taxocrawl.spiders.runinfo import check_resumable, new_run_folder, run_info
from taxocrawl.spiders.seeding import find_seeds, replacements
from taxocrawl.spiders.settingscheck import check_consent, check_settings
from taxocrawl.spiders.sharing import is_shared, share_frontier
from taxocrawl.spiders.topics import scoring_of, topic_of
from taxocrawl.spiders.useragent import sign_user_agent

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure

    from taxocrawl.items import Document
    from taxocrawl.scheduler import FrontierScheduler
    from taxocrawl.score.base import Scorer
    from taxocrawl.score.choice import TopicTexts

logger = logging.getLogger(__name__)

EXIT_NO_SEEDS = 3
EXIT_STORAGE = 4
EXIT_INTERRUPTED = 130


class FocusedSpider(scrapy.Spider):
    """A spider whose requests come from the frontier and whose pages go through the pipelines."""

    argument_names: ClassVar[tuple[str, ...]] = tuple(ARGUMENTS)
    plan: CrawlPlan
    folder: RunFolder
    scorer: Scorer
    page_text: Callable[[Document], str]
    """What the scorer reads of a page."""
    aspect_names: tuple[str, ...] = ()
    """Aspects of the topic by which pages are measured."""
    made_folder = False
    """Whether this process alone has made the run's folder."""
    exit_code = 0
    has_closed = False
    """Whether the crawl was closed in good order, interrupted or not."""
    failure = ""
    """The one line that says why the run could not go on; empty while it can."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **arguments: str) -> Self:
        """Check arguments and settings, open the run's folder; nothing is requested yet.

        Raises a TaxocrawlError, with one line, for whatever is wrong.
        """
        check_settings(crawler.settings)
        sign_user_agent(crawler.settings)
        plan, stored = cls.plan_of(crawler, arguments)
        check_consent(crawler.settings, plan.allowed_hosts)
        implied = plan.settings(
            crawler.settings.getdict("SELECTION_PARAMS"), Path(crawler.settings["MODELS_DIR"])
        )
        for name, value in implied.items():
            crawler.settings.set(name, value, priority="cmdline")
        check_settings(crawler.settings)
        spider = super().from_crawler(crawler, *args)
        spider.plan = plan
        spider.make_scorers(cls.topic_of(plan, crawler.settings))
        share_frontier(crawler.settings, plan)
        spider.folder = RunFolder(plan.resume) if plan.resume else new_run_folder(crawler, plan)
        # Before run.json says that the run goes on: it may not have stopped.
        refuse_if_in_use(spider.folder.frontier)
        shared = is_shared(crawler.settings)
        if plan.resume and not shared:
            check_resumable(spider.folder)
        if plan.resume or spider.folder.create(shared=shared):
            spider.folder.write_info(run_info(spider, stored))
            spider.made_folder = not (plan.resume or shared)
        crawler.signals.connect(spider.storage_failed, signal=storage_failed)
        crawler.settings.set(
            "FRONTIER_PARAMS",
            {**crawler.settings.getdict("FRONTIER_PARAMS"), "path": str(spider.folder.frontier)},
            priority="spider",
        )
        return spider

    def make_scorers(self, topic: TopicTexts) -> None:
        """Make what pages and links are scored by; raises a TaxocrawlError."""
        scorer, self.page_text = scoring_of(topic, self.settings)
        self.scorer = RememberedScores(scorer)

    @classmethod
    def plan_of(
        cls, crawler: Crawler, arguments: dict[str, str]
    ) -> tuple[CrawlPlan, dict[str, str]]:
        """The checked plan and the arguments as they are kept in run.json."""
        kept = {name: value for name, value in arguments.items() if not name.startswith("_")}
        if "resume" in kept:
            info = RunFolder(Path(kept["resume"])).read_info()
            if info.get("spider", cls.name) != cls.name:
                raise ArgumentError(
                    f"resume={kept['resume']}: the run was begun by the spider "
                    f"{info['spider']}; resume it with that one, not with {cls.name}"
                )
            kept = merge_resumed(info["arguments"], kept)
        plan = CrawlPlan.parse(
            {**arguments, **kept},
            iterations=crawler.settings.getint("CRAWL_ITERATIONS"),
            max_pages=crawler.settings.getint("CRAWL_MAX_PAGES"),
            names=cls.argument_names,
            goldstandard_dir=Path(crawler.settings["GOLDSTANDARD_DIR"]),
        )
        return plan, {name: value for name, value in kept.items() if name != "resume"}

    @classmethod
    def topic_of(cls, plan: CrawlPlan, settings: BaseSettings) -> TopicTexts:
        """What pages and links are compared with."""
        sources = plan.goldstandards or (Path(settings["COSINE_GOLDSTANDARD_FILE"]),)
        return topic_of(sources, " ".join(plan.queries), settings)

    @property
    def scheduler(self) -> FrontierScheduler:
        return cast("FrontierScheduler", self.crawler.engine.scheduler)

    async def start(self) -> AsyncIterator[Any]:
        """Search for seeds, unless the resumed run has them already."""
        self.scheduler.reserves = partial(replacements, self)
        if await self.scheduler.seeds_wanted():
            try:
                await find_seeds(self)
            except TaxocrawlError as error:
                # Not marked complete: a resumed run searches again.
                self.fail(error, EXIT_STORAGE if isinstance(error, StorageError) else EXIT_NO_SEEDS)
                deferred_from_coro(self.crawler.engine.close_spider_async(reason="failed"))
                return
        self.scheduler.seeds_complete()
        return
        yield  # the frontier, not this generator, hands out the requests

    def refusal_of(self, url: str) -> str:
        """Why a link or redirect is not followed; empty when it is."""
        if reason := unfetchable(url):
            return reason
        return "" if self.plan.allows(host_of(url)) else "host not allowed"

    def parse(self, response: Response, **kwargs: Any) -> Any:
        """Make a `Page` of a response."""
        yield self.page_of(response)

    def failed(self, failure: Failure) -> Any:
        """Make a `Page` of a request that brought no response."""
        request: scrapy.Request = failure.request  # type: ignore[attr-defined]
        page = self._page(request)
        error = cast("BaseException", failure.value)
        page.reason, page.state = reason_of(error), State.FAILED.value
        if page.reason == PROGRAM_ERROR:
            logger.error("%s: %s: %r", request.url, PROGRAM_ERROR, error, exc_info=error)
        yield page

    def page_of(self, response: Response) -> Page:
        """A response's page, with the reason against its export where there is one."""
        request = response.request
        assert request is not None
        page = self._page(request)
        page.final_url, page.status, page.body = response.url, response.status, response.body
        page.aliases = tuple(request.meta.get("redirect_urls", ()))
        page.etag, page.last_modified = (
            (response.headers.get(name) or b"").decode("latin-1")
            for name in ("ETag", "Last-Modified")
        )
        if response.status == 304 and is_conditional(request):
            page.reason = NOT_MODIFIED
            return page
        if not isinstance(response, DocumentResponse):
            page.reason = reason_of_status(response.status)
            gone = response.status in (404, 410)
            page.state = (State.GONE if gone else State.FAILED).value
            return page
        page.document, page.decision = response.document, response.decision
        page.reason = reason_against(
            response,
            filtered=bool(self.settings["CLASSIFIER_HTML"]),
            export_noindex=self.settings.getbool("EXPORT_NOINDEX"),
        )
        page.passed = page.decision.taxonomic if page.decision else page.reason in ("", "noindex")
        page.passed |= page.reason == INDEX_PAGE
        if page.reason in ("", "non-taxonomic"):
            named = trusted_canonical(response.url, response.document.canonical_url)
            page.aliases += (named,) if named else ()
        if page.reason in _FETCH_AGAIN:
            page.state = State.FAILED.value
        return page

    def _page(self, request: scrapy.Request) -> Page:
        meta = request.meta
        urls = meta.get("redirect_urls") or [request.url]
        return Page(
            entry_id=meta["frontier_id"],
            url=urls[0],
            final_url=request.url,
            fetched_at=time.time(),
            score=meta["link_score"],
            iteration=meta["iteration"],
            depth=meta["depth"],
            referrer=meta["referrer"],
        )

    def fail(self, error: TaxocrawlError, exit_code: int) -> None:
        """Say in one line why the run cannot go on, and set the command's exit code."""
        if not self.failure:
            self.exit_code, self.failure = exit_code, str(error)
            logger.error("%s", error)

    def forsake(self) -> None:
        """The run did not begin: leave no folder that the next call with the same `out` meets."""
        if self.made_folder:
            self.folder.remove_if_unused()

    def storage_failed(self, error: TaxocrawlError) -> None:
        """The frontier cannot be written; the scheduler is closing the crawl."""
        self.fail(error, EXIT_STORAGE)

    @property
    def outcome(self) -> str:
        """How the run ended, or would if it ended now."""
        return self.failure or self.scheduler.finish_reason or "interrupted"

    def closed(self, reason: str) -> None:
        """Say where the documents are; set the exit code of a run that was interrupted."""
        documents = self.crawler.stats.get_value("export/documents", 0)
        more = " more" if self.plan.resume else ""
        logger.info("%d%s documents exported to %s", documents, more, self.folder.path)
        if self.folder.report.exists():
            logger.info("report: %s", self.folder.report)
        self.has_closed = True
        if reason == "shutdown" and not self.exit_code:
            self.exit_code = EXIT_INTERRUPTED
            logger.warning("interrupted; go on with -a resume=%s", self.folder.path)

    @staticmethod
    def now() -> str:
        return datetime.now(UTC).isoformat(timespec="seconds")


_FETCH_AGAIN = frozenset({"truncated"})


def reason_against(
    response: DocumentResponse, *, filtered: bool = True, export_noindex: bool = True
) -> str:
    """Why a download is not exported; empty when it is."""
    document, decision = response.document, response.decision
    if document.reason:
        return document.reason
    if not document.text or (filtered and decision is None):
        return "no text"
    if INDEX_PAGE in document.flags:
        return INDEX_PAGE
    if decision is not None and not decision.taxonomic:
        return "non-taxonomic"
    return "noindex" if document.noindex and not export_noindex else ""
