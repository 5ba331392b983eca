"""`scrapy experiment linkweb`: crawl a web of known categories by every scorer and policy.

Each crawl is a process of its own, one request at a time, so that its order is the same in every
run. The table goes to the terminal and to a Markdown file.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from taxocrawl.commands._linkweb import (
    ONE_AT_A_TIME,
    add_web_arguments,
    run_crawl,
    search,
    served,
    truth_file,
)
from taxocrawl.commands._linkweb_results import Results
from taxocrawl.evaluate.fetches import read_fetches
from taxocrawl.evaluate.linkweb import OrderFigures, mean_figures, order_figures
from taxocrawl.evaluate.tables import aligned, markdown
from taxocrawl.evaluate.truth import read_truth
from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.runs.folder import RunFolder, write_atomically
from taxocrawl.spiders.runinfo import slug

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scrapy.settings import BaseSettings

    from taxocrawl.commands._linkweb_replay import Replays

SUMMARY = "crawl a web of known categories by every scorer and policy and compare what they find"
_WHOLE_TEXT = 'SCORER_PARAMS={"stemming": "snowball", "whole_text": true, "sublinear": true}'
VARIANTS = {
    "breadth-first": ("scorer=none",),
    "nutch": ("scorer=nutch", "LINKSCORE_PAGE_WEIGHT=1"),
    "cosine, page only": ("scorer=cosine", "LINKSCORE_PAGE_WEIGHT=1"),
    "cosine": ("scorer=cosine",),
    "tfidf, page only": ("scorer=tfidf", "LINKSCORE_PAGE_WEIGHT=1"),
    "tfidf": ("scorer=tfidf",),
    "tfidf, link only": ("scorer=tfidf", "LINKSCORE_PAGE_WEIGHT=0"),
    "tfidf, stemmed": ("scorer=tfidf", 'SCORER_PARAMS={"stemming": "snowball"}'),
    "bm25": ("scorer=bm25",),
    "bm25, link only": ("scorer=bm25", "LINKSCORE_PAGE_WEIGHT=0"),
    "glove": ("scorer=glove", 'SCORER_PARAMS={"pooling": "mean"}'),
    "glove, min": ("scorer=glove",),
    "sbert": ("scorer=sbert", 'SCORER_PARAMS={"max_chunks": 4}'),
    "indegree": ("scorer=tfidf", "LINKSCORE_MODEL=indegree"),
    "pagerank": ("scorer=tfidf", "LINKSCORE_MODEL=pagerank"),
    "hits": ("scorer=tfidf", "LINKSCORE_MODEL=hits"),
    "opic": ("scorer=tfidf", "LINKSCORE_MODEL=opic"),
    "tfidf, whole text": ("scorer=tfidf", _WHOLE_TEXT),
    "tfidf, whole text, learned": ("scorer=tfidf", _WHOLE_TEXT, "LINKSCORE_MODEL=learned"),
    "tfidf, whole text, learned without feedback": (
        "scorer=tfidf",
        _WHOLE_TEXT,
        "LINKSCORE_MODEL=learned",
        'LINKSCORE_MODEL_PARAMS={"feedback": false}',
    ),
    "tfidf, learned": ("scorer=tfidf", "LINKSCORE_MODEL=learned"),
}
"""Spider arguments (in small letters) and settings of each way to score."""
POLICIES = ("best-first", "top", "recent-half", "all")
_COLUMNS = ("recall@{pages}", "precision@100", "R-precision")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is crawled, how, and where the results go."""
    add_web_arguments(parser)
    parser.add_argument("--topics", type=Path, required=True, metavar="FILE.json")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="for the runs")
    parser.add_argument("--scorers", metavar="NAMES", help=f"some of: {'; '.join(VARIANTS)}")
    parser.add_argument(
        "--policies", default=POLICIES[0], metavar="NAMES", help="joined by commas, or 'every'"
    )
    parser.add_argument("--batch", type=int, default=20, metavar="N", help="of an iteration")
    parser.add_argument("--pages", type=int, default=300, metavar="N", help="of each crawl")
    parser.add_argument("--seeds", type=int, default=5, metavar="N", help="of each crawl")
    parser.add_argument("--query-only", action="store_true", help="no gold standard, only queries")
    parser.add_argument("--report", type=Path, metavar="FILE.md", help="default: in --out")
    parser.add_argument(
        "--replay",
        type=Path,
        metavar="FILE",
        help="decide the order of the crawls in memory, over pages kept in this file (fetched when "
        "it lacks them), instead of crawling",
    )


def run(options: argparse.Namespace, settings: BaseSettings) -> int:
    """Crawl all topics in all ways, print the table and write it.

    What `results.jsonl` in --out has is not crawled again.
    """
    from taxocrawl.commands._linkweb_replay import Replays

    report = options.report or options.out / "linkweb.md"
    topics = read_topics(options.topics)
    ways = list(planned_ways(options))
    options.out.mkdir(parents=True, exist_ok=True)
    results = Results(options.out / "results.jsonl")
    with served(options):
        replays = Replays(options.replay, settings) if options.replay else None
        rows = []
        for way in ways:
            figures = [cell(way, topic, options, results, replays) for topic in topics]
            rows.append((way, figures))
            mean = mean_figures(figures)
            print(f"{way.name}: {' / '.join(_cells(mean))}", flush=True)
    print(aligned(*table(rows, topics, options.pages)))
    write_atomically(report, report_text(rows, topics, options).encode())
    return 0


@dataclass(frozen=True, slots=True)
class ExperimentTopic:
    """A category of the web, and what the crawler is told of it."""

    category: str
    query: str
    goldstandard: str


