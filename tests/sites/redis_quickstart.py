"""`make redis-crawl WORKERS=2`: the main job on the small web, by several workers on one Redis.

Uses the server at REDIS_URL (default ``redis://127.0.0.1:6379/0``); starts redis-server there for
the time of the crawl when none answers and the address is this machine's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import redis

from tests.sites.expected import write_truth
from tests.sites.quickstart import crawl_command
from tests.sites.server import ROOT, SmallWeb, SmallWebError

_LOCAL = ("127.0.0.1", "localhost", "::1")
_STARTUP_SECONDS = 20.0


class RedisError(Exception):
    """No server, and none can be started."""


def answers(url: str) -> bool:
    try:
        return bool(redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2).ping())
    except redis.ConnectionError:
        return False


@contextmanager
def server_at(url: str, folder: Path) -> Iterator[None]:
    """A server answers at a URL while the block runs."""
    if answers(url):
        yield
        return
    parts = urlsplit(url)
    program = shutil.which("redis-server")
    if parts.scheme != "redis" or parts.hostname not in _LOCAL:
        raise RedisError(f"{url}: no answer, and no server can be started there")
    if program is None:
        raise RedisError(
            f"{url}: no answer; redis-server is missing (apt-get install redis-server)"
        )
    print(f"starting redis-server on port {parts.port or 6379}")
    process = subprocess.Popen(
        [
            *(program, "--port", str(parts.port or 6379), "--bind", "127.0.0.1"),
            *("--dir", str(folder), "--appendonly", "yes", "--save", ""),
        ],
        stdout=subprocess.DEVNULL,
    )
    try:
        give_up = time.monotonic() + _STARTUP_SECONDS
        while not answers(url):
            if process.poll() is not None or time.monotonic() > give_up:
                raise RedisError(f"{url}: redis-server did not start")
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def crawl(workers: int, url: str, folder: Path) -> int:
    """Crawl with so many workers; return the worst of their exit codes."""
    out = Path("runs") / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-redis"
    with SmallWeb() as web, server_at(url, folder):
        truth = folder / "truth.csv"
        write_truth(truth, web.port)
        command = crawl_command(
            web,
            truth,
            *("-a", f"out={out}", "-s", "FRONTIER_BACKEND=redis", "-s", f"REDIS_URL={url}"),
            # The frontier of an example need not stay in a server that is somebody's.
            *("-s", "SCHEDULER_PERSIST=False"),
        )
        started = [subprocess.Popen(command, cwd=ROOT) for _ in range(workers)]
        return max(worker.wait() for worker in started)


def main() -> int:
    number = sys.argv[1] if len(sys.argv) > 1 else "2"
    if not number.isdecimal() or not 1 <= int(number) <= 64:
        print(f"make redis-crawl: WORKERS={number}: expected 1 to 64", file=sys.stderr)
        return 2
    url = os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/0"
    try:
        with tempfile.TemporaryDirectory() as folder:
            return crawl(int(number), url, Path(folder))
    except (SmallWebError, RedisError) as error:
        print(f"make redis-crawl: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
