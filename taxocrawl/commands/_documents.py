"""Documents that a command's arguments name: files, folders of files, and URLs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.log import configure_logging
from w3lib.encoding import http_content_type_encoding

from taxocrawl.classify.reading import document_of, read_documents
from taxocrawl.exceptions import InputFileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scrapy.http import Response
    from scrapy.settings import Settings

    from taxocrawl.items import Document

Found = tuple[str, "Document | InputFileError"]

# A handful of pages is fetched with Scrapy's own parts: no frontier, no run folder.
PLAIN = {
    "SCHEDULER": "scrapy.core.scheduler.Scheduler",
    "DOWNLOADER_MIDDLEWARES": {},
    "SPIDER_MIDDLEWARES": {},
    "ITEM_PIPELINES": {},
    "EXTENSIONS": {},
    "LOG_LEVEL": "ERROR",
    "LOG_INSTALL_ROOT_HANDLER": False,
    "HTTPERROR_ALLOW_ALL": True,
}


def documents_of(sources: Sequence[str], settings: Settings) -> list[Found]:
    """Each source's documents, in order: name, and the document or why there is none.

    A source is a file (HTML, PDF or text, told by its bytes), a folder (its files, by name), or an
    http(s) URL, which is fetched politely. Not to be called from within an event loop.
    """
    names = [name for source in sources for name in expanded(source)]
    urls = [name for name in names if is_url(name)]
    paths = [name for name in names if not is_url(name)]
    found = dict(zip(paths, read_documents([Path(name) for name in paths]), strict=True))
    if urls:
        found |= _fetched(urls, settings)
    return [(name, found[name]) for name in names]


def is_url(source: str) -> bool:
    return urlsplit(source).scheme in ("http", "https")


def expanded(source: str) -> list[str]:
    """The names of a source's documents: its own, or those of a folder's files."""
    path = Path(source)
    if is_url(source) or not path.is_dir():
        return [source]
    files = sorted(str(f) for f in path.iterdir() if f.is_file() and not f.name.startswith("."))
    if not files:
        raise InputFileError(f"{source}: expected a folder with files of text, HTML or PDF")
    return files


def _fetched(urls: Sequence[str], settings: Settings) -> dict[str, Document | InputFileError]:
    answers: dict[str, tuple[bytes, str | None] | str] = {}
    plain = settings.copy()
    plain.update(PLAIN, priority="cmdline")
    process = AsyncCrawlerProcess(plain)
    configure_logging({"LOG_LEVEL": "ERROR"})
    process.crawl(_Fetcher, urls=list(dict.fromkeys(urls)), answers=answers)
    process.start()
    return {url: _document(url, answers.get(url, "no answer")) for url in urls}


def _document(url: str, answer: tuple[bytes, str | None] | str) -> Document | InputFileError:
    if isinstance(answer, str):
        return InputFileError(f"{url}: cannot be fetched ({answer})")
    try:
        return document_of(answer[0], url, answer[1])
    except InputFileError as error:
        return error


class _Fetcher(scrapy.Spider):
    name = "documents"

    def __init__(self, urls: list[str], answers: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.urls, self.answers = urls, answers

    async def start(self) -> Any:
        for request in self._requests():
            yield request

    def _requests(self) -> Iterator[scrapy.Request]:
        for url in self.urls:
            yield scrapy.Request(url, errback=self._failed, cb_kwargs={"asked": url})

    def parse(self, response: Response, asked: str) -> None:
        if response.status != 200:
            self.answers[asked] = f"status {response.status}"
            return
        header = response.headers.get("Content-Type")
        charset = http_content_type_encoding(header.decode("latin-1")) if header else None
        self.answers[asked] = (response.body, charset)

    def _failed(self, failure: Any) -> None:
        self.answers[failure.request.cb_kwargs["asked"]] = type(failure.value).__name__
