"""Serves the small web on 127.0.0.1 to 127.0.0.5, each address a host of its own, at one port.

    python -m tests.sites.server [--port N] [--log FILE]
    python -m tests.sites.server [--port N] [--log FILE] -- COMMAND ...

With a command, the web is served for as long as the command runs; ``{port}`` in its arguments
stands for the port, and its exit code is passed on. Only the standard library is needed.
"""

from __future__ import annotations

import argparse
import asyncio
import errno
import gzip
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from email.utils import formatdate
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from tests.sites.answers import Answer, Request, answer
from tests.sites.content import absolute, hosts

ROOT = Path(__file__).parents[2]
START_SECONDS = 20
IDLE_SECONDS = 30
MIN_GZIP_BYTES = 500


class SmallWebError(Exception):
    """The small web cannot be served; the message says why and what helps."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One request as the server saw it."""

    time: float
    """Seconds since the epoch."""
    host: str
    path: str
    status: int
    agent: str


def read_log(path: Path) -> list[LogLine]:
    """The access log: tab-separated time, host, path with query, status, user agent."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        seconds, host, target, status, agent = line.split("\t")
        lines.append(LogLine(float(seconds), host, target, int(status), agent))
    return lines


class SmallWeb:
    """The small web in a process of its own, for the time of a ``with`` block.

    The process also ends when this one dies, since it then loses its standard input.
    """

    def __init__(self, port: int = 0, log: Path | None = None) -> None:
        self.port = port
        self._folder = tempfile.TemporaryDirectory(prefix="smallweb-")
        self.log = log or Path(self._folder.name) / "access.log"

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.sites.server", "--port", str(self.port)]
        command += ["--log", str(self.log.absolute()), "--until-input-ends"]
        self._errors = (Path(self._folder.name) / "errors").open("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            start_new_session=True,  # Ctrl-C stops the crawl, which may still need its pages
        )
        self.port = self._announced_port()
        return self

    def _announced_port(self) -> int:
        """Wait for the line that says which port the server listens on."""
        watch = threading.Timer(START_SECONDS, self._process.kill)
        watch.start()
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        watch.cancel()
        if not line:
            self._process.communicate()
            message = self._read_errors().strip().removeprefix("small web: ")
            self._folder.cleanup()
            raise SmallWebError(message or "the small web did not start")
        return int(line.rsplit(" ", 1)[1])

    def _read_errors(self) -> str:
        with self._errors:
            self._errors.seek(0)
            return self._errors.read()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        try:
            self._process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
        print(self._read_errors(), end="", file=sys.stderr)
        self._folder.cleanup()

    def url(self, host: str, path: str = "/") -> str:
        """The URL of a path on a host, named by its key (``annals``) or address."""
        address = hosts()[host].address if host in hosts() else host
        return f"http://{address}:{self.port}{path}"

    def requests(self) -> list[LogLine]:
        """The requests answered so far, in order."""
        return read_log(self.log)


class _Server:
    def __init__(self, port: int, log: TextIO) -> None:
        self.port = port
        self.log = log

    async def listen(self) -> list[asyncio.Server]:
        """Listen on all addresses; a free port is looked for when none is named."""
        addresses = [host.address for host in hosts().values()]
        for attempt in range(20):
            port = self.port or _free_port(addresses[0])
            servers: list[asyncio.Server] = []
            try:
                for address in addresses:
                    servers.append(await asyncio.start_server(self._client, address, port))
            except OSError as error:
                for server in servers:
                    server.close()
                if error.errno != errno.EADDRINUSE or self.port or attempt == 19:
                    raise SmallWebError(_why(error, address, port)) from error
                continue
            self.port = port
            return servers
        raise AssertionError("unreachable")

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = writer.get_extra_info("sockname")[0]
        try:
            while await self._exchange(address, reader, writer):
                pass
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError, TimeoutError):
            pass  # the client went away or fell silent: nothing is owed to it
        finally:
            writer.close()

    async def _exchange(
        self, address: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Answer one request; False when the connection is to be closed."""
        async with asyncio.timeout(IDLE_SECONDS):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        request_line, *lines = head.rstrip("\r\n").split("\r\n")
        parts = request_line.split(" ")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines)
        }
        method, target, version = parts if len(parts) == 3 else ("", "/", "HTTP/1.0")
        found = self._found(method, Request(address, target, headers))
        self._write_log(address, target, found.status, headers.get("user-agent", "-"))
        if found.status < 0:
            return False
        keep = version == "HTTP/1.1" and headers.get("connection", "").lower() != "close"
        writer.write(_encoded(found, headers, head_only=method == "HEAD", keep=keep))
        await writer.drain()
        return keep

    def _found(self, method: str, request: Request) -> Answer:
        if method not in {"GET", "HEAD"}:
            status = 405 if method else 400
            return Answer(
                status, HTTPStatus(status).phrase.encode(), {"Content-Type": "text/plain"}
            )
        try:
            return answer(request, self.port)
        except ValueError as error:  # a query or path that makes no sense
            return Answer(400, str(error).encode(), {"Content-Type": "text/plain"})

    def _write_log(self, address: str, target: str, status: int, agent: str) -> None:
        fields = (f"{time.time():.3f}", address, target, str(status), agent)
        print("\t".join(part.replace("\t", " ") for part in fields), file=self.log, flush=True)


