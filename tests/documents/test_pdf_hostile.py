"""Hostile files of many kinds, one behind the other: each ends within its limits."""

from __future__ import annotations

import asyncio
import random
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from taxocrawl.documents.pdf_pool import PdfPool
from taxocrawl.items import Document
from tests.documents import pdfs

BAT = " ".join(pdfs.BAT)
TEXT = pdfs.lines(pdfs.BAT)
MEMORY_MB = 160
SECONDS = 0.7


def squeezed(unit: bytes, count: int) -> bytes:
    squeeze = zlib.compressobj(1)
    return b"".join(squeeze.compress(unit) for _ in range(count)) + squeeze.flush()


def runs_in_flate() -> bytes:
    """Run lengths within Flate: 128-fold on top of 1000-fold."""
    data = squeezed(bytes([129, 32]) * (1 << 15), 120)
    return pdfs.pages([data], filters=b"/Filter [/FlateDecode /RunLengthDecode]")


def object_stream_bomb() -> bytes:
    data = squeezed(b" " * (1 << 20), 250)
    return pdfs.assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [9 0 R] /Count 1 >>",
            pdfs.stream(data, b"/Type /ObjStm /N 1 /First 10 /Filter /FlateDecode"),
        ]
    )[:-120]


def cross_reference_bomb() -> bytes:
    head = b"%PDF-1.5\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    table = pdfs.stream(
        squeezed(b"\0" * (1 << 20), 250),
        b"/Type /XRef /Size 2147483647 /W [1 2 1] /Root 1 0 R /Filter /FlateDecode",
    )
    return head + b"3 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF" % (table, len(head))