@dataclass(frozen=True, slots=True)
class Way:
    """A scorer under a selection policy."""

    scorer: str
    policy: str

    @property
    def name(self) -> str:
        return f"{self.scorer}, {self.policy}"

    @property
    def slug(self) -> str:
        """The name as a part of a folder's; different for different ways."""
        return f"{slug(self.scorer)}-{slug(self.policy)}"


def read_topics(path: Path) -> list[ExperimentTopic]:
    """A JSON list of objects with category, query and goldstandard; raises InputFileError."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [ExperimentTopic(**row) for row in rows]
    except (OSError, ValueError, TypeError) as error:
        raise InputFileError(
            f"{path}: expected a JSON list of objects with category, query, goldstandard: {error}"
        ) from error


def planned_ways(options: argparse.Namespace) -> Iterator[Way]:
    """Every chosen scorer under every chosen policy; raises ArgumentError for an unknown one."""
    scorers = options.scorers.split(";") if options.scorers else list(VARIANTS)
    policies = POLICIES if options.policies == "every" else options.policies.split(",")
    for name, chosen, known in (("scorers", scorers, VARIANTS), ("policies", policies, POLICIES)):
        for one in chosen:
            if one.strip() not in known:
                raise ArgumentError(f"--{name} {one.strip()}: expected some of {'; '.join(known)}")
    for scorer in scorers:
        for policy in policies:
            yield Way(scorer.strip(), policy.strip())


def cell(
    way: Way,
    topic: ExperimentTopic,
    options: argparse.Namespace,
    results: Results,
    replays: Replays | None,
) -> OrderFigures:
    """One crawl's figures, kept or found out. Raises TaxocrawlError when the crawl fails."""
    name = f"{way.slug}-{slug(topic.category)}{'-query' if options.query_only else ''}"
    how = "replay" if replays else "crawl"
    key = f"{how} {name} pages={options.pages} seeds={options.seeds} batch={options.batch}"
    if (kept := results.get(key)) is not None:
        return kept
    goldstandard = "" if options.query_only else str(options.out / f"{topic.category}.txt")
    if goldstandard:
        write_atomically(Path(goldstandard), topic.goldstandard.encode())
    judged = read_truth(truth_file(topic.category, options))
    seeds = _seeds(topic, options)
    if replays:
        pairs = dict(part.partition("=")[::2] for part in VARIANTS[way.scorer])
        known, urls = (goldstandard, topic.query), seeds.read_text().split()
        order = replays.order(pairs, way.policy, options.batch, known, urls, options.pages)
        fetches: Iterable[Mapping[str, str]] = ({"url": url} for url in order)
    else:
        folder = RunFolder(options.out / name)
        if folder.info.exists():
            shutil.rmtree(folder.path)  # of a crawl that was interrupted
        _crawl(way, topic, options, folder, goldstandard)
        fetches = read_fetches(folder.fetches)
    relevant = [judged.is_relevant(fetch) for fetch in fetches]
    figures = order_figures(relevant, judged.relevant, pages=options.pages)
    results.add(key, figures)
    return figures


def _crawl(
    way: Way,
    topic: ExperimentTopic,
    options: argparse.Namespace,
    folder: RunFolder,
    goldstandard: str,
) -> None:
    arguments = {
        "query": topic.query,
        "seeds": str(options.out / f"{topic.category}-seeds.txt"),
        "selection": way.policy,
        "max_pages": str(options.pages),
        "out": str(folder.path),
    }
    if goldstandard:
        arguments["goldstandard"] = goldstandard
    if way.policy != "all":
        arguments["batch"] = str(options.batch)
    pairs = [part.partition("=")[::2] for part in VARIANTS[way.scorer]]
    arguments |= {name: value for name, value in pairs if name.islower()}
    settings = [*ONE_AT_A_TIME, *(f"{n}={v}" for n, v in pairs if n.isupper()), *options.set]
    run_crawl("topic", arguments, settings, folder)


def _seeds(topic: ExperimentTopic, options: argparse.Namespace) -> Path:
    """A file of the first URLs that the search gives for the topic's query."""
    path: Path = options.out / f"{topic.category}-seeds.txt"
    urls = search(options.port, topic.query, options.seeds)
    write_atomically(path, "\n".join([*urls, ""]).encode())
    return path


def _cells(figures: OrderFigures) -> list[str]:
    return [f"{v:.3f}" for v in (figures.recall, figures.precision, figures.r_precision)]


Rows = list[tuple[Way, list[OrderFigures]]]


def table(
    rows: Rows, topics: Sequence[ExperimentTopic], pages: int
) -> tuple[list[str], list[list[str]]]:
    """Header and rows: the mean figures of each way, then its recall topic by topic."""
    header = ["scorer", "policy", *(column.format(pages=pages) for column in _COLUMNS)]
    header += [urlsplit(topic.category).path.rpartition(".")[2] for topic in topics]
    lines = [
        [
            way.scorer,
            way.policy,
            *_cells(mean_figures(figures)),
            *(f"{topic.recall:.3f}" for topic in figures),
        ]
        for way, figures in rows
    ]
    return header, lines


def report_text(rows: Rows, topics: Sequence[ExperimentTopic], options: argparse.Namespace) -> str:
    """The table as a Markdown document."""
    known = "the words of a query" if options.query_only else "a query and a short gold standard"
    how = "Replayed over stored pages" if options.replay else "Crawled"
    header, lines = table(rows, topics, options.pages)
    return (
        "# Scorers and selection policies on a link web\n\n"
        f"Means over {len(topics)} topics, {options.pages} pages a crawl, {options.seeds} seeds "
        f"from its search, {known}; no page filter, and no truth used while crawling. The last "
        f"columns are the recall of each topic. Iterations of {options.batch} URLs. {how} by "
        f"`scrapy experiment linkweb`.\n\n{markdown(header, lines)}\n"
    )
