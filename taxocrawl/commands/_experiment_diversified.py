"""`scrapy experiment diversified`: the four crawlers of METU 4.4 from the same seeds side by side.

On a link web with human categories (--web, --topics) several seed sets are crawled and judged by
the labels as well; otherwise each topic is a folder below GOLDSTANDARD_DIR with its seeds.txt, on
the live web.
"""

from __future__ import annotations

import contextlib
import csv
import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taxocrawl.commands._linkweb import (
    ONE_AT_A_TIME,
    add_web_arguments,
    run_crawl,
    search,
    served,
    truth_file,
)
from taxocrawl.evaluate.aspects import AspectTally, aspect_rows
from taxocrawl.evaluate.coverage import coverage_figures
from taxocrawl.evaluate.diversified_tables import BASELINE, CrawlResult
from taxocrawl.evaluate.fetches import read_fetches
from taxocrawl.evaluate.truth import read_truth
from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.runs.folder import RunFolder, write_atomically
from taxocrawl.spiders.runinfo import slug
from taxocrawl.topic import ASPECTS_FOLDER, SEEDS_FILE, read_aspects

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from scrapy.settings import BaseSettings

    from taxocrawl.commands._diversified_replay import DiversifiedReplays
    from taxocrawl.evaluate.truth import Truth

