"""Has PDFs read by worker processes, off the event loop and within limits."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from typing import Any

from taxocrawl.documents.pdf_process import WorkerGoneError, WorkerLimits, WorkerProcess
from taxocrawl.items import Document, Kind

logger = logging.getLogger(__name__)

_CLOSED = "the PDF pool is closed"
ENGINES = ("default", "pdfium", "pdfminer")


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
        self._limits = WorkerLimits(timeout_seconds, memory_mb, max_pages, nice)
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
        """End all workers; `extract` raises RuntimeError from now on, also where it is waiting."""
        for slot in self._all:
            slot.closed = True
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
        self.worker: WorkerProcess | None = None
        self.closed = False

    async def ask(
        self, limits: WorkerLimits, body: bytes, engine: str, seconds: float
    ) -> dict[str, Any]:
        """The answer on one PDF; the worker does not outlive a failure.

        Raises WorkerGoneError, and RuntimeError once the pool is closed.
        """
        if self.closed:
            raise RuntimeError(_CLOSED)
        try:
            if self.worker is None or not self.worker.is_alive:
                self.worker = await WorkerProcess.start(limits)
            return await self.worker.ask(body, engine, seconds)
        except BaseException as error:
            await self.stop()
            if self.closed and isinstance(error, WorkerGoneError):
                # No answer on the document, which a later run must read again.
                raise RuntimeError(_CLOSED) from error
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
    _log(url, reason, detail)
    return Document(kind=Kind.PDF, reason=reason)


def _log(url: str, reason: str, detail: str) -> None:
    values = {"url": url, "reason": reason, "detail": " ".join(detail.split())}
    logger.info("PDF %(url)s: %(reason)s (%(detail)s)", values)


def _document(fields: dict[str, Any], url: str) -> Document:
    reason = str(fields["reason"])
    flags = tuple(fields["flags"])
    if fields["controls"]:
        flags = (*flags, "control characters")
    if reason:
        detail = fields["detail"] or ", ".join(flags) or "no more is known"
        _log(url, reason, detail)
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
