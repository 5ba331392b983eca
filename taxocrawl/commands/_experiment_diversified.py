"""`scrapy experiment diversified`: the four crawlers of METU 4.4 from the same seeds side by side.

On a link web with human categories (--web, --topics) several seed sets are crawled and judged by
the labels as well; otherwise each topic is a folder below GOLDSTANDARD_DIR with its seeds.txt, on
the live web.
"""

from __future__ import annotations

import contextlib
import json
import random
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.commands._diversified_crawls import CRAWLERS, ExperimentTopic, crawl
from taxocrawl.commands._linkweb import (
    add_web_arguments,
    search,
    served,
)
from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.runs.folder import write_atomically
from taxocrawl.spiders.runinfo import slug
from taxocrawl.topic import ASPECTS_FOLDER, SEEDS_FILE

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Iterator, Sequence

    from scrapy.settings import BaseSettings

    from taxocrawl.commands._diversified_replay import DiversifiedReplays
    from taxocrawl.evaluate.diversified_tables import CrawlResult

SUMMARY = "crawl a topic with and without its aspects and print METU's tables 4.3-4.12"
THE_FOUR = "NoDiv;DivAware;DivAware+WE;DivAware+SBERT"
_FOUND = 25
"""First results of the topic's query, out of which each seed set is drawn."""


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
        help="read finished runs of --out, up to --pages, and with --replay its finished replays",
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