def tree_of_doubles(depth: int = 40) -> bytes:
    """A page tree each of whose nodes has the next one as its child twice."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    objects += [
        b"<< /Type /Pages /Count %d /Kids [%d 0 R %d 0 R] >>"
        % (2 ** min(30, depth - level), level + 3, level + 3)
        for level in range(depth)
    ]
    objects.append(b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>")
    return pdfs.assembled(objects)


def deep_tree(depth: int = 3000) -> bytes:
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    objects += [
        b"<< /Type /Pages /Count 1 /Kids [%d 0 R] >>" % (level + 3) for level in range(depth)
    ]
    objects.append(b"<< /Type /Page /MediaBox [0 0 9 9] >>")
    return pdfs.assembled(objects)


def self_showing_font() -> bytes:
    """A Type 3 font whose glyph is drawn with the same font."""
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] "
        b"/FirstChar 0 /LastChar 255 /Encoding << /Differences [80 /P] >> "
        b"/CharProcs << /P 4 0 R >> /Resources << /Font << /F1 3 0 R >> >> >>"
    )
    return pdfs.pages([TEXT], font=font, more=[pdfs.stream(b"1 0 d0 BT /F1 1 Tf (PP) Tj ET")])


def scattered_words(count: int = 30_000) -> bytes:
    chance = random.Random(7)
    places = (
        pdfs.at(chance.randrange(600), chance.randrange(800), f"w{n}", 9) for n in range(count)
    )
    content = zlib.compress(b"".join(places))
    return pdfs.pages([content], filters=b"/Filter /FlateDecode")


HOSTILE: dict[str, Callable[[], bytes]] = {
    "runs in Flate": runs_in_flate,
    "three filters": lambda: pdfs.bomb(300, 3),
    "object stream": object_stream_bomb,
    "cross references": cross_reference_bomb,
    "forms": pdfs.doubling,
    "deep tree": deep_tree,
    "font": self_showing_font,
    "scattered words": scattered_words,
    "nested arrays": lambda: pdfs.pages([b"[" * 300_000 + TEXT]),
    "objects without end": lambda: b"%PDF-1.4\n" + b"1 0 obj " * 300_000,
    "pages without end": lambda: b"%PDF-1.4\n" + b"1 0 obj << /Type /Page >> endobj " * 50_000,
    "LZW noise": lambda: pdfs.pages(
        [random.Random(1).randbytes(100_000)], filters=b"/Filter /LZWDecode"
    ),
    "odd encryption": lambda: pdfs.bat().replace(
        b"/Root 1 0 R", b"/Root 1 0 R /Encrypt << /Filter /Standard /V 5 /R 6 /Length 99999 >>"
    ),
}

HARMLESS: dict[str, Callable[[], bytes]] = {
    "count beyond all pages": lambda: pdfs.bat().replace(b"/Count 1", b"/Count 2147483647"),
    "negative count": lambda: pdfs.bat().replace(b"/Count 1", b"/Count -5"),
    "huge page": lambda: pdfs.pages([TEXT], page=b"/MediaBox [-1e30 -1e30 1e30 1e38]"),
    "no number for a page size": lambda: pdfs.pages([TEXT], page=b"/MediaBox [nan inf (a) /b]"),
    "no page size": lambda: pdfs.pages([TEXT], page=b""),
    "outlines in a loop": lambda: pdfs.bat().replace(
        b"/Type /Catalog", b"/Type /Catalog /Outlines << /First 1 0 R >> /First 1 0 R /Next 1 0 R"
    ),
    "length of itself": lambda: pdfs.bat().replace(b"/Length ", b"/Length 4 0 R /L "),
    "script and attachment": lambda: pdfs.bat().replace(
        b"/Type /Catalog",
        b"/Type /Catalog /OpenAction << /S /JavaScript /JS (while(1){}) >> "
        b"/Names << /EmbeddedFiles << /Names [(a) 3 0 R] >> >>",
    ),
    "many updates": lambda: (
        pdfs.bat()
        + b"xref\n0 0\ntrailer\n<< /Size 6 /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF\n" * 500
    ),
    "metadata without end": lambda: pdfs.bat() + b"<x:xmpmeta dc:" * 100_000,
}


def test_all_hostile_files_end_within_their_limits() -> None:
    peaks: list[int] = []
    answers: dict[str, Document] = {}

    async def run() -> None:
        async with PdfPool(2, timeout_seconds=SECONDS, memory_mb=MEMORY_MB) as pool:

            async def read(name: str) -> None:
                body = HOSTILE[name]()
                async with one_at_a_time:
                    answers[name] = await pool.extract(body, name)
                    behind = await pool.extract(pdfs.bat(), "behind")
                    assert " ".join(behind.text.split()) == BAT, name

            async def watch() -> None:
                while True:
                    peaks.extend(map(peak_mb, pool.worker_pids))
                    await asyncio.sleep(0.02)

            one_at_a_time = asyncio.Semaphore(2)
            watching = asyncio.ensure_future(watch())
            await asyncio.gather(*map(read, HOSTILE))
            watching.cancel()

    asyncio.run(run())
    assert answers.keys() == HOSTILE.keys()
    assert 0 < max(peaks) <= MEMORY_MB
    for name, document in answers.items():
        assert document.reason or document.text, name


def peak_mb(pid: int) -> int:
    """MiB that a process held at most; 0 when it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    held = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(held[0].split()[1]) // 1024 if held else 0


@pytest.fixture(scope="module")
def harmless() -> dict[str, Document]:
    async def run() -> dict[str, Document]:
        async with PdfPool(2, timeout_seconds=20, memory_mb=MEMORY_MB) as pool:
            documents = await asyncio.gather(
                *(pool.extract(make(), name) for name, make in HARMLESS.items())
            )
            return dict(zip(HARMLESS, documents, strict=True))

    return asyncio.run(run())


@pytest.mark.parametrize("name", HARMLESS)
def test_odd_but_harmless_files_are_read(name: str, harmless: dict[str, Document]) -> None:
    assert " ".join(harmless[name].text.split()) == BAT
    assert harmless[name].reason == ""


def test_pages_without_end_are_cut_at_the_page_limit() -> None:
    async def run() -> Document:
        async with PdfPool(timeout_seconds=20, memory_mb=MEMORY_MB, max_pages=5) as pool:
            return await pool.extract(tree_of_doubles(), "doubles.pdf")

    document = asyncio.run(run())
    assert document.reason in {"malformed", "no text"}
    assert document.text == ""
