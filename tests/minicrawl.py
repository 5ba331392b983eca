"""A small spider on the real engine and scheduler, run by the tests in a process beside them.

    python -m tests.minicrawl

Reads a crawl from each line (JSON with settings, seeds, mode) and writes what became of it to one
line: finish reason, seconds from the last page to the end, CPU seconds, signals, states, fetches,
log.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import logging
import re
import sys
import time

import scrapy
from scrapy.crawler import AsyncCrawlerRunner, Crawler
from scrapy.settings import Settings
from scrapy.signals import spider_closed
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.misc import load_object
from scrapy.utils.reactor import install_reactor

from taxocrawl import signals
from taxocrawl.frontier.base import Candidate, Outcome, State

_LINK = re.compile(r'<a href="([^"]+)"(?: score="([\d.]+)")?>')


class SettlePipeline:
    def __init__(self, crawler):
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def process_item(self, item):
        self.crawler.engine.scheduler.settle(item["outcome"])
        self.crawler.spider.settled_at = time.monotonic()
        return item


class MiniSpider(scrapy.Spider):
    name = "mini"

    @classmethod
    def from_crawler(cls, crawler, **arguments):
        spider = super().from_crawler(crawler, **arguments)
        spider.heard = []
        crawler.signals.connect(spider.started, signal=signals.iteration_started)
        crawler.signals.connect(spider.finished, signal=signals.iteration_finished)
        crawler.signals.connect(spider.known, signal=signals.redirected_to_known)
        crawler.signals.connect(spider.storage, signal=signals.storage_failed)
        crawler.signals.connect(spider.closes, signal=spider_closed)
        spider.settled_at = spider.closed_at = 0.0
        return spider

    def started(self, iteration, selected):
        self.heard.append(["started", iteration, selected])

    def finished(self, iteration):
        self.heard.append(["finished", iteration])

    def known(self, url, target_url):
        self.heard.append(["redirected to known", url, target_url])

    def storage(self, error):
        self.heard.append(["storage failed", str(error)])

    def closes(self):
        self.closed_at = time.monotonic()

    async def start(self):
        scheduler = self.crawler.engine.scheduler
        if self.mode == "requests":
            for url, score in self.seeds:
                yield scrapy.Request(url, meta={"link_score": score}, dont_filter=True)
            return
        if await scheduler.seeds_wanted():
            scheduler.push_seeds(Candidate(url, score) for url, score in self.seeds)
        scheduler.seeds_complete()

    def parse(self, response):
        meta = response.meta
        if b"crash the callback" in response.body:
            raise RuntimeError("as the page says")
        if b"rest for " in response.body:
            seconds = float(re.search(rb"rest for ([\d.]+)", response.body)[1])
            self.crawler.engine.scheduler.rest("127.0.0.1", time.monotonic() + seconds)
        links = [
            Candidate(
                response.urljoin(url), float(score or 0.5), meta["depth"] + 1, response.request.url
            )
            for url, score in _LINK.findall(response.text)
        ]
        state, reason = (State.DONE, "") if response.status == 200 else (State.FAILED, "http")
        yield self._item(meta, state, reason, response, links)

    def failed(self, failure):
        reason = "redirect loop" if "redirections" in str(failure.value) else repr(failure.value)
        yield self._item(failure.request.meta, State.FAILED, reason, failure.request, [])

    def _item(self, meta, state, reason, had, links):
        fetch = {"url": had.url, "status": getattr(had, "status", None), "reason": reason}
        fetch["iteration"] = meta["iteration"]
        document = None
        if self.settings["MINI_EXPORT"] and state is State.DONE:
            document = {"url": had.url, "content_hash": hashlib.sha256(had.body).hexdigest()}
        return {
            "outcome": Outcome(
                meta["frontier_id"], state, reason, fetch=fetch, links=links, document=document
            )
        }


SETTINGS = {
    "SCHEDULER": "taxocrawl.scheduler.FrontierScheduler",
    "FRONTIER_CLASS": "taxocrawl.frontier.sqlite.SqliteFrontier",
    "CRAWL_ITERATIONS": 2,
    "CRAWL_MAX_PAGES": 0,
    "SELECTION_POLICY": "all",
    "SELECTION_PARAMS": {},
    "ITEM_PIPELINES": {SettlePipeline: 100},
    "SPIDER_MIDDLEWARES": {
        "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
        "scrapy.spidermiddlewares.start.StartSpiderMiddleware": None,
    },
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "CONCURRENT_ITEMS": 8,
    "DOWNLOAD_DELAY": 0,
    "HTTPERROR_ALLOW_ALL": True,
    "REDIRECT_MAX_TIMES": 5,
    "RETRY_TIMES": 2,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "LOG_LEVEL": "ERROR",
}


async def crawl(wanted):
    settings = Settings({**SETTINGS, **wanted["settings"]})
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    handler.setLevel(settings["LOG_LEVEL"])
    logging.getLogger().addHandler(handler)
    crawler = Crawler(MiniSpider, settings)
    for name in ("SCHEDULER", "FRONTIER_CLASS", "DOWNLOADER"):
        load_object(settings[name])  # so that the crawl's own time is told, without imports
    cpu = time.process_time()
    try:
        await AsyncCrawlerRunner(settings).crawl(
            crawler, seeds=wanted["seeds"], mode=wanted["mode"]
        )
    finally:
        logging.getLogger().removeHandler(handler)
    frontier = load_object(settings["SCHEDULER"]).opener(settings)()
    told = {
        "finish_reason": crawler.stats.get_value("finish_reason"),
        "seconds_to_close": crawler.spider.closed_at - crawler.spider.settled_at,
        "cpu_seconds": time.process_time() - cpu,
        "heard": crawler.spider.heard,
        "counts": frontier.counts(),
        "fetches": list(frontier.fetches()),
        "documents": list(frontier.documents()),
        "entries": {entry.url: [entry.state, entry.reason] for entry in frontier.entries()},
        "log": log.getvalue(),
    }
    frontier.close()
    return told


async def serve():
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await crawl(json.loads(line))), flush=True)


if __name__ == "__main__":
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from twisted.internet.task import react

    react(lambda reactor: deferred_from_coro(serve()))
