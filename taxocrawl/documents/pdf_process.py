"""One worker process that reads PDFs, and the conversation with it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from taxocrawl.documents.pdf_protocol import LENGTH, MAX_HEAD, MAX_TEXT, frame

logger = logging.getLogger(__name__)

_ROOT = Path(__file__).resolve().parents[2]
_START_SECONDS = 60.0
_CHUNK = 1 << 16
_CRASHES = {
    signal.SIGXCPU: "time limit",
    # pdfium ends its process so when it cannot have more memory.
    signal.SIGABRT: "memory limit",
    signal.SIGTRAP: "memory limit",
    signal.SIGILL: "memory limit",
}


class WorkerGoneError(Exception):
    """A worker ended, or answered nonsense, while it had a document; carries the reason."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What one worker may use, and how much of one PDF it reads."""

    seconds: float
    memory_mb: int
    max_pages: int
    nice: int


class WorkerProcess:
    """One worker process and the conversation with it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.documents = 0

    @classmethod
    async def start(cls, limits: WorkerLimits) -> WorkerProcess:
        try:
            process = await asyncio.create_subprocess_exec(
                *_command(limits),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=_environment(),
                # Ctrl-C is for the crawl, which then closes its workers in good order.
                start_new_session=True,
            )
        except OSError as error:
            raise WorkerGoneError("worker died", f"cannot be started: {error}") from error
        worker = cls(process)
        try:
            async with asyncio.timeout(_START_SECONDS):
                await worker._read_frame(MAX_HEAD)
        except BaseException as error:
            await worker.kill()
            if isinstance(error, TimeoutError | WorkerGoneError):
                logger.warning("PDF worker does not start: %(error)s", {"error": error})
                raise WorkerGoneError("worker died", "does not start") from error
            raise
        return worker

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None

    async def ask(self, body: bytes, engine: str, seconds: float) -> dict[str, Any]:
        """The answer on one PDF. Raises WorkerGoneError, after which the worker is useless."""
        self.documents += 1
        try:
            async with asyncio.timeout(seconds):
                head = json.dumps({"engine": engine, "seconds": seconds}).encode()
                await self._write(frame(head) + LENGTH.pack(len(body)))
                # In pieces: writing a large body at once would hold up the loop.
                for start in range(0, len(body), _CHUNK):
                    await self._write(body[start : start + _CHUNK])
                fields = json.loads(await self._read_frame(MAX_HEAD))
                fields["text"] = (await self._read_frame(MAX_TEXT)).decode("utf-8", "replace")
                return dict(fields)
        except TimeoutError as error:
            raise WorkerGoneError("time limit", f"no answer within {seconds:g} s") from error

    async def kill(self) -> int:
        """End the process now; its exit status."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        return await self._process.wait()

    async def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(data)
            await self._process.stdin.drain()
        except (ConnectionError, RuntimeError) as error:
            raise await self._gone() from error

    async def _read_frame(self, most: int) -> bytes:
        assert self._process.stdout is not None
        try:
            (length,) = LENGTH.unpack(await self._process.stdout.readexactly(LENGTH.size))
            if length > most:
                raise WorkerGoneError("worker died", f"an answer of {length} bytes")
            return await self._process.stdout.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise await self._gone() from error

    async def _gone(self) -> WorkerGoneError:
        status = await self._process.wait()
        number = signal.Signals(-status) if status < 0 else None
        detail = f"ended by {number.name}" if number else f"exit status {status}"
        return WorkerGoneError(
            _CRASHES.get(number, "worker died") if number else "worker died", detail
        )


def _command(limits: WorkerLimits) -> list[str]:
    return [
        sys.executable,
        "-P",
        "-m",
        "taxocrawl.documents.pdf_worker",
        f"--memory-mb={limits.memory_mb}",
        f"--max-pages={limits.max_pages}",
        f"--nice={limits.nice}",
        f"--parent={os.getpid()}",
    ]


def _environment() -> dict[str, str]:
    """The little that a worker needs: no proxies, no secrets."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    # Threads of numeric libraries would each take address space.
    return {**kept, "PYTHONPATH": str(_ROOT), "PYTHONHASHSEED": "0", "MALLOC_ARENA_MAX": "1"}
