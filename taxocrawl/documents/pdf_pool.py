"""Has PDFs read by worker processes, off the event loop and within limits."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from taxocrawl.documents.pdf_protocol import LENGTH, MAX_HEAD, MAX_TEXT, frame
from taxocrawl.items import Document, Kind

logger = logging.getLogger(__name__)

ENGINES = ("default", "pdfium", "pdfminer")

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
class _Limits:
    seconds: float
    memory_mb: int
    max_pages: int
    nice: int


class _Worker:
    """One worker process and the conversation with it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.documents = 0

    @classmethod
    async def start(cls, limits: _Limits) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "taxocrawl.documents.pdf_worker",
            f"--memory-mb={limits.memory_mb}",
            f"--max-pages={limits.max_pages}",
            f"--nice={limits.nice}",
            f"--parent={os.getpid()}",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=_environment(),
            # Ctrl-C is for the crawl, which then closes its workers in good order.
            start_new_session=True,
        )
        worker = cls(process)
        try:
            async with asyncio.timeout(_START_SECONDS):
                await worker._read_frame(MAX_HEAD)
        except TimeoutError as error:
            await worker.kill()
            raise WorkerGoneError("worker died", "does not start") from error
        except BaseException:
            await worker.kill()
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


class PdfPool:
    """Worker processes that read PDFs, each within limits; for use in one event loop.

    Documents wait in order of arrival for whichever worker is free next, so that a slow one holds
    up only its own worker. Workers start when first needed, restart after a crash, and make way
    for a fresh one after `recycle_after` documents. Raises ValueError for arguments out of range.
    """

    def __init__(
        self,
        workers: int = 1,
        *,
        timeout_seconds: float = 30.0,
        memory_mb: int = 1024,
        max_pages: int = 500,
        max_bytes: int = 64 << 20,
        engine: str = "default",
        recycle_after: int = 200,
        nice: int = 10,
    ) -> None:
        if engine not in ENGINES:
            raise ValueError(f"PDF engine {engine!r}: expected one of {', '.join(ENGINES)}")
        for name, value, least in (
            ("workers", workers, 1),
            ("timeout_seconds", timeout_seconds, 0.1),
            ("memory_mb", memory_mb, 128),
            ("max_pages", max_pages, 1),
            ("max_bytes", max_bytes, 1),
            ("recycle_after", recycle_after, 1),
        ):
            if value < least:
                raise ValueError(f"PDF {name} {value}: expected at least {least}")
        self._limits = _Limits(timeout_seconds, memory_mb, max_pages, nice)
        self._engine = engine
        self._max_bytes = max_bytes
        self._recycle_after = recycle_after
        self._slots: asyncio.Queue[_Slot] = asyncio.Queue()
        self._all = [_Slot() for _ in range(workers)]
        for slot in self._all:
            self._slots.put_nowait(slot)

    async def extract(self, body: bytes, url: str) -> Document:
        """What a PDF says. Never raises for a bad document: its `reason` tells.

        Reasons: ``password``, ``malformed``, ``truncated``, ``time limit``, ``memory limit``,
        ``too large``, ``no text``, ``worker died``. Flags: see `pdf_engines.extract`, and
        ``control characters`` where such had to be taken out of the text.
        """
        if len(body) > self._max_bytes:
            return _failed(url, "too large", f"{len(body)} bytes, {self._max_bytes} are read")
        slot = await self._slots.get()
        try:
            return await self._read(slot, body, url)
        finally:
            if slot.worker and slot.worker.documents >= self._recycle_after:
                await slot.stop()
            self._slots.put_nowait(slot)

    @property
    def worker_pids(self) -> tuple[int, ...]:
        """Process ids of the workers that run now."""
        workers = (slot.worker for slot in self._all)
        return tuple(worker.pid for worker in workers if worker and worker.is_alive)

    async def close(self) -> None:
        """End all workers, also those that are reading."""
        await asyncio.gather(*(slot.stop() for slot in self._all))

    async def __aenter__(self) -> PdfPool:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _read(self, slot: _Slot, body: bytes, url: str) -> Document:
        seconds = self._limits.seconds
        end = time.monotonic() + seconds
        try:
            return _document(await slot.ask(self._limits, body, self._engine, seconds), url)
        except WorkerGoneError as error:
            left = end - time.monotonic()
            if self._engine != "default" or error.reason == "time limit" or left <= 0.1:
                return _failed(url, error.reason, error.detail)
            first = error
        # pdfium is native code, and ends its process where pdfminer raises an exception.
        try:
            document = _document(await slot.ask(self._limits, body, "pdfminer", left), url)
        except WorkerGoneError as error:
            return _failed(url, error.reason, f"{first.detail}, then {error.detail}")
        return replace(document, flags=(*document.flags, "second try"))


class _Slot:
    """The place of one worker, which may have to be started again."""

    def __init__(self) -> None:
        self.worker: _Worker | None = None

    async def ask(
        self, limits: _Limits, body: bytes, engine: str, seconds: float
    ) -> dict[str, Any]:
        """The answer on one PDF; the worker does not outlive a failure. Raises WorkerGoneError."""
        if self.worker is None or not self.worker.is_alive:
            self.worker = await _Worker.start(limits)
        try:
            return await self.worker.ask(body, engine, seconds)
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        worker, self.worker = self.worker, None
        if worker is not None:
            await worker.kill()


def extract_pdf(body: bytes, url: str, *, engine: str = "default") -> Document:
    """What a PDF says, read in a worker process that lives as long as this call.

    For commands; must not be called from within an event loop.
    """

    async def read() -> Document:
        async with PdfPool(engine=engine, nice=0) as pool:
            return await pool.extract(body, url)

    return asyncio.run(read())


def _failed(url: str, reason: str, detail: str) -> Document:
    logger.info(
        "PDF %(url)s: %(reason)s (%(detail)s)",
        {
            "url": url,
            "reason": reason,
            "detail": detail,
        },
    )
    return Document(kind=Kind.PDF, reason=reason)


def _document(fields: dict[str, Any], url: str) -> Document:
    reason = str(fields["reason"])
    flags = tuple(fields["flags"])
    if fields["controls"]:
        flags = (*flags, "control characters")
    if reason:
        detail = fields["detail"] or ", ".join(flags) or "no more is known"
        logger.info(
            "PDF %(url)s: %(reason)s (%(detail)s)",
            {
                "url": url,
                "reason": reason,
                "detail": detail,
            },
        )
    return Document(
        kind=Kind.PDF,
        text=fields["text"],
        title=fields["title"],
        authors=tuple(fields["authors"]),
        year=fields["year"],
        doi=fields["doi"],
        pages=fields["pages"],
        flags=flags,
        reason=reason,
    )


def _environment() -> dict[str, str]:
    """The little that a worker needs: no proxies, no secrets."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    # Threads of numeric libraries would each take address space.
    return {**kept, "PYTHONPATH": str(_ROOT), "PYTHONHASHSEED": "0", "MALLOC_ARENA_MAX": "1"}
