"""What the options of `scrapy rerank` stand for; heavy libraries are loaded when one asks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.text.files import read_entries

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from scrapy.settings import BaseSettings

    from taxocrawl.rerank.candidates import Candidate
    from taxocrawl.rerank.representations import TextModel
    from taxocrawl.rerank.reranker import Reranker
    from taxocrawl.rerank.trec import Topic

OWN_FREQUENCIES = 1_000
"""From so many candidates on, document frequencies are counted in them and not looked up."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """All options; the choices of methods are checked later, with the list of what is known."""
    files = parser.add_argument_group("files")
    files.add_argument(
        "--texts", type=Path, metavar="FILE", help="JSON Lines with the texts of a run"
    )
    files.add_argument("--topics", type=Path, metavar="FILE", help="id<TAB>query lines or TREC XML")
    files.add_argument("--query", metavar="TEXT", help="the query, for candidates of one query")
    files.add_argument("--aspects", type=Path, metavar="FILE", help="[query id<TAB>]aspect lines")
    files.add_argument(
        "--qrels", type=Path, metavar="FILE", help="report figures by these judgements"
    )
    files.add_argument("--out", type=Path, metavar="FILE", help="default: the terminal")
    files.add_argument("--out-format", choices=("jsonl", "trec"), default="jsonl")
    files.add_argument(
        "--duplicates", type=Path, metavar="FILE", help="sy: what was left out, and what it repeats"
    )
    live = parser.add_argument_group("search instead of CANDIDATES")
    live.add_argument("--source", metavar="NAME", help="x, mastodon or bluesky; needs --query")
    live.add_argument("--source-url", default="", metavar="URL", help="another server of its kind")
    live.add_argument("--limit", type=int, default=100, metavar="N", help="posts (default 100)")
    ways = parser.add_argument_group("ranking")
    ways.add_argument("--method", default="mmr", help="none, mmr (default), sy, xquad, combsumdiv")
    ways.add_argument("--first", default="rank", help="rank (default), score, bm25, tf-idf ...")
    ways.add_argument("--similarity", default="jaccard", help="jaccard (default), tf-idf, wmd ...")
    ways.add_argument(
        "--lambda", dest="lambda_", type=float, default=0.5, metavar="X", help="0 to 1"
    )
    ways.add_argument("--aspect-by", default="tf-idf", help="how texts and aspects are compared")
    ways.add_argument("--scale", choices=("sum", "max", "minmax"), default="sum")
    ways.add_argument("--depth", type=int, metavar="N", help="candidates considered (default all)")
    ways.add_argument("--length", type=int, metavar="N", help="texts in the result (default all)")
    ways.add_argument("--retweets", choices=("keep", "drop", "scale"), default="keep")
    ways.add_argument("--retweet-constant", type=float, default=1.35, metavar="X")
    ways.add_argument("--keep-duplicates", action="store_true", help="sy: put duplicates last")
    _add_word_arguments(parser)


def _add_word_arguments(parser: argparse.ArgumentParser) -> None:
    words = parser.add_argument_group("words")
    words.add_argument(
        "--stopwords", metavar="FILE", help="default english.txt of STOPWORDS_DIR; '' for none"
    )
    words.add_argument("--stem", choices=("none", "snowball", "porter"), default="snowball")
    words.add_argument("--no-hashtags", action="store_true", help="leave out hashtags' words")
    words.add_argument("--vectors", type=Path, metavar="FILE", help="word vectors (.npz or text)")
    words.add_argument("--wordnet", type=Path, metavar="DIR", help="of `scrapy resources`")
    words.add_argument(
        "--sentence-model",
        type=Path,
        metavar="DIR",
        help="of `scrapy resources minilm` or sentence-transformers",
    )


def reranker(opts: argparse.Namespace) -> Reranker:
    from taxocrawl.rerank.reranker import Reranker

    return Reranker(
        method=opts.method,
        first=opts.first,
        similarity=opts.similarity,
        lambda_=opts.lambda_,
        aspect=opts.aspect_by,
        scale=opts.scale,
        depth=opts.depth,
        length=opts.length,
        retweets=opts.retweets,
        constant=opts.retweet_constant,
        keep_duplicates=opts.keep_duplicates,
    )


def topics(
    opts: argparse.Namespace, pools: Mapping[str, Sequence[Candidate]]
) -> Mapping[str, Topic]:
    """Queries by their ids, from `--topics`, or `--query` for the one there is."""
    from taxocrawl.rerank.trec import Topic, read_topics

    if opts.query is None:
        return read_topics(opts.topics) if opts.topics else {}
    if opts.topics is not None:
        raise ArgumentError("give --query or --topics, not both")
    if not opts.query.strip():
        raise ArgumentError("--query is empty: expected the words searched for")
    if len(pools) > 1:
        raise ArgumentError(f"--query is one query, but the candidates are of {len(pools)}")
    return {query: Topic(query, opts.query) for query in pools}


def aspects(
    opts: argparse.Namespace,
    pools: Mapping[str, Sequence[Candidate]],
    of: Mapping[str, Topic],
) -> dict[str, tuple[str, ...]]:
    """Aspects by query: of the file given, else the topics' subtopics."""
    if opts.aspects is None:
        return {query: topic.subtopics for query, topic in of.items()}
    only = next(iter(pools)) if len(pools) == 1 else None
    read: dict[str, list[str]] = {}
    for line in read_entries(opts.aspects, "aspects, a query id<TAB>aspect a line"):
        query, tab, aspect = line.partition("\t")
        if not tab and only is not None:
            query, aspect = only, line
        if not aspect.strip():
            raise InputFileError(f"{opts.aspects}: expected query id<TAB>aspect, got {line!r:.60}")
        read.setdefault(query.strip(), []).append(aspect.strip())
    return {query: tuple(texts) for query, texts in read.items()}


