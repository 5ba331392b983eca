"""Pages on and off a topic, gathered into a folder with an index that tells what was had."""

from __future__ import annotations

import csv
import hashlib
import math
import sys
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.log import configure_logging

from taxocrawl.classify import text_of
from taxocrawl.classify.reading import read_documents
from taxocrawl.commands._documents import PLAIN
from taxocrawl.exceptions import InputFileError, SeedError, StorageError
from taxocrawl.items import Category
from taxocrawl.seeds import gather
from taxocrawl.spiders.seeding import downloader_fetch, seed_providers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from scrapy.http import Response
    from scrapy.settings import Settings

_COLUMNS = ("path", "label", "url", "query")
_GIVE_UP = 3
"""Searches in a row without an answer after which the services are taken to be out of reach."""


class TrainingPages:
    """A folder of pages: index.csv has a line for each, `pages/` its bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.index = folder, folder / "index.csv"
        try:
            (folder / "pages").mkdir(parents=True, exist_ok=True)
            if not self.index.exists():
                self.index.write_text(",".join(_COLUMNS) + "\n", encoding="utf-8")
        except OSError as error:
            raise StorageError(f"{folder}: cannot be written ({error.strerror})") from error

    def rows(self) -> list[dict[str, str]]:
        """The lines of the index, in the order in which pages came."""
        with self.index.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def count(self, category: Category) -> int:
        return sum(row["label"] == category for row in self.rows())

    def add(self, url: str, query: str, category: Category, body: bytes) -> None:
        """Keep a page: its bytes first, then its line."""
        path = f"pages/{hashlib.sha256(url.encode()).hexdigest()[:16]}"
        (self.folder / path).write_bytes(body)
        with self.index.open("a", encoding="utf-8", newline="") as file:
            csv.writer(file).writerow((path, category.value, url, query))

    def samples(self) -> tuple[list[str], list[Category]]:
        """Text and category of each page that has text."""
        rows = self.rows()
        documents = read_documents([self.folder / row["path"] for row in rows])
        found = [
            (text_of(document), Category(row["label"]))
            for row, document in zip(rows, documents, strict=True)
            if not isinstance(document, InputFileError)
        ]
        return [text for text, _ in found], [category for _, category in found]


def gather_pages(
    pages: TrainingPages,
    settings: Settings,
    seeds: str,
    queries: Sequence[str],
    off_topic: Sequence[str],
    *,
    positives: int,
    negatives: int,
) -> None:
    """Search for and fetch what is missing, saying which searches failed.

    Raises SeedError when three in a row failed, or all.
    """
    plain = settings.copy()
    plain.update(PLAIN, priority="cmdline")
    process = AsyncCrawlerProcess(plain)
    configure_logging({"LOG_LEVEL": "ERROR"})
    wanted = [(query, Category.TAXONOMIC, math.ceil(positives / len(queries))) for query in queries]
    wanted += [
        (query, Category.NON_TAXONOMIC, math.ceil(negatives / len(off_topic)))
        for query in off_topic
    ]
    failed: list[SeedError] = []
    process.crawl(
        _Gatherer,
        pages=pages,
        seeds=seeds,
        wanted=wanted,
        limits={Category.TAXONOMIC: positives, Category.NON_TAXONOMIC: negatives},
        failed=failed,
    )
    process.start()
    if failed and (len(failed) == _GIVE_UP or not pages.rows()):
        raise SeedError(f"{failed[0]}; the same call goes on from {len(pages.rows())} pages")


class _Gatherer(scrapy.Spider):
    name = "trainingset"

    def __init__(
        self,
        pages: TrainingPages,
        seeds: str,
        wanted: list[tuple[str, Category, int]],
        limits: dict[Category, int],
        failed: list[SeedError],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.pages, self.seeds, self.wanted = pages, seeds, wanted
        self.limits = limits
        self.failed = failed
        """The latest searches, as far as they failed one after the other."""

    async def start(self) -> Any:
        """Query after query, positives first: a page that both find is a positive."""
        providers = seed_providers(
            self.seeds, self.crawler.settings, downloader_fetch(self.crawler)
        )
        seen = {row["url"] for row in self.pages.rows()}
        asked = {category: self.pages.count(category) for category in Category}
        for query, category, limit in self.wanted:
            if asked[category] >= self.limits[category]:
                continue
            try:
                found = await gather(providers, [query], limit)
            except SeedError as error:
                sys.stderr.write(f"{query}: {error}\n")
                self.failed.append(error)
                if len(self.failed) == _GIVE_UP:
                    return
                continue
            self.failed.clear()
            for result in found.seeds:
                if result.url not in seen and asked[category] < self.limits[category]:
                    seen.add(result.url)
                    asked[category] += 1
                    yield scrapy.Request(
                        result.url,
                        cb_kwargs={"asked": result.url, "query": query, "category": category},
                    )

    def parse(self, response: Response, asked: str, query: str, category: Category) -> None:
        if response.status == 200:
            self.pages.add(asked, query, category, response.body)
