"""Asking Redis: scripts, what its errors mean, and waiting while it is away."""

from __future__ import annotations

import logging
import re
import time
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from taxocrawl.exceptions import FrontierError, StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from redis import Redis

logger = logging.getLogger(__name__)

Reply = TypeVar("Reply")

PATIENCE = 300.0
_FIRST_WAIT, _LONGEST_WAIT = 0.05, 2.0
_POPS = frozenset({"pop", "pop_known"})
# Scripts that only give things back: a full memory must not keep a worker from stopping.
_ALLOWED_WHEN_FULL = frozenset({"recover", "beat", "release", "rest", "elect", "resign", "requeue"})


class Client:
    """One crawl's keys on one Redis.

    Args:
        redis: a client that gives bytes.
        name: of the crawl.
        patience: seconds for which a server that does not answer is asked again, from 0.
    """

    def __init__(self, redis: Redis, name: str, patience: float = PATIENCE) -> None:
        self.redis = redis
        self.prefix = f"taxocrawl:{{{name}}}:"
        self._patience = patience
        self._scripts = {name: redis.register_script(source(name)) for name in script_names()}

    @property
    def address(self) -> str:
        """Host and port, or the path of the socket."""
        known = self.redis.connection_pool.connection_kwargs
        return str(known.get("path") or f"{known.get('host')}:{known.get('port')}")

    def key(self, name: str) -> bytes:
        """The whole name of a key."""
        return encoded(f"{self.prefix}{name}")

    def run(self, script: str, *arguments: str | float | bytes) -> Any:
        """What a script of ``lua/`` returns."""
        values = [encoded(a) if isinstance(a, str) else a for a in arguments]
        return self.ask(lambda: self._scripts[script](keys=[encoded(self.prefix)], args=values))

    def each(self, command: str, keys: Iterable[str], *arguments: str | float | bytes) -> list[Any]:
        """The replies to the same command on several keys (without prefix)."""
        return self.together(*((command, key, *arguments) for key in keys))

    def together(self, *commands: tuple[str | float | bytes, ...]) -> list[Any]:
        """The replies to commands, each given with its key (without prefix), in one round trip.

        They are carried out in their order; others' may come in between.
        """
        named = [(command, self.key(str(key)), *rest) for command, key, *rest in commands]

        def send() -> list[Any]:
            with self.redis.pipeline(transaction=False) as pipeline:
                for command in named:
                    pipeline.execute_command(*command)  # type: ignore[no-untyped-call]
                replies: list[Any] = pipeline.execute()
                return replies

        return self.ask(send) if named else []

    def command(self, command: str, key: str, *arguments: str | float | bytes) -> Any:
        """The reply to a command on a key (without prefix)."""
        name = self.key(key)
        return self.ask(lambda: self.redis.execute_command(command, name, *arguments))  # type: ignore[no-untyped-call]

    def erase(self) -> None:
        """Remove all keys of the crawl."""
        pattern = encoded(re.sub(r"([*?\[\]\\])", r"\\\1", self.prefix) + "*")
        cursor = 0
        while True:
            cursor, keys = self.ask(
                lambda at=cursor: self.redis.scan(at, match=pattern, count=1000)  # type: ignore[misc]
            )
            if keys:
                self.ask(lambda keys=keys: self.redis.unlink(*keys))  # type: ignore[misc]
            if not cursor:
                return

    def hmget(self, key: str, fields: Iterable[int | str | bytes]) -> list[bytes | None]:
        """The values of a hash's fields."""
        names = list(fields)
        found: list[bytes | None] = self.command("HMGET", key, *names) if names else []
        return found

    def ask(self, question: Callable[[], Reply]) -> Reply:
        """The reply; a server that is away is waited for.

        Raises:
            StorageError: it stays away, or cannot take more (memory, disk).
            FrontierError: it refuses the question.
        """
        wait, until = _FIRST_WAIT, time.monotonic() + self._patience
        while True:
            try:
                reply = question()
            except (RedisConnectionError, RedisTimeoutError) as error:
                if time.monotonic() + wait > until:
                    raise StorageError(
                        f"Redis at {self.address}: no answer: {one_line(error)}"
                    ) from error
                if wait == _FIRST_WAIT:
                    logger.warning("Redis at %s: %s; waiting", self.address, one_line(error))
                time.sleep(wait)
                wait = min(2 * wait, _LONGEST_WAIT)
            except RedisError as error:
                raise self._translated(error) from error
            else:
                if wait != _FIRST_WAIT:
                    logger.warning("Redis at %s answers again", self.address)
                return reply

    def _translated(self, error: RedisError) -> StorageError | FrontierError:
        text = one_line(error)
        if isinstance(error, ResponseError) and ("OOM" in text or "maxmemory" in text):
            return StorageError(f"Redis at {self.address}: its memory limit is reached ({text})")
        if "MISCONF" in text or "READONLY" in text or "NOREPLICAS" in text:
            return StorageError(f"Redis at {self.address}: cannot be written: {text}")
        return FrontierError(f"Redis at {self.address}: {text}")


def encoded(text: str) -> bytes:
    """As the SQLite frontier hashes it: a URL may hold half of a surrogate pair."""
    return text.encode("utf-8", "surrogatepass")


def decoded(value: bytes | None) -> str:
    """The text of a reply; '' for none."""
    return value.decode("utf-8", "surrogatepass") if value else ""


def numbers(value: bytes | None) -> list[int]:
    """The numbers of a comma-separated list."""
    return [int(number) for number in value.split(b",")] if value else []


def joined(values: Iterable[int]) -> str:
    """The reverse of `numbers`."""
    return ",".join(map(str, values))


def one_line(error: Exception) -> str:
    """An error's message."""
    return " ".join(str(error).split()) or type(error).__name__


@cache
def script_names() -> tuple[str, ...]:
    """Names of the scripts that can be run."""
    folder = files(__package__) / "lua"
    names = (path.name.removesuffix(".lua") for path in folder.iterdir())
    return tuple(sorted(set(names) - {"common", "best"}))


@cache
def source(name: str) -> str:
    """A script with what it stands on."""
    folder = files(__package__) / "lua"
    parts = ["common", *(["best"] if name in _POPS else []), name]
    flags = " flags=allow-oom" if name in _ALLOWED_WHEN_FULL else ""
    texts = [(folder / f"{part}.lua").read_text(encoding="utf-8") for part in parts]
    return f"#!lua{flags}\n" + "\n".join(texts)
