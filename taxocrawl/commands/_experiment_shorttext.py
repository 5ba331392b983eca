"""`scrapy experiment shorttext`: diversified rankings of short texts, measured (METU 5.4)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from scrapy.settings import BaseSettings

    from taxocrawl.evaluate.collection import Collection
    from taxocrawl.evaluate.shorttext import Table, Tuned
    from taxocrawl.evaluate.sweeps import RememberingModel

SUMMARY = "rerank collections of short texts by all methods and print tables 5.3-5.12 of METU"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--corpus, --vectors, --sentence-model, --not-english and --report."""
    parser.add_argument(
        "--corpus",
        type=Path,
        required=True,
        nargs="+",
        metavar="FOLDER",
        help="with candidates.jsonl or docs.jsonl, topics.tsv, qrels.ndeval, subtopics.tsv",
    )
    parser.add_argument("--vectors", type=Path, metavar="FILE", help="word vectors (.npz or text)")
    parser.add_argument("--wordnet", type=Path, metavar="DIR", help="of `scrapy resources`")
    parser.add_argument("--sentence-model", type=Path, metavar="DIR", help="a sentence model's")
    parser.add_argument(
        "--not-english",
        action="append",
        default=[],
        metavar="NAME",
        help="folder (or the one above it) of other texts: no stop words, stems or word vectors",
    )
    parser.add_argument("--report", type=Path, metavar="FILE.md", help="write the tables there too")


def run(options: argparse.Namespace, settings: BaseSettings) -> int:
    """Measure each collection, print its tables and write them as Markdown."""
    from taxocrawl.evaluate.collection import read_collection
    from taxocrawl.evaluate.shorttext import ShortTextExperiment
    from taxocrawl.runs.folder import write_atomically

    if options.report and not options.report.parent.is_dir():
        raise ArgumentError(f"--report {options.report}: the folder does not exist")
    parts: list[str] = []
    tuned: list[Tuned] = []
    for folder in options.corpus:
        collection = read_collection(folder)
        model = _model(options, settings, collection)
        experiment = ShortTextExperiment(collection, model, tuned=tuple(tuned))
        tables = experiment.tables()
        tuned += experiment.chosen()
        print("\n\n".join(table.text() for table in tables), flush=True)
        parts.append(_section(collection, tables))
    if options.report:
        write_atomically(options.report, "\n".join([_introduction(options), *parts]).encode())
    return 0


def _introduction(options: argparse.Namespace) -> str:
    """What the tables are of; files are named without the folders of this machine."""
    parts = ["scrapy experiment shorttext --corpus"]
    parts += ["/".join(folder.resolve().parts[-2:]) for folder in options.corpus]
    parts += [f"--not-english {name}" for name in options.not_english]
    if options.vectors:
        parts.append(f"--vectors {options.vectors.name}")
    if options.wordnet:
        parts.append(f"--wordnet {options.wordnet.resolve().name}")
    if options.sentence_model:
        parts.append(f"--sentence-model {options.sentence_model.resolve().name}")
    from taxocrawl.evaluate.shorttext import DEPTH, LENGTH

    return (
        f"# Diversified ranking of short texts\n\nMade by `{' '.join(parts)}`.\n\n"
        f"The first {DEPTH} candidates of each query are reranked to {LENGTH} texts. The figures "
        'are ndeval\'s, means over all queries. "best lambda" is chosen on the queries that are '
        "reported, as the document does; beside it stands what comes of choosing it for each "
        "query on all others. In `sy`, lambda is the similarity from which on a text counts as a "
        "duplicate. What was chosen on one collection is applied to those after it as it stands. "
        "Definitions: docs/rerank.md.\n"
    )


def _section(collection: Collection, tables: Sequence[Table]) -> str:
    pools = collection.pools.values()
    return (
        f"## {collection.name}\n\n{len(pools)} queries, {sum(map(len, pools))} candidates, plain "
        f"ranking {'as they came' if collection.ranked else 'by BM25 of the query'}.\n\n"
        + "\n\n".join(table.markdown() for table in tables)
        + "\n"
    )


def _model(
    options: argparse.Namespace, settings: BaseSettings, collection: Collection
) -> RememberingModel:
    from taxocrawl.diversify.wordnet import WordNet
    from taxocrawl.evaluate.sweeps import RememberingModel
    from taxocrawl.score.background import DocumentFrequencies
    from taxocrawl.score.embeddings import WordVectors
    from taxocrawl.score.encoder import load_encoder
    from taxocrawl.text.posts import PostWords
    from taxocrawl.text.stopwords import load_stopwords

    other = bool(set(collection.name.split("/")) & set(options.not_english))
    stopwords = Path(settings["STOPWORDS_DIR"]) / "english.txt"
    words = PostWords() if other else PostWords(load_stopwords(stopwords), "snowball")
    tokens = [words(found.post.text) for pool in collection.pools.values() for found in pool]
    encoder = None
    if options.sentence_model:
        encoder = load_encoder(options.sentence_model)
    return RememberingModel(
        words,
        background=DocumentFrequencies.of(tokens),
        average_length=sum(map(len, tokens)) / max(1, len(tokens)) or None,
        vectors=WordVectors.read(options.vectors) if options.vectors and not other else None,
        wordnet=WordNet.open(options.wordnet) if options.wordnet and not other else None,
        encoder=encoder,
    )
