"""Candidates of a ranking as JSON Lines: posts, titles, snippets, or a run's documents."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from taxocrawl.diversify.checks import checked_ids
from taxocrawl.diversify.duplicates import duplicate_level
from taxocrawl.diversify.features import Post
from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.text.files import read_text_file
from taxocrawl.text.normalise import fold_whitespace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from taxocrawl.diversify.ranking import Ranking
    from taxocrawl.rerank.trec import Ranked

_WHAT = "candidates, one JSON object a line"
_TEXT = ("text", "title")
_ID = ("id", "content_hash", "url")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One text of a candidate ranking."""

    query: str
    """Id of the query it was found for; empty in a file of one query."""
    id: str
    post: Post
    score: float | None = None
    """The score with which it was found, if any."""
    record: Mapping[str, Any] | None = None
    """The object it was read from."""


def read_candidates(path: Path) -> dict[str, list[Candidate]]:
    """The candidates of each query, in the file's order: see `parse_candidates`."""
    return parse_candidates(read_text_file(path, _WHAT), str(path))


def parse_candidates(text: str, name: str) -> dict[str, list[Candidate]]:
    """The candidates of each query, in the order of the lines.

    Fields: `text`, with `title` before it when both are given; `id` (else `content_hash` or
    `url`); `query_id` or `qid`; and, each optional, `score`, `timestamp` (seconds since the epoch
    or ISO 8601) or `time_ms`, `author` or `authors`, `client`, `url` and `linked_text`. Thereby a
    run's documents.jsonl can be read as it is. `name` says in messages what was read. Raises
    InputFileError for a line of another form and for an id that a query has twice.
    """
    found: dict[str, list[Candidate]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                candidate = _candidate(json.loads(line))
            except (TypeError, ValueError, RecursionError) as error:
                raise InputFileError(f"{name}, line {number}: expected {_WHAT}: {error}") from error
            found.setdefault(candidate.query, []).append(candidate)
    for query, candidates in found.items():
        where = f"{name}, query {query!r}" if query else name
        try:
            checked_ids((candidate.id for candidate in candidates), where)
        except ArgumentError as error:
            raise InputFileError(str(error)) from error
    return found


def with_texts(
    run: Mapping[str, Sequence[Ranked]],
    texts: Mapping[str, Sequence[Candidate]],
    run_path: Path,
    texts_path: Path,
) -> dict[str, list[Candidate]]:
    """The documents of a TREC run with their texts, in the run's order and with its scores.

    Texts of the same query count first, then those without a query. Raises InputFileError for a
    document without a text.
    """
    pools: dict[str, list[Candidate]] = {}
    anywhere = {found.id: found for found in texts.get("", ())}
    for query, ranked in run.items():
        known = anywhere | {found.id: found for found in texts.get(query, ())}
        for id_, score in ranked:
            if id_ not in known:
                raise InputFileError(
                    f"{run_path}: {texts_path} has no text of {id_!r} for query {query!r}"
                )
            pools.setdefault(query, []).append(replace(known[id_], query=query, score=score))
    return pools


def format_candidates(query: str, candidates: Iterable[Candidate], ranking: Ranking) -> str:
    """A reranked list as JSON Lines: each record with its new rank, its old one and its score.

    `rank` counts from 1, as `first_rank` does; `rerank_score` is the value by which the text was
    chosen. `query_id` is added when the record had none.
    """
    pool = list(candidates)
    lines = []
    for rank, (index, score) in enumerate(zip(ranking.order, ranking.scores, strict=True), start=1):
        record = dict(pool[index].record or {"id": pool[index].id, "text": pool[index].post.text})
        if query and not {"query_id", "qid"} & record.keys():
            record["query_id"] = query
        record |= {"rank": rank, "first_rank": index + 1, "rerank_score": score}
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines)


def format_duplicates(query: str, candidates: Sequence[Candidate], ranking: Ranking) -> str:
    """What Sy took for duplicates, as JSON Lines: `id`, the id it `repeats`, and the `level`.

    The level is one of the five of `DuplicateLevel`, or none when other features than the words
    made the two alike.
    """
    lines = []
    for index, kept in ranking.duplicates:
        one, two = candidates[index], candidates[kept]
        level = duplicate_level(one.post.text, two.post.text)
        record = {"query_id": query, "id": one.id, "repeats": two.id, "level": level.value}
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines)


def _candidate(record: object) -> Candidate:
    """A candidate from a JSON object; TypeError or ValueError when it is of another form."""
    if not isinstance(record, dict):
        raise TypeError("not an object")
    id_ = next((str(record[name]) for name in _ID if record.get(name) not in (None, "")), "")
    if not id_:
        raise ValueError(f"no {', '.join(_ID[:-1])} or {_ID[-1]}")
    texts = [_text(record, name) for name in ("title", "text")]
    if not any(name in record for name in _TEXT):
        raise ValueError("no text or title")
    authors = record.get("authors")
    author = "; ".join(map(str, authors)) if isinstance(authors, list) else _text(record, "author")
    post = Post(
        text=fold_whitespace(" ".join(texts)),
        timestamp=_timestamp(record),
        author=author,
        client=_text(record, "client"),
        url=_text(record, "url"),
        linked_text=_text(record, "linked_text"),
    )
    query = record.get("query_id", record.get("qid", ""))
    score = None if record.get("score") is None else _number(record, "score")
    return Candidate(str(query), id_, post, score, record)


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {value!r:.60}")
    # Half of a surrogate pair can be written in JSON, but nowhere else.
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _number(record: Mapping[str, Any], name: str) -> float:
    value = record[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{name} must be a number, not {value!r:.60}")
    return float(value)


def _timestamp(record: Mapping[str, Any]) -> float | None:
    if record.get("time_ms") is not None:
        return _number(record, "time_ms") / 1000
    value = record.get("timestamp")
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        return _number(record, "timestamp")
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise ValueError(f"timestamp must be seconds or ISO 8601, not {value!r:.60}") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
