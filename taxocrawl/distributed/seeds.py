"""Seeds that are pushed while the crawl runs, under scrapy-redis' start-URL key.

    redis-cli RPUSH taxonomic:start_urls '{"url": "https://example.org/"}'

A plain URL will do as well. What is pushed is first moved into the crawl's own list, in one step,
and leaves it when the frontier has it: a worker that dies in between loses nothing.
"""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from scrapy_redis.spiders import RedisMixin

from taxocrawl.exceptions import SettingError
from taxocrawl.frontier.base import Candidate
from taxocrawl.frontier.urls import unfetchable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrapy.crawler import Crawler

    from taxocrawl.frontier.redis.store import RedisFrontier

logger = logging.getLogger(__name__)

SOURCE = "seed:pushed"
_KINDS = {"REDIS_START_URLS_AS_SET": "SPOP", "REDIS_START_URLS_AS_ZSET": "ZPOPMAX"}


class PushedSeeds(RedisMixin):  # type: ignore[misc]
    """Reads scrapy-redis' start-URL key (REDIS_START_URLS_KEY and the settings beside it).

    Args:
        crawler: whose spider gives the key its name.
        frontier: to whose inbox the seeds are moved.
        admit: takes candidates; False when it cannot now.
    """

    def __init__(
        self,
        crawler: Crawler,
        frontier: RedisFrontier,
        admit: Callable[[Sequence[Candidate]], bool],
    ) -> None:
        assert crawler.spider is not None
        self.name = crawler.spider.name
        self.logger = logger
        self._crawler = crawler
        self._frontier = frontier
        self._admit = admit
        settings = crawler.settings
        key = settings["REDIS_START_URLS_KEY"] % {"name": self.name}
        if not key.strip():
            raise SettingError("REDIS_START_URLS_KEY: empty; expected the name of a key")
        self.redis_key = key
        self.redis_batch_size = settings.getint("CONCURRENT_REQUESTS")
        self.redis_encoding = settings["REDIS_ENCODING"] or "utf-8"
        self._command = next(
            (command for name, command in _KINDS.items() if settings.getbool(name)), "LPOP"
        )

    def admit_pushed(self) -> int:
        """Give the frontier what was pushed; return how many seeds."""
        self._frontier.fetch_pushed(self.redis_key, self._command, self.redis_batch_size)
        waiting = self._frontier.pushed(self.redis_batch_size)
        if not waiting:
            return 0
        candidates = [c for data in waiting if (c := self.make_request_from_data(data))]
        if candidates and not self._admit(candidates):
            return 0
        self._frontier.admitted(len(waiting))
        for candidate in candidates:
            logger.info("pushed seed: %s", candidate.url)
        return len(candidates)

    def make_request_from_data(self, data: bytes) -> Candidate | None:
        """The candidate that a pushed value stands for; None, with a warning, for none.

        As in scrapy-redis a value is a JSON object with ``url`` and maybe ``meta``, or a URL.
        """
        text = data.decode(self.redis_encoding, "replace").strip()
        try:
            candidate = _candidate(text)
        except (TypeError, ValueError, KeyError) as error:
            logger.warning("%s: pushed value %.200r: %s", self.redis_key, text, error)
            self._crawler.stats.inc_value("seeds/dropped/not readable")
            return None
        refusal_of = getattr(self._crawler.spider, "refusal_of", unfetchable)
        if reason := refusal_of(candidate.url):
            logger.warning("%s: %s is not asked for: %s", self.redis_key, candidate.url, reason)
            self._crawler.stats.inc_value(f"seeds/dropped/{reason}")
            return None
        return candidate


def _candidate(text: str) -> Candidate:
    wanted: dict[str, Any] = json.loads(text) if text.startswith("{") else {"url": text}
    url, meta = wanted["url"], wanted.get("meta") or {}
    if not isinstance(url, str) or not isinstance(meta, dict):
        raise TypeError("expected a URL, or JSON with url and maybe meta")
    if str(wanted.get("method") or "GET").upper() != "GET":
        raise ValueError("expected method GET")
    score = float(meta.get("link_score", 1.0))
    if not 0 <= score <= 1:
        raise ValueError(f"link_score {score}: expected a number in [0, 1]")
    evidence = {name: value for name, value in meta.items() if name != "link_score"}
    return Candidate(url, score, source=SOURCE, evidence=evidence)
