"""A small spider on the real engine and scheduler, run in a process of its own by the tests.

    python -m tests.minicrawl SETTINGS.json < seeds.json

Prints one line of JSON: finish reason, seconds, CPU seconds, signals, states and fetches.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path

import scrapy
from scrapy.crawler import AsyncCrawlerProcess

from taxocrawl import signals
from taxocrawl.frontier.base import Candidate, Outcome, State
from taxocrawl.frontier.sqlite import SqliteFrontier

_LINK = re.compile(r'<a href="([^"]+)"(?: score="([\d.]+)")?>')


class SettlePipeline:
    def __init__(self, crawler):
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def process_item(self, item):
        self.crawler.engine.scheduler.settle(item["outcome"])
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
        return spider

    def started(self, iteration, selected):
        self.heard.append(["started", iteration, selected])

    def finished(self, iteration):
        self.heard.append(["finished", iteration])

    def known(self, url, target_url):
        self.heard.append(["redirected to known", url, target_url])

    def storage(self, error):
        self.heard.append(["storage failed", str(error)])

    async def start(self):
        scheduler = self.crawler.engine.scheduler
        if self.mode == "requests":
            for url, score in self.seeds:
                yield scrapy.Request(url, meta={"link_score": score}, dont_filter=True)
            return
        if not scheduler.frontier.get_meta("seeds complete"):
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
        yield self._item(meta, state, reason, response.url, links)

    def failed(self, failure):
        reason = "redirect loop" if "redirections" in str(failure.value) else repr(failure.value)
        yield self._item(failure.request.meta, State.FAILED, reason, failure.request.url, [])

    def _item(self, meta, state, reason, url, links):
        fetch = {"url": url, "reason": reason, "iteration": meta["iteration"]}
        return {"outcome": Outcome(meta["frontier_id"], state, reason, fetch=fetch, links=links)}


def main() -> None:
    settings = {
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
        **json.loads(Path(sys.argv[1]).read_text()),
    }
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(MiniSpider)
    begun, cpu = time.monotonic(), time.process_time()
    given = json.load(sys.stdin)
    process.crawl(crawler, seeds=given["seeds"], mode=given.get("mode", "candidates"))
    process.start()
    told = {
        "finish_reason": crawler.stats.get_value("finish_reason"),
        "seconds": time.monotonic() - begun,
        "cpu_seconds": time.process_time() - cpu,
        "heard": getattr(crawler.spider, "heard", []),
    }
    frontier = SqliteFrontier(settings["FRONTIER_PARAMS"]["path"])
    told["counts"] = frontier.counts()
    told["fetches"] = list(frontier.fetches())
    told["entries"] = {entry.url: [entry.state, entry.reason] for entry in frontier.entries()}
    frontier.close()
    print(json.dumps(told))


if __name__ == "__main__":
    main()
