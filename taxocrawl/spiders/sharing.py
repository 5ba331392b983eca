"""What a run is told that shares its frontier with other processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError, SettingError
from taxocrawl.spiders.plan import PUSHED

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from taxocrawl.spiders.plan import CrawlPlan

BACKENDS = ("sqlite", "redis")
_SCHEDULER = "taxocrawl.distributed.scheduler.RedisScheduler"


def is_shared(settings: BaseSettings) -> bool:
    """Whether the frontier is the one of several processes.

    Raises SettingError for a frontier that there is not.
    """
    backend = settings["FRONTIER_BACKEND"]
    if backend not in BACKENDS:
        raise SettingError(f"FRONTIER_BACKEND={backend}: expected one of {', '.join(BACKENDS)}")
    return bool(backend == "redis")


def share_frontier(settings: BaseSettings, plan: CrawlPlan) -> None:
    """Choose the shared frontier where the settings want it, and see that its server answers.

    Raises:
        ArgumentError: the run has no folder by whose name the workers find one another, or is to
            take pushed seeds without a server that they are pushed to.
        StorageError: the server does not answer.
    """
    if not is_shared(settings):
        if plan.seeds == PUSHED:
            raise ArgumentError(f"seeds={PUSHED}: expected FRONTIER_BACKEND=redis with it")
        return
    # A crawl of one process needs no Redis client.
    from taxocrawl.distributed.connection import check_server, crawl_name

    folder = plan.resume or plan.out
    if folder is None:
        raise ArgumentError(
            "out=: missing; workers that share a frontier are given the same run folder"
        )
    check_server(settings)
    settings.set("SCHEDULER", _SCHEDULER, priority="cmdline")
    settings.set("REDIS_CRAWL", crawl_name(settings, folder), priority="cmdline")
