"""The shared link web with noise, behind a front that notes each request and can misbehave."""

from __future__ import annotations

import asyncio
import csv
import io
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from tests.crawl.oddserver import Asked, OddServer, answer

HOSTS = tuple(f"127.0.1.{number}" for number in range(1, 17))
CRAWL_DELAY = 0.2
"""Seconds, as the web's robots.txt says."""
NOISE = {
    "calendar": re.compile(r"/calendar/.*"),
    "statistics of one text": re.compile(r"/slow/.*"),
    "shortcut to an article": re.compile(r"/go/.*"),
    "dead link": re.compile(r"/gone/.*"),
    "printable copy": re.compile(r"/wiki/.*printable=.*"),
    "session id": re.compile(r"/wiki/.*;jsessionid=.*"),
}
OTHER = {
    "forbidden by robots.txt": re.compile(r"/private/.*"),
    "robots.txt": re.compile(r"/robots\.txt"),
    "article": re.compile(r"/wiki/[^?;]+"),
}
Misbehaviour = Callable[[Asked], "bytes | tuple[bytes, float] | None"]


class LinkWeb:
    """The 16 article hosts for the time of a ``with`` block.

    Args:
        program: serves the web (``--port``, ``--noise``, and the job ``truth --topic``).
        misbehave: the whole answer to a request, if it is not to be the web's; with a delay.
        noise: whether to serve what `NOISE` names, and a Crawl-delay.
    """

    def __init__(
        self,
        program: Path,
        misbehave: Misbehaviour = lambda asked: None,
        *,
        noise: bool = True,
    ) -> None:
        self._program = program
        self._options = ("--noise",) if noise else ()
        self._misbehave = misbehave
        self._port = _free_port()
        self.front = OddServer(self._behave, HOSTS)
        self.begun = time.monotonic()

    def __enter__(self) -> LinkWeb:
        self._process = subprocess.Popen(
            [sys.executable, str(self._program), *self._options, "--port", str(self._port)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        if not self._process.stdout.readline():
            raise AssertionError(f"{self._program}: did not start on port {self._port}")
        self.front.__enter__()
        self.begun = time.monotonic()
        return self

    def __exit__(self, *exception: object) -> None:
        self.front.__exit__(*exception)
        self._process.terminate()
        self._process.wait()

    @property
    def asked(self) -> list[Asked]:
        """Every request in the order in which it came."""
        return self.front.asked

    def articles(self, topic: str) -> list[str]:
        """URLs of a topic's articles."""
        truth = subprocess.run(
            [
                *(sys.executable, str(self._program), "truth", "--topic", topic),
                *("--port", str(self.front.port)),
            ],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        rows = csv.DictReader(io.StringIO(truth))
        return sorted(row["url"] for row in rows if row["label"] == "relevant")

    async def _behave(self, asked: Asked) -> bytes | tuple[bytes, float]:
        given = self._misbehave(asked)
        return await self._forward(asked) if given is None else given

    async def _forward(self, asked: Asked) -> bytes:
        reader, writer = await asyncio.open_connection(asked.host, self._port)
        try:
            lines = (f"GET {asked.path} HTTP/1.1", f"Host: {asked.host}", "Connection: close")
            writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
            data = await reader.read(-1)
        finally:
            writer.close()
        # Both numbers have five digits, so that lengths stay as they are.
        return data.replace(f":{self._port}/".encode(), f":{self.front.port}/".encode())


def kind_of(path: str) -> str:
    """What a request of the link web is for."""
    for kind, form in (NOISE | OTHER).items():
        if form.fullmatch(path):
            return kind
    return "menu or probe"


def article_of(url: str) -> str:
    """The name of the article that a URL leads to; empty for other pages."""
    found = re.match(r"/(?:wiki|go)/([^?;]+)", urlsplit(url).path)
    return found[1] if found else ""


def resting(host: str, seconds: int, until: float) -> Misbehaviour:
    """503 with Retry-After from one host until a time (monotonic)."""

    def behave(asked: Asked) -> bytes | None:
        if asked.host != host or asked.time >= until or asked.path == "/robots.txt":
            return None
        retry = (f"Retry-After: {seconds}",)
        return answer("Busy", status="503 Service Unavailable", headers=retry)

    return behave


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOSTS[0], 0))
        return int(probe.getsockname()[1])
