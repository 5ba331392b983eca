"""The frontier of a run, to look into: its own file, or the shared one in Redis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.frontier.reading import FrontierReader, open_reader
from taxocrawl.frontier.sqlite import SqliteFrontier

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.settings import BaseSettings

    from taxocrawl.frontier.redis.reading import RedisReader
    from taxocrawl.frontier.redis.store import RedisFrontier
    from taxocrawl.runs.folder import RunFolder


def is_in_redis(run: RunFolder) -> bool:
    """Whether run.json says that the run shares its frontier; False when there is none."""
    try:
        settings = run.read_info().get("settings") or {}
    except InputFileError:
        return False
    return bool(settings.get("FRONTIER_BACKEND") == "redis")


def file_of(run: RunFolder) -> Path:
    """A run's frontier file; raises ArgumentError when its frontier is in Redis."""
    if is_in_redis(run):
        raise ArgumentError(
            f"{run.path}: its frontier is in Redis; export and import are for frontier files "
            "(a copy of Redis' own file keeps it)"
        )
    return run.frontier


def reader_of(run: RunFolder, settings: BaseSettings) -> FrontierReader | RedisReader:
    """Read a run's frontier, even while a crawl holds it.

    Raises FrontierError when there is none, StorageError when the server does not answer.
    """
    if not is_in_redis(run):
        return open_reader(run.frontier)
    # Every command of Scrapy loads this module; few need the Redis client.
    from taxocrawl.distributed.connection import check_server, connect, crawl_name
    from taxocrawl.frontier.redis.client import Client
    from taxocrawl.frontier.redis.reading import RedisReader

    check_server(settings)
    return RedisReader(Client(connect(settings), crawl_name(settings, run.path), patience=0))


def opened(run: RunFolder, settings: BaseSettings) -> SqliteFrontier | RedisFrontier:
    """Open a run's frontier to change it.

    Raises InputFileError for a folder without one, and as `reader_of`.
    """
    if is_in_redis(run):
        from taxocrawl.distributed.connection import check_server, crawl_name, open_frontier

        check_server(settings)
        return open_frontier(settings, crawl_name(settings, run.path))
    if not run.frontier.is_file():
        raise InputFileError(f"{run.frontier}: no such file; expected a run's frontier")
    return SqliteFrontier(run.frontier)
