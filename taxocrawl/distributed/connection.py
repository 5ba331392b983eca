"""The connection to Redis, made by scrapy-redis from its own settings (REDIS_URL and the like)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from scrapy.settings import Settings
from scrapy_redis.connection import get_redis_from_settings

from taxocrawl.exceptions import StorageError
from taxocrawl.frontier.redis.client import Client, one_line
from taxocrawl.frontier.redis.store import RedisFrontier

if TYPE_CHECKING:
    from pathlib import Path

    from redis import Redis
    from scrapy.settings import BaseSettings

_OLDEST = 7
# A crawl does not start before the server has answered within this time.
_START_SECONDS = 4.0


def connect(settings: BaseSettings) -> Redis:
    """A client that gives bytes and leaves waiting to us."""
    ours: dict[str, Any] = {
        "decode_responses": False,
        "retry": Retry(NoBackoff(), 0),
        "retry_on_timeout": False,
        "socket_timeout": settings.getfloat("REDIS_TIMEOUT"),
        "socket_connect_timeout": min(_START_SECONDS, settings.getfloat("REDIS_TIMEOUT")),
    }
    mine = Settings(settings.copy_to_dict())
    mine.set("REDIS_PARAMS", {**ours, **settings.getdict("REDIS_PARAMS")}, priority="cmdline")
    mine.set("REDIS_DECODE_RESPONSES", False, priority="cmdline")
    return cast("Redis", get_redis_from_settings(mine))


def check_server(settings: BaseSettings) -> None:
    """Raise StorageError, in one line, unless a server answers that can hold a crawl."""
    redis = connect(settings)
    address = Client(redis, "", patience=0).address
    try:
        version = str(redis.info("server")["redis_version"])
    except (RedisError, OSError) as error:
        raise StorageError(f"Redis at {address}: no answer: {one_line(error)}") from error
    finally:
        redis.close()
    if int(version.partition(".")[0]) < _OLDEST:
        raise StorageError(f"Redis at {address}: version {version}; expected {_OLDEST} or newer")


def open_frontier(settings: BaseSettings, name: str) -> RedisFrontier:
    """The frontier of a crawl, for one worker more."""
    params = settings.getdict("FRONTIER_PARAMS")
    shared = {key: params[key] for key in ("trap_budget",) if key in params}
    return RedisFrontier(
        connect(settings),
        name,
        lease=settings.getfloat("REDIS_LEASE"),
        patience=settings.getfloat("REDIS_PATIENCE"),
        **shared,
    )


def crawl_name(settings: BaseSettings, folder: Path) -> str:
    """The name under which workers find one another: REDIS_CRAWL, or that of the run's folder."""
    return str(settings["REDIS_CRAWL"] or folder.resolve().name)
