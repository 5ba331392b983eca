"""`scrapy rerank`: a candidate ranking of short texts, made relevant and diverse."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from taxocrawl.commands import _rerank_arguments as arguments
from taxocrawl.commands.crawl import EXIT_USAGE
from taxocrawl.exceptions import ArgumentError, StorageError, TaxocrawlError
from taxocrawl.spiders.focused import EXIT_STORAGE

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from taxocrawl.diversify.ranking import Ranking
    from taxocrawl.rerank.candidates import Candidate


class Command(ScrapyCommand):
    """Reads candidates, reranks them query by query, and writes JSON Lines or a TREC run."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "CANDIDATES | --source NAME --query TEXT [options]"

    def short_desc(self) -> str:
        return "Rerank short texts or a run's documents for relevance and diversity"

    def long_desc(self) -> str:
        return (
            "CANDIDATES is a JSON Lines file (query_id, id, text, timestamp, author, url, score), "
            "the folder of a run, or a TREC run with --texts."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        arguments.add_arguments(parser)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != (0 if opts.source else 1):
            raise UsageError("expected either one file of CANDIDATES or --source")
        try:
            self._rerank(args, opts)
        except TaxocrawlError as error:
            sys.stderr.write(f"taxocrawl: {error}\n")
            self.exitcode = EXIT_STORAGE if isinstance(error, StorageError) else EXIT_USAGE

    def _rerank(self, args: Sequence[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        reranker = arguments.reranker(opts)
        if opts.source:
            pools = arguments.found_posts(opts, self.settings)
        else:
            pools = arguments.candidates(Path(args[0]), opts)
        texts = arguments.topics(opts, pools)
        aspects = arguments.aspects(opts, pools, texts)
        model = arguments.text_model(opts, self.settings, pools)
        rankings: dict[str, Ranking] = {}
        for query, pool in pools.items():
            topic = texts.get(query)
            try:
                rankings[query] = reranker.rerank(
                    pool, topic.query if topic else "", model, aspects.get(query, ())
                )
            except ArgumentError as error:
                raise ArgumentError(f"query {query!r}: {error}" if query else str(error)) from error
        _write(opts, pools, rankings)
        if opts.duplicates:
            _write_duplicates(opts.duplicates, pools, rankings)
        if opts.qrels:
            _report(opts.qrels, pools, rankings)


def _write(
    opts: argparse.Namespace,
    pools: Mapping[str, Sequence[Candidate]],
    rankings: Mapping[str, Ranking],
) -> None:
    from taxocrawl.rerank.candidates import format_candidates
    from taxocrawl.rerank.trec import format_run
    from taxocrawl.runs.folder import write_atomically

    if opts.out_format == "trec":
        named = {query or "1": _ids(pools[query], found) for query, found in rankings.items()}
        text = format_run(named, f"taxocrawl-{opts.method}")
    else:
        parts = (format_candidates(query, pools[query], rankings[query]) for query in rankings)
        text = "".join(parts)
    if opts.out is None:
        sys.stdout.write(text)
    else:
        write_atomically(opts.out, text.encode())


def _write_duplicates(
    path: Path, pools: Mapping[str, Sequence[Candidate]], rankings: Mapping[str, Ranking]
) -> None:
    from taxocrawl.rerank.candidates import format_duplicates
    from taxocrawl.runs.folder import write_atomically

    parts = (format_duplicates(query, pools[query], rankings[query]) for query in rankings)
    write_atomically(path, "".join(parts).encode())


def _report(
    qrels: Path, pools: Mapping[str, Sequence[Candidate]], rankings: Mapping[str, Ranking]
) -> None:
    """Figures of the candidates as they came and as they are now, on the error stream."""
    from taxocrawl.evaluate.ranking import REPORTED, ranking_figures
    from taxocrawl.evaluate.tables import aligned
    from taxocrawl.rerank.trec import read_qrels

    judgements = read_qrels(qrels)
    # A run's documents name no query: they are of the only one that is judged.
    judged = {row.query for row in judgements}
    only = next(iter(judged)) if len(judged) == 1 else ""
    lists = {
        "first": {query or only: [found.id for found in pool] for query, pool in pools.items()},
        "reranked": {query or only: _ids(pools[query], found) for query, found in rankings.items()},
    }
    rows = []
    for name, run in lists.items():
        figures = ranking_figures(judgements, run, REPORTED)
        rows.append((name, *(f"{figures.mean(measure):.4f}" for measure in REPORTED)))
    sys.stderr.write(aligned(("ranking", *REPORTED), rows) + "\n")
    sys.stderr.writelines(f"taxocrawl: {note}\n" for note in figures.notes())


def _ids(pool: Sequence[Candidate], ranking: Ranking) -> list[str]:
    return [found.id for found in ranking.apply(pool)]
