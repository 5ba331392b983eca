"""Longest stall of an event loop while 20 large PDFs are read, against the idle loop.

    python benchmarks/reactor_stall.py [--pdfs 20] [--pages 80] [--workers 1] [--engine default]

The PDFs are made here: pages of two columns, and 4 MB that do not compress in each file. A task
sleeps for a millisecond over and over and notes how late it wakes; once with nothing else to do,
once while the pool reads, and, for comparison, once while one PDF is read in the loop itself.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import random
import time
from collections.abc import Awaitable

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from taxocrawl.documents.pdf_engines import extract
from taxocrawl.documents.pdf_pool import PdfPool

TICK = 0.001
WORDS = (
    "the bats of all islands were measured again and their forearms compared with those of".split()
)


def large_pdf(pages: int, seed: int) -> bytes:
    chance = random.Random(seed)
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, pageCompression=1)
    for _ in range(pages):
        canvas.setFont("Times-Roman", 9)
        for column in (55, 305):
            for row in range(58):
                text = " ".join(chance.choice(WORDS) for _ in range(9))
                canvas.drawString(column, 780 - 12.5 * row, text)
        canvas.showPage()
    canvas.save()
    # As large as a paper with photographs.
    return out.getvalue() + b"%" + chance.randbytes(4 << 20).replace(b"%%EOF", b"")


async def lag(work: Awaitable[object]) -> dict[str, float]:
    """Lateness of a millisecond's sleep, in ms, until the work is done."""
    late: list[float] = []
    task = asyncio.ensure_future(work)
    while not task.done():
        start = time.perf_counter()
        await asyncio.sleep(TICK)
        late.append(1000 * (time.perf_counter() - start - TICK))
    await task
    late.sort()
    return {
        "median": round(late[len(late) // 2], 2),
        "p99": round(late[int(0.99 * len(late))], 2),
        "longest": round(late[-1], 2),
        "ticks": len(late),
    }


async def measure(options: argparse.Namespace) -> dict[str, object]:
    bodies = [large_pdf(options.pages, seed) for seed in range(options.pdfs)]
    report: dict[str, object] = {"bytes each": len(bodies[0])}
    report["idle, ms"] = idle = await lag(asyncio.sleep(5))
    async with PdfPool(options.workers, engine=options.engine) as pool:
        start = time.perf_counter()

        async def read_all() -> None:
            documents = await asyncio.gather(
                *(pool.extract(body, f"{number}.pdf") for number, body in enumerate(bodies))
            )
            assert all(document.pages == options.pages for document in documents)
            assert not any(document.reason for document in documents)

        report["pool, ms"] = busy = await lag(read_all())
        report["pages a second"] = round(
            options.pdfs * options.pages / (time.perf_counter() - start), 1
        )
    report["longest, pool to idle"] = round(busy["longest"] / max(idle["longest"], 0.01), 2)

    async def inline() -> None:
        extract(bodies[0])

    report["in the loop, ms"] = await lag(inline())
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description="Longest stall while PDFs are read.")
    parser.add_argument("--pdfs", type=int, default=20)
    parser.add_argument("--pages", type=int, default=80)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--engine", default="default")
    print(json.dumps(asyncio.run(measure(parser.parse_args())), indent=1))


if __name__ == "__main__":
    main()
