"""A server that answers each path as a test says, byte by byte.

A behaviour is a function of the request (path with query, headers in lower case) that returns the
raw bytes of the whole answer, and perhaps a delay; the connection is closed after it. It may be a
coroutine.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from inspect import isawaitable

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it."""

    host: str
    path: str
    headers: dict[str, str]
    time: float = field(default_factory=time.monotonic, compare=False)


Answer = bytes | tuple[bytes, float] | None
Behaviour = Callable[[Asked], "Answer | Awaitable[Answer]"]


def answer(
    body: bytes | str,
    content_type: str | list[str] | None = HTML,
    status: str = "200 OK",
    headers: tuple[str, ...] = (),
    length: int | None = -1,
) -> bytes:
    """An HTTP answer; `length` None leaves Content-Length out, -1 states the true one."""
    body = body.encode() if isinstance(body, str) else body
    types = [content_type] if isinstance(content_type, str) else content_type or []
    lines = [f"HTTP/1.1 {status}", *(f"Content-Type: {t}" for t in types), *headers]
    if length is not None:
        lines.append(f"Content-Length: {len(body) if length < 0 else length}")
    lines.append("Connection: close")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


NOT_FOUND = answer("<html><body>Not found</body></html>", status="404 Not Found")


class OddServer:
    """Serves behaviours on loopback addresses for the time of a ``with`` block.

    Args:
        behave: answers a request; None means 404.
        hosts: loopback addresses, each a host of its own.
    """

    def __init__(
        self,
        behave: Behaviour,
        hosts: tuple[str, ...] = ("127.0.0.1",),
    ) -> None:
        self.behave = behave
        self.hosts = hosts
        self.asked: list[Asked] = []
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> OddServer:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *exception: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def paths(self, host: str = "127.0.0.1") -> list[str]:
        """The paths asked for, robots.txt left out, in order."""
        return [a.path for a in self.asked if a.host == host and a.path != "/robots.txt"]

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._listen())
        self._ready.set()
        self._loop.run_forever()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    async def _listen(self) -> None:
        for host in self.hosts:
            server = await asyncio.start_server(self._client, host, self.port)
            self.port = server.sockets[0].getsockname()[1]

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
            asked = Asked(writer.get_extra_info("sockname")[0], head[0].split(" ")[1], headers)
            self.asked.append(asked)
            given = self.behave(asked)
            if isawaitable(given):
                given = await given
            data, delay = given if isinstance(given, tuple) else (given, 0.0)
            if delay:
                await asyncio.sleep(delay)
            writer.write(data or NOT_FOUND)
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()
