"""A Redis server of the tests' own: on a free port, in a folder of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
import redis

_STARTUP_SECONDS = 30.0


def redis_program() -> str:
    """Path of redis-server; skips the test without one, fails it when all tests are required."""
    program = shutil.which("redis-server")
    if program is None:
        reason = "redis-server is not on the PATH (Debian: apt-get install redis-server)"
        if os.environ.get("TAXOCRAWL_REQUIRE_ALL") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return program


class RedisServer:
    """A server that can be stopped, killed and started again with what it had written.

    Args:
        folder: for its files.
        options: of redis-server, such as ``("--appendonly", "yes")``.
    """

    def __init__(self, folder: Path, *options: str) -> None:
        self._program = redis_program()
        self._folder = folder
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url)

    def start(self) -> None:
        """Start, and wait until it answers."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "redis.log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(self._program, "--port", str(self.port), "--bind", "127.0.0.1"),
                    *("--dir", str(self._folder), "--save", ""),
                    *self._options,
                ],
                stdout=log,
                stderr=log,
            )
        give_up = time.monotonic() + _STARTUP_SECONDS
        while True:
            try:
                if self.client().ping():
                    return
            except redis.RedisError:
                if self._process.poll() is not None or time.monotonic() > give_up:
                    text = (self._folder / "redis.log").read_text(errors="replace")
                    raise AssertionError(f"redis-server did not start:\n{text}") from None
                time.sleep(0.02)

    def kill(self) -> None:
        """End it with SIGKILL."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait()
            self._process = None