def candidates(path: Path, opts: argparse.Namespace) -> dict[str, list[Candidate]]:
    """Candidates by query from a JSON Lines file, a run's folder or a TREC run."""
    from taxocrawl.rerank.candidates import read_candidates, with_texts
    from taxocrawl.rerank.trec import read_run
    from taxocrawl.runs.folder import RunFolder

    if path.is_dir():
        path = RunFolder(path).documents
    if opts.texts is not None:
        return with_texts(read_run(path), read_candidates(opts.texts), path, opts.texts)
    return read_candidates(path)


def found_posts(opts: argparse.Namespace, settings: BaseSettings) -> dict[str, list[Candidate]]:
    """Posts of a live search, in its order; the token is taken from the environment."""
    from taxocrawl.rerank.live import live_posts

    if not (opts.query or "").strip():
        raise ArgumentError("--source needs --query, the words to search for")
    found = live_posts(
        opts.source,
        opts.query,
        opts.limit,
        url=opts.source_url,
        user_agent=settings["USER_AGENT"],
        environment=os.environ,
    )
    return {"": found}


def text_model(
    opts: argparse.Namespace, settings: BaseSettings, pools: Mapping[str, Sequence[Candidate]]
) -> TextModel:
    """What texts are read with; document frequencies are of the candidates if there are enough."""
    from taxocrawl.diversify.wordnet import WordNet
    from taxocrawl.rerank.representations import TextModel
    from taxocrawl.score.background import DocumentFrequencies
    from taxocrawl.score.embeddings import WordVectors
    from taxocrawl.score.encoder import load_encoder
    from taxocrawl.text.posts import PostWords
    from taxocrawl.text.stopwords import load_stopwords

    shipped = Path(settings["STOPWORDS_DIR"]) / "english.txt"
    file = shipped if opts.stopwords is None else opts.stopwords
    words = PostWords(
        load_stopwords(Path(file)) if file else frozenset(),
        "" if opts.stem == "none" else opts.stem,
        hashtags=not opts.no_hashtags,
    )
    tokens = [words(found.post.text) for pool in pools.values() for found in pool]
    enough = len(tokens) >= OWN_FREQUENCIES
    return TextModel(
        words,
        background=DocumentFrequencies.of(tokens) if enough else None,
        average_length=sum(map(len, tokens)) / len(tokens) if enough else None,
        vectors=WordVectors.read(opts.vectors) if opts.vectors else None,
        wordnet=WordNet.open(opts.wordnet) if opts.wordnet else None,
        encoder=load_encoder(opts.sentence_model) if opts.sentence_model else None,
    )