SUMMARY = "crawl a topic with and without its aspects and print METU's tables 4.3-4.12"
_TFIDF = 'SCORER_PARAMS={"stemming": "snowball", "whole_text": true, "sublinear": true}'
_TUNED = ("lambda=0.8", "weights=inverse", 'DIVERSIFY_WEIGHTS_PARAMS={"power": 2}')
_TOTALS = "DIVERSIFY_TOTALS_POWER=2"
_BY_PAGES = (
    "lambda=1",
    "weights=inverse",
    'DIVERSIFY_WEIGHTS_PARAMS={"power": 3}',
    "DIVERSIFY_TOTALS=pages",
    "DIVERSIFY_TOTALS_ABOVE=0.03",
)
CRAWLERS = {
    BASELINE: ("aspects=off", _TFIDF),
    "DivAware": (*_TUNED, _TOTALS, _TFIDF),
    "DivAware+WE": (*_TUNED, _TOTALS, "scorer=glove"),
    "DivAware+WE, mean": (*_TUNED, _TOTALS, "scorer=glove", 'SCORER_PARAMS={"pooling": "mean"}'),
    "DivAware+SBERT": (*_TUNED, _TOTALS, "scorer=sbert", 'SCORER_PARAMS={"max_chunks": 2}'),
    "DivAware, pages": (*_BY_PAGES, _TFIDF),
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
THE_FOUR = "NoDiv;DivAware;DivAware+WE;DivAware+SBERT"
_FOUND = 25
"""First results of the topic's query, out of which each seed set is drawn."""


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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is crawled, how, and where the results go."""
    add_web_arguments(parser, required=False)
    parser.add_argument("--topics", type=Path, metavar="FILE.json", help="topics on the link web")
    parser.add_argument(
        "--topic",
        action="append",
        default=[],
        metavar="NAME",
        help="some of --topics; without --topics, a topic's folder, crawled on the live web",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="for the runs")
    parser.add_argument(
        "--crawlers", default=THE_FOUR, metavar="NAMES", help=f"some of: {'; '.join(CRAWLERS)}"
    )
    parser.add_argument("--seed-sets", type=int, default=5, metavar="N", help="on the link web")
    parser.add_argument("--seeds", type=int, default=5, metavar="N", help="of each set")
    parser.add_argument("--pages", type=int, default=300, metavar="N", help="of each crawl")
    parser.add_argument("--batch", type=int, default=20, metavar="N", help="URLs of an iteration")
    parser.add_argument("--report", type=Path, metavar="FILE.md", help="default: in --out")
    parser.add_argument(
        "--replay",
        type=Path,
        metavar="FILE",
        help="decide the order of the crawls in memory, over pages kept in this file (fetched when "
        "it lacks them), instead of crawling",
    )
    parser.add_argument(
        "--reuse",
        action="store_true",
        help="read finished runs of --out, up to --pages; with --replay, replay the others",
    )


def run(options: argparse.Namespace, settings: BaseSettings) -> int:
    """Crawl every topic from every seed set with every crawler; write tables and plots."""
    from taxocrawl.commands._diversified_report import write_report

    report = options.report or options.out / "diversified.md"
    crawlers = _chosen(options.crawlers.split(";"), CRAWLERS, "--crawlers")
    options.out.mkdir(parents=True, exist_ok=True)
    topics = list(_topics(options, Path(settings["GOLDSTANDARD_DIR"])))
    with served(options) if options.web else contextlib.nullcontext():
        replays = _replays(options, settings)
        results = []
        for topic in topics:
            for number in range(options.seed_sets if options.web else 1):
                seeds = _seeds(topic, number, options)
                for crawler in crawlers:
                    results.append(crawl(crawler, topic, number, seeds, options, replays))
                    print(_line(results[-1]), flush=True)
    write_report(report, results, topics, options)
    print(report.read_text(encoding="utf-8"))
    return 0


def _line(result: CrawlResult) -> str:
    found, last = result.coverage, result.aspects[-1]
    pages = found.counts.downloaded if found else last["pages"]
    judged = f", {found.on_topic} on the topic {found.counts.relevant}" if found else ""
    return f"{result.topic} {result.seed_set} {result.crawler}: {pages} pages{judged}"


def _chosen(names: Sequence[str], known: Collection[str], option: str) -> list[str]:
    chosen = [name.strip() for name in names]
    for name in chosen:
        if name not in known:
            raise ArgumentError(f"{option} {name}: expected some of {'; '.join(known)}")
    return chosen


def _topics(options: argparse.Namespace, goldstandard: Path) -> Iterator[ExperimentTopic]:
    """The topics of --topics as folders in --out, or those of the gold standard.

    Raises ArgumentError for an unknown or missing one, InputFileError for another file.
    """
    if bool(options.web) != bool(options.topics):
        raise ArgumentError("--web and --topics: expected both or none of them")
    if not options.topics:
        for name in options.topic:
            folder = goldstandard / name
            if not (folder / SEEDS_FILE).is_file():
                raise ArgumentError(f"--topic {name}: no {folder / SEEDS_FILE}")
            yield ExperimentTopic(name, name, folder, {})
        if not options.topic:
            raise ArgumentError("--topic: expected the name of a topic's folder")
        return
    topics = {topic.name: topic for topic in read_topics(options.topics, options.out)}
    for name in _chosen(options.topic, list(topics), "--topic") or topics:
        yield topics[name]


def read_topics(path: Path, out: Path) -> list[ExperimentTopic]:
    """A JSON list of topics (name, query, topic, aspects with categories and phrases).

    Each becomes a topic's folder in `out`. Raises InputFileError for a file of another form.
    """
    topics = []
    try:
        for row in json.loads(path.read_text(encoding="utf-8")):
            folder = out / "topics" / slug(row["name"])
            (folder / ASPECTS_FOLDER).mkdir(parents=True, exist_ok=True)
            write_atomically(folder / "topic.txt", row["topic"].encode())
            for name, aspect in row["aspects"].items():
                file = folder / ASPECTS_FOLDER / f"{slug(name)}.txt"
                write_atomically(file, aspect["phrases"].encode())
            found = {slug(name): list(a["categories"]) for name, a in row["aspects"].items()}
            topics.append(ExperimentTopic(row["name"], row["query"], folder, found))
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputFileError(
            f"{path}: expected a JSON list of topics with name, query, topic and aspects: {error!r}"
        ) from error
    return topics


def _seeds(topic: ExperimentTopic, number: int, options: argparse.Namespace) -> Path:
    """The file of a seed set: drawn from the search's first results, the same in every call."""
    if not options.web:
        return topic.folder / SEEDS_FILE
    path: Path = options.out / f"{slug(topic.name)}-{number}-seeds.txt"
    found = search(options.port, topic.query, _FOUND)
    drawn = random.Random(number).sample(found, min(options.seeds, len(found)))
    write_atomically(path, "\n".join([*drawn, ""]).encode())
    return path


def _replays(options: argparse.Namespace, settings: BaseSettings) -> DiversifiedReplays | None:
    if not options.replay:
        return None
    if not options.web:
        raise ArgumentError("--replay: expected --web and --topics with it")
    from taxocrawl.commands._diversified_replay import DiversifiedReplays

    return DiversifiedReplays(options.replay, settings, options.batch)


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
        urls = seeds.read_text(encoding="utf-8").split()
        fetches = replays.fetches(pairs, topic.folder, topic.query, urls, options.pages)
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
