"""Hostile documents cost a worker at most; the pool, and the documents behind them, go on."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from taxocrawl.documents.pdf_pool import PdfPool, extract_pdf
from taxocrawl.items import Document, Kind
from tests.documents import pdfs

BAT = " ".join(pdfs.BAT)


def with_pool(use: Callable[[PdfPool], Awaitable[None]], **options: object) -> None:
    async def run() -> None:
        async with PdfPool(**{"memory_mb": 256, "timeout_seconds": 20, **options}) as pool:
            await use(pool)

    asyncio.run(run())


def read(body: bytes, **options: object) -> Document:
    """One document's answer, after which the pool must still read a normal one."""
    answers: list[Document] = []

    async def use(pool: PdfPool) -> None:
        answers.append(await pool.extract(body, "http://j.example/a.pdf"))
        behind = await pool.extract(pdfs.bat(), "http://j.example/b.pdf")
        assert folded(behind) == BAT

    with_pool(use, **options)
    return answers[0]


def folded(document: Document) -> str:
    return " ".join(document.text.split())


def resident(pid: int) -> int:
    """MiB of memory that a process holds, and held at most."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) // 1024


def test_a_normal_document() -> None:
    document = read(pdfs.bat())
    assert (folded(document), document.kind, document.pages) == (BAT, Kind.PDF, 1)
    assert (document.reason, document.flags) == ("", ())


def test_outside_of_an_event_loop() -> None:
    assert folded(extract_pdf(pdfs.bat(), "b.pdf")) == BAT


def test_removed_control_characters_are_flagged() -> None:
    assert read(pdfs.ligatures()).flags == ("control characters",)


def test_a_bomb_ends_by_the_memory_limit_of_its_worker() -> None:
    peaks: list[int] = []

    async def use(pool: PdfPool) -> None:
        task = asyncio.ensure_future(pool.extract(pdfs.bomb(300), "bomb.pdf"))
        while not task.done():
            for pid in pool.worker_pids:
                try:
                    peaks.append(resident(pid))
                except (OSError, StopIteration):
                    continue
            await asyncio.sleep(0.01)
        assert task.result().reason in {"memory limit", "too large"}

    with_pool(use, memory_mb=160)
    assert 0 < max(peaks) <= 160


def test_doubling_forms_end_by_the_time_limit() -> None:
    document = read(pdfs.doubling(), timeout_seconds=1)
    assert document.reason in {"time limit", "memory limit"}


def test_documents_behind_hostile_ones_are_all_read() -> None:
    async def use(pool: PdfPool) -> None:
        hostile = [pdfs.doubling(), pdfs.bomb(300), pdfs.looping_tables(), b"%PDF-1.4 nothing"]
        bodies = [*hostile, *([pdfs.bat()] * 50)]
        answers = await asyncio.gather(
            *(pool.extract(body, f"{number}.pdf") for number, body in enumerate(bodies))
        )
        assert [folded(answer) for answer in answers[4:]] == [BAT] * 50
        assert len(pool.worker_pids) <= 2

    with_pool(use, workers=2, timeout_seconds=1, memory_mb=160)


def test_one_hostile_document_holds_up_one_worker_only() -> None:
    async def use(pool: PdfPool) -> None:
        done: list[str] = []

        async def extract(name: str, body: bytes) -> None:
            await pool.extract(body, name)
            done.append(name)

        await asyncio.gather(
            extract("hostile", pdfs.doubling()),
            *(extract(f"normal {number}", pdfs.bat()) for number in range(8)),
        )
        assert done[-1] == "hostile"

    with_pool(use, workers=2, timeout_seconds=2, memory_mb=160)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT])
def test_a_worker_killed_between_documents_is_replaced(number: signal.Signals) -> None:
    async def use(pool: PdfPool) -> None:
        await pool.extract(pdfs.bat(), "a.pdf")
        (pid,) = pool.worker_pids
        os.kill(pid, number)
        assert folded(await pool.extract(pdfs.bat(), "b.pdf")) == BAT
        assert pool.worker_pids != (pid,)

    with_pool(use)


def test_a_worker_killed_while_reading_is_a_reason() -> None:
    async def use(pool: PdfPool) -> None:
        await pool.extract(pdfs.bat(), "a.pdf")
        task = asyncio.ensure_future(pool.extract(pdfs.doubling(), "b.pdf"))
        await asyncio.sleep(0.3)
        for pid in pool.worker_pids:
            os.kill(pid, signal.SIGKILL)
        assert (await task).reason == "worker died"
        assert folded(await pool.extract(pdfs.bat(), "c.pdf")) == BAT

    with_pool(use, engine="pdfminer")


def test_workers_make_way_for_fresh_ones() -> None:
    async def use(pool: PdfPool) -> None:
        running = []
        for _ in range(4):
            await pool.extract(pdfs.bat(), "a.pdf")
            running.append(pool.worker_pids)
        assert [len(pids) for pids in running] == [1, 0, 1, 0]
        assert running[0] != running[2]

    with_pool(use, recycle_after=2)


def test_too_large_is_answered_without_a_worker() -> None:
    async def use(pool: PdfPool) -> None:
        document = await pool.extract(pdfs.bat(), "a.pdf")
        assert (document.reason, document.text) == ("too large", "")
        assert pool.worker_pids == ()

    with_pool(use, max_bytes=100)


def test_more_pages_than_the_limit() -> None:
    document = read(pdfs.chapters(4), max_pages=2)
    assert (document.pages, document.flags, document.reason) == (4, ("partial pages",), "")
    assert "Chapter 3" not in document.text


def test_a_cancelled_reading_leaves_the_pool_usable() -> None:
    async def use(pool: PdfPool) -> None:
        task = asyncio.ensure_future(pool.extract(pdfs.doubling(), "a.pdf"))
        await asyncio.sleep(0.8)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert folded(await pool.extract(pdfs.bat(), "b.pdf")) == BAT

    with_pool(use)


def test_closing_ends_the_workers() -> None:
    pids: list[int] = []

    async def use(pool: PdfPool) -> None:
        await asyncio.gather(*(pool.extract(pdfs.bat(), "a.pdf") for _ in range(4)))
        pids.extend(pool.worker_pids)

    with_pool(use, workers=2)
    assert pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_closed_pool_gives_no_answers() -> None:
    async def use(pool: PdfPool) -> None:
        reading = asyncio.ensure_future(pool.extract(pdfs.doubling(), "a.pdf"))
        waiting = asyncio.ensure_future(pool.extract(pdfs.bat(), "b.pdf"))
        await asyncio.sleep(1)
        await pool.close()
        for task in (reading, waiting):
            with pytest.raises(RuntimeError, match="the PDF pool is closed"):
                await task
        assert pool.worker_pids == ()

    with_pool(use)


def test_bad_documents_are_logged_in_one_line_with_their_url(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", logger="taxocrawl.documents.pdf_pool")
    read(b"%PDF-1.4")
    (record,) = caplog.records
    assert record.getMessage().startswith("PDF http://j.example/a.pdf: truncated (")
    assert "\n" not in record.getMessage()


def test_a_worker_runs_under_limits() -> None:
    async def use(pool: PdfPool) -> None:
        await pool.extract(pdfs.bat(), "a.pdf")
        (pid,) = pool.worker_pids
        table = Path(f"/proc/{pid}/limits").read_text(encoding="ascii").splitlines()
        limits = {line[:26].strip(): line[26:].split()[:2] for line in table}
        assert limits["Max address space"] == [str(256 << 20)] * 2
        assert limits["Max core file size"] == ["0", "0"]
        assert limits["Max file size"] == ["0", "0"]
        assert limits["Max processes"] == ["0", "0"]
        assert int(limits["Max cpu time"][0]) < 60
        environment = Path(f"/proc/{pid}/environ").read_bytes()
        assert b"SECRET_OF_THE_CRAWL" not in environment
        assert os.getpriority(os.PRIO_PROCESS, pid) == os.getpriority(os.PRIO_PROCESS, 0) + 7

    os.environ["SECRET_OF_THE_CRAWL"] = "x"
    try:
        with_pool(use, nice=7)
    finally:
        del os.environ["SECRET_OF_THE_CRAWL"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_all_processes_of_a_crawl_costs_no_document(number: signal.Signals) -> None:
    async def use(pool: PdfPool) -> None:
        await pool.extract(pdfs.bat(), "first.pdf")
        (pid,) = pool.worker_pids
        os.kill(pid, number)
        assert folded(await pool.extract(pdfs.bat(), "second.pdf")) == BAT
        assert list(pool.worker_pids) == [pid]

    with_pool(use)


def test_workers_do_not_outlive_the_process_that_started_them() -> None:
    program = (
        "import asyncio, time\n"
        "from taxocrawl.documents.pdf_pool import PdfPool\n"
        "from tests.documents import pdfs\n"
        "async def run():\n"
        "    pool = PdfPool(memory_mb=256)\n"
        "    await pool.extract(pdfs.bat(), 'a.pdf')\n"
        "    print(*pool.worker_pids, flush=True)\n"
        "    await pool.extract(pdfs.doubling(), 'b.pdf')\n"
        "asyncio.run(run())\n"
    )
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=root, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    for _ in range(100):
        if not is_running(pid):
            return
        time.sleep(0.05)
    pytest.fail(f"worker {pid} lives on")


def is_running(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return False
    return status.rsplit(")", 1)[1].split()[0] != "Z"


def test_text_that_is_larger_than_a_pipe() -> None:
    body = pdfs.chapters(60, 30)
    document = read(body)
    assert document.text.count("has a forearm of") == 1800


def test_a_body_that_is_larger_than_a_pipe() -> None:
    # A comment behind the end mark; the reader skips it.
    assert folded(read(pdfs.bat() + b"%" * 3_000_000)) == BAT


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "acrobat"}, "expected one of default, pdfium, pdfminer"),
        ({"workers": 0}, "PDF workers 0: expected at least 1"),
        ({"memory_mb": 10}, "PDF memory_mb 10: expected at least"),
        ({"timeout_seconds": 0}, "PDF timeout_seconds 0: expected at least"),
    ],
)
def test_wrong_arguments(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PdfPool(**options)
