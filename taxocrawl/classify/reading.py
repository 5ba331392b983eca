"""Documents from files: what `taxocrawl.documents` makes of them, without a crawl."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from taxocrawl.documents.html import extract_html, extract_text
from taxocrawl.documents.kind import sniff
from taxocrawl.documents.pdf_pool import PdfPool
from taxocrawl.exceptions import ExtractionError, InputFileError
from taxocrawl.items import Document, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PDF_WORKERS = 2


def read_documents(paths: Sequence[Path]) -> list[Document | InputFileError]:
    """The document of each file, or the error that says why there is none. In the order given.

    What a file is, its bytes decide. An unreadable file, one of another kind than HTML, PDF or
    plain text, and one without text are errors of that file only. Not to be called from within an
    event loop.
    """
    return asyncio.run(_read_all(paths))


def document_of(body: bytes, url: str, charset: str | None = None) -> Document:
    """The document of one download. Raises InputFileError as `read_documents` returns it."""

    async def read() -> Document:
        async with PdfPool(nice=0) as pool:
            return await _extract(body, url, charset, pool)

    return asyncio.run(read())


async def _read_all(paths: Sequence[Path]) -> list[Document | InputFileError]:
    async with PdfPool(PDF_WORKERS, nice=0) as pool:
        # One after the other would leave the second worker idle; all at once would hold every
        # file's bytes in memory.
        gate = asyncio.Semaphore(2 * PDF_WORKERS)

        async def read(path: Path) -> Document | InputFileError:
            async with gate:
                try:
                    return await _extract(path.read_bytes(), str(path), None, pool)
                except OSError as error:
                    reason = error.strerror or type(error).__name__
                    return InputFileError(f"{path}: cannot be read ({reason})")
                except InputFileError as error:
                    return error

        return list(await asyncio.gather(*(read(path) for path in paths)))


async def _extract(body: bytes, url: str, charset: str | None, pool: PdfPool) -> Document:
    try:
        sniffed = sniff(body, url=url)
        if sniffed.kind is Kind.PDF:
            document = await pool.extract(sniffed.body, url)
        elif sniffed.kind is Kind.HTML:
            document = extract_html(sniffed.body, url, charset)
        elif sniffed.kind is Kind.TEXT:
            document = extract_text(sniffed.body, url, charset)
        else:
            raise InputFileError(f"{url}: expected HTML, PDF or plain text")
    except ExtractionError as error:
        raise InputFileError(f"{url}: no text ({error.reason})") from error
    if not document.text.strip():
        raise InputFileError(f"{url}: no text ({document.reason or 'empty'})")
    return document