def _encoded(found: Answer, asked: dict[str, str], *, head_only: bool, keep: bool) -> bytes:
    body = found.body
    headers = {"Date": formatdate(usegmt=True), "Server": "smallweb", **found.headers}
    compressible = found.headers.get("Content-Type", "").startswith(("text/", "application/json"))
    if (
        compressible
        and len(body) >= MIN_GZIP_BYTES
        and not body.startswith(b"%PDF-")
        and "gzip" in asked.get("accept-encoding", "")
    ):
        body = gzip.compress(body, mtime=0)
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    headers |= {"Content-Length": str(len(body)), "Connection": "keep-alive" if keep else "close"}
    status = f"HTTP/1.1 {found.status} {HTTPStatus(found.status).phrase}"
    lines = [status, *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1") + (b"" if head_only else body)


def _free_port(address: str) -> int:
    with socket.socket() as probe:
        probe.bind((address, 0))
        return int(probe.getsockname()[1])


def _why(error: OSError, address: str, port: int) -> str:
    message = f"cannot listen on {address}:{port}: {error.strerror or error}"
    if error.errno == errno.EADDRNOTAVAIL:
        message += (
            ". Linux has all of 127.0.0.0/8; on macOS add each address first, for instance: "
            f"sudo ifconfig lo0 alias {address} up"
        )
    return message


async def _serve(port: int, log: Path | None, until_input_ends: bool) -> None:
    with (log or Path(os.devnull)).open("w", encoding="utf-8") as file:
        server = _Server(port, file)
        listening = await server.listen()
        print(f"small web on {absolute('//search/', server.port)}, port {server.port}", flush=True)
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        if until_input_ends:
            loop.add_reader(sys.stdin, stop.set)
        await stop.wait()
        for one in listening:
            one.close()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.sites.server",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=0, help="0 (default) picks a free one")
    parser.add_argument("--log", type=Path, help="access log, one line a request")
    parser.add_argument("--until-input-ends", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="run for its time only")
    return parser.parse_args()


def main() -> int:
    arguments = _arguments()
    try:
        if not arguments.command:
            asyncio.run(_serve(arguments.port, arguments.log, arguments.until_input_ends))
            return 0
        with SmallWeb(arguments.port, arguments.log) as web:
            command = [part.replace("{port}", str(web.port)) for part in arguments.command]
            return subprocess.call(command)
    except SmallWebError as error:
        print(f"small web: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
