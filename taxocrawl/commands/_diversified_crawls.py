"""The crawlers of `scrapy experiment diversified`, and one crawl of them, made or replayed."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from taxocrawl.commands._linkweb import ONE_AT_A_TIME, run_crawl, truth_file
from taxocrawl.evaluate.aspects import AspectTally, aspect_rows
from taxocrawl.evaluate.coverage import coverage_figures
from taxocrawl.evaluate.diversified_tables import BASELINE, CrawlResult
from taxocrawl.evaluate.fetches import read_fetches
from taxocrawl.evaluate.truth import read_truth
from taxocrawl.exceptions import InputFileError
from taxocrawl.runs.folder import RunFolder, write_atomically
from taxocrawl.spiders.runinfo import slug
from taxocrawl.topic import read_aspects

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from taxocrawl.commands._diversified_replay import DiversifiedReplays
    from taxocrawl.evaluate.truth import Truth

_TFIDF = 'SCORER_PARAMS={"stemming": "snowball", "whole_text": true, "sublinear": true}'
_TUNED = ("lambda=0.8", "weights=inverse", 'DIVERSIFY_WEIGHTS_PARAMS={"power": 2}')
_TOTALS = "DIVERSIFY_TOTALS_POWER=2"
_SBERT = ("scorer=sbert", 'SCORER_PARAMS={"max_chunks": 2}')
_BY_PAGES = (
    "lambda=1",
    "weights=inverse",
    'DIVERSIFY_WEIGHTS_PARAMS={"power": 3}',
    "DIVERSIFY_TOTALS=pages",
)
CRAWLERS = {
    BASELINE: ("aspects=off", _TFIDF),
    "DivAware": (*_TUNED, _TOTALS, _TFIDF),
    "DivAware+WE": (*_TUNED, _TOTALS, "scorer=glove"),
    "DivAware+WE, mean": (*_TUNED, _TOTALS, "scorer=glove", 'SCORER_PARAMS={"pooling": "mean"}'),
    "DivAware+SBERT": (*_TUNED, _TOTALS, *_SBERT),
    "DivAware, pages": (*_BY_PAGES, "DIVERSIFY_TOTALS_ABOVE=0.03", _TFIDF),
    "DivAware+SBERT, pages": (*_BY_PAGES, "DIVERSIFY_TOTALS_ABOVE=0.3", *_SBERT),
    "DivAware, specific": (
        "lambda=1",
        "weights=inverse",
        'DIVERSIFY_WEIGHTS_PARAMS={"power": 2}',
        "DIVERSIFY_TOTALS=pages",
        "DIVERSIFY_TOTALS_ABOVE=0.06",
        "DIVERSIFY_SPECIFICITY=1",
        _TFIDF,
    ),
    "document": ("weights=document", _TFIDF),
    "equal": ("lambda=0.8", "weights=equal", _TFIDF),
    "document, lambda 0.8": ("lambda=0.8", "weights=document", _TOTALS, _TFIDF),
    "softmax": ("lambda=0.8", "weights=softmax", _TOTALS, _TFIDF),
    "quotas": ("lambda=0.8", "weights=quotas", _TOTALS, _TFIDF),
}
"""Spider arguments (in small letters) and settings of each crawler. SBERT reads the first 300 words
of a page: to encode all of it takes most of a crawl's time."""


@dataclass(frozen=True, slots=True)
class ExperimentTopic:
    """A topic, what the crawler is told of it, and the categories that say what is relevant."""

    name: str
    query: str
    folder: Path
    categories: dict[str, list[str]]
    """The categories whose pages are about each aspect; empty on a web without labels."""

    @property
    def aspects(self) -> list[str]:
        return [aspect.name for aspect in read_aspects(self.folder).found]


def crawl(
    crawler: str,
    topic: ExperimentTopic,
    number: int,
    seeds: Path,
    options: argparse.Namespace,
    replays: DiversifiedReplays | None = None,
) -> CrawlResult:
    """One crawl's result. Raises TaxocrawlError when the crawl fails."""
    pairs = dict(part.partition("=")[::2] for part in CRAWLERS[crawler])
    folder = RunFolder(options.out / f"{slug(topic.name)}-{number}-{slug(crawler)}")
    finished = options.reuse and folder.report.exists()
    if replays and not finished:
        kept = folder.path.with_name(f"{folder.path.name}-{options.pages}-{options.batch}.jsonl")
        if options.reuse and kept.exists():
            fetches = _read(kept)
        else:
            urls = seeds.read_text(encoding="utf-8").split()
            fetches = replays.fetches(pairs, topic.folder, topic.query, urls, options.pages)
            write_atomically(kept, "".join(f"{json.dumps(f)}\n" for f in fetches).encode())
        rows = _aspect_rows(topic, fetches)
        order, pool = labelled(topic, fetches, options)
    else:
        if not finished:
            _crawl(pairs, topic, seeds, folder, options)
        with folder.aspects.open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if int(row["pages"]) <= options.pages]
        if not topic.categories:
            return CrawlResult(crawler, topic.name, number, rows)
        order, pool = labelled(topic, read_fetches(folder.fetches), options)
    return CrawlResult(
        crawler, topic.name, number, rows, coverage_figures(order, pool, topic.aspects), order
    )


def _read(replay: Path) -> list[dict[str, Any]]:
    """The fetches of a finished replay."""
    try:
        return [json.loads(line) for line in replay.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise InputFileError(f"{replay}: expected a replay's fetches: {error}") from error


def _crawl(
    pairs: Mapping[str, str],
    topic: ExperimentTopic,
    seeds: Path,
    folder: RunFolder,
    options: argparse.Namespace,
) -> None:
    arguments = {
        "topic": str(topic.folder),
        "query": topic.query,
        "seeds": str(seeds),
        "batch": str(options.batch),
        "max_pages": str(options.pages),
        "out": str(folder.path),
        **{name: value for name, value in pairs.items() if name.islower()},
    }
    settings = [f"{name}={value}" for name, value in pairs.items() if name.isupper()]
    common = ONE_AT_A_TIME if options.web else ()
    run_crawl("diversified", arguments, [*common, *settings, *options.set], folder)


def _aspect_rows(
    topic: ExperimentTopic, fetches: Sequence[Mapping[str, Any]]
) -> list[dict[str, str]]:
    tally = AspectTally(topic.aspects)
    for fetch in fetches:
        tally.add(fetch)
    return aspect_rows(topic.aspects, tally.figures)


def labelled(
    topic: ExperimentTopic, fetches: Iterable[Mapping[str, Any]], options: argparse.Namespace
) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
    """The aspects by true label of the first downloads, in order, and of each page to find."""
    truths = {
        name: [read_truth(truth_file(category, options)) for category in categories]
        for name, categories in topic.categories.items()
    }
    order = [
        frozenset(n for n, found in truths.items() if any(t.is_relevant(fetch) for t in found))
        for fetch in fetches
        if str(fetch["status"]).startswith("2")
    ]
    return order[: options.pages], pool_of(truths)


def pool_of(truths: dict[str, list[Truth]]) -> list[frozenset[str]]:
    """The aspects of each page that is about any."""
    pages: dict[str, set[str]] = {}
    for name, found in truths.items():
        for truth in found:
            for url in truth.relevant_urls:
                pages.setdefault(url, set()).add(name)
    return [frozenset(names) for names in pages.values()]
