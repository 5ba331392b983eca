"""Several small crawlers on one frontier, each a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any

from taxocrawl import settings as defaults
from tests.crawl.running import ROOT
from tests.crawl.test_politeness import POLITE
from tests.redisserver import RedisServer

_OURS = {
    name: getattr(defaults, name)
    for name in dir(defaults)
    if name.startswith(("REDIS_", "MAX_IDLE", "SCHEDULER_"))
}


@dataclass
class Workers:
    """Starts `tests.minicrawl` for one crawl again and again.

    Attributes:
        server: Redis.
        seeds: of the crawl.
        settings: over those of `tests.minicrawl`.
    """

    server: RedisServer
    seeds: list[str]
    settings: dict[str, Any]
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    def start(self, **more: Any) -> subprocess.Popen[str]:
        """One worker more."""
        settings = {
            **POLITE,
            **_OURS,
            "SCHEDULER": "taxocrawl.distributed.scheduler.RedisScheduler",
            "REDIS_URL": self.server.url,
            "REDIS_CRAWL": "test",
            "REDIS_LEASE": 3.0,
            "LOG_LEVEL": "INFO",
            **self.settings,
            **more,
        }
        worker = subprocess.Popen(
            [sys.executable, "-m", "tests.minicrawl"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert worker.stdin is not None
        seeds = [[url, 1.0] for url in self.seeds]
        wanted = {"settings": settings, "seeds": seeds, "mode": "candidates"}
        worker.stdin.write(f"{json.dumps(wanted)}\n")
        worker.stdin.flush()
        self.started.append(worker)
        return worker

    def kill(self, worker: subprocess.Popen[str]) -> None:
        """End one with SIGKILL."""
        worker.kill()
        worker.communicate()
        self.started.remove(worker)

    def ends(self, timeout: float = 270.0) -> list[dict[str, Any]]:
        """Wait for all; what each tells of the crawl."""
        told = []
        for worker in self.started:
            out, _ = worker.communicate(timeout=timeout)
            told.append(json.loads(out))
        self.started.clear()
        return told

    def close(self) -> None:
        for worker in self.started:
            worker.kill()
            worker.communicate()
