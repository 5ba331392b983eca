"""A test collection of short texts: queries, candidates, judgements and named aspects."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from taxocrawl.exceptions import InputFileError
from taxocrawl.rerank.candidates import read_candidates
from taxocrawl.rerank.trec import read_qrels, read_topics
from taxocrawl.text.files import read_entries

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from taxocrawl.rerank.candidates import Candidate
    from taxocrawl.rerank.trec import Judgement

_CANDIDATES = ("candidates.jsonl", "docs.jsonl")
_QRELS = ("qrels.pool.ndeval", "qrels.ndeval", "qrels.txt", "qrels")
_SUBTOPICS = "subtopics.tsv"
# What tokenisers of the Penn Treebank write for brackets, and words they divided.
_BRACKET = re.compile(r"-[LR][RSC]B-", re.IGNORECASE)
# Lower-cased posts whose mentions were taken out begin with "rt" before anything.
_SMALL_MARKS = re.compile(r"^(?:rt\s+)+")
_DIVIDED = re.compile(r"(?<=\w) (?=n't\b|'(?:s|re|ve|ll|d|m)\b)")


@dataclass(frozen=True, slots=True)
class Collection:
    """Queries with candidates and what is relevant to them."""

    name: str
    queries: Mapping[str, str]
    """Texts of the queries by id."""
    pools: Mapping[str, Sequence[Candidate]]
    """Candidates by query."""
    qrels: Sequence[Judgement]
    aspects: Mapping[str, Sequence[str]]
    """Names of the aspects by query; empty when the collection names none."""
    ranked: bool
    """Whether the candidates came as a ranking with scores."""


def read_collection(folder: Path, seed: int = 0) -> Collection:
    """Read a folder with candidates, topics.tsv, qrels and, if there are, subtopics.tsv.

    Candidates are JSON Lines in candidates.jsonl or docs.jsonl. Those without scores are shuffled
    by `seed`: their order in the file may tell what they are relevant to. Raises InputFileError
    for a file that is missing or of another form, and for a topic without candidates.
    """
    pools = read_candidates(_first(folder, _CANDIDATES))
    topics = read_topics(folder / "topics.tsv")
    absent = sorted(set(topics) - set(pools))
    if absent:
        raise InputFileError(f"{folder}: no candidates for topic {absent[0]!r}")
    ranked = all(found.score is not None for query in topics for found in pools[query])
    ordered = {}
    for query in topics:
        pool = [_whole(found) for found in pools[query]]
        if not ranked:
            # Seeded by the query too, so that leaving one out does not change the others.
            random.Random(f"{seed} {query}").shuffle(pool)
        ordered[query] = pool
    return Collection(
        "/".join(folder.resolve().parts[-2:]),
        {query: topic.query for query, topic in topics.items()},
        ordered,
        [row for row in read_qrels(_first(folder, _QRELS)) if row.query in topics],
        _read_subtopics(folder / _SUBTOPICS) if (folder / _SUBTOPICS).exists() else {},
        ranked,
    )


def _first(folder: Path, names: Sequence[str]) -> Path:
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    if found is None:
        raise InputFileError(f"{folder}: expected a file {' or '.join(names)}")
    return found


def _whole(candidate: Candidate) -> Candidate:
    text = _DIVIDED.sub("", _BRACKET.sub(" ", candidate.post.text))
    text = _SMALL_MARKS.sub("RT ", text)
    return replace(candidate, post=replace(candidate.post, text=text))


def _read_subtopics(path: Path) -> dict[str, list[str]]:
    """Names by query, from lines ``query.number<TAB>name``."""
    aspects: dict[str, list[str]] = {}
    for line in read_entries(path, "subtopics, query.number<TAB>name a line"):
        id_, _, name = line.partition("\t")
        query, dot, _ = id_.rpartition(".")
        if not dot or not name.strip():
            raise InputFileError(f"{path}: expected query.number<TAB>name, got {line!r:.60}")
        aspects.setdefault(query, []).append(name.strip())
    return aspects
