"""Run, qrels and topics files in TREC's formats."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from lxml import etree

from taxocrawl.exceptions import InputFileError
from taxocrawl.text.files import read_text_file
from taxocrawl.text.normalise import fold_whitespace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path


class Ranked(NamedTuple):
    """A document of a run."""

    id: str
    score: float


class Judgement(NamedTuple):
    """A line of a qrels file: how relevant a document is to a subtopic of a query."""

    query: str
    subtopic: str
    id: str
    relevance: int
    """Above 0 is relevant; a negative one (spam) is not."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A query with its number and, if it has named ones, its subtopics."""

    id: str
    query: str
    subtopics: tuple[str, ...] = ()


def read_run(path: Path, order: Literal["rank", "score"] = "rank") -> dict[str, list[Ranked]]:
    """The documents of each query of a run (``query Q0 id rank score tag``), best first.

    Tools disagree on which column orders a run and how ties go; here it is the rank column, or
    with `order="score"` the score with ties by rank. Lines of a query need not be contiguous.
    Raises InputFileError for a line of another form, a document twice in a query, and, unless
    ordered by score, for ranks that contradict the scores.
    """
    rows: dict[str, list[tuple[int, float, str, int]]] = defaultdict(list)
    for number, (query, _, id_, rank, score, _) in _lines(path, 6, "a TREC run"):
        rows[query].append((_whole(path, number, rank), _real(path, number, score), id_, number))
    run: dict[str, list[Ranked]] = {}
    for query, found in rows.items():
        found.sort(key=lambda row: (-row[1], row[0]) if order == "score" else (row[0],))
        _refuse_second(path, query, [(row[2], row[3]) for row in found])
        if order == "rank":
            _refuse_contradiction(path, query, found)
        run[query] = [Ranked(id_, score) for _, score, id_, _ in found]
    return run


def format_run(rankings: Mapping[str, Sequence[str]], tag: str) -> str:
    """A run file's text: ranks from 1 and whole, strictly falling scores.

    Without ties every tool reads the same order, whichever column it goes by. Ids and the tag
    must have no white space; it is replaced by ``_``.
    """
    lines = []
    for query, ids in rankings.items():
        for rank, id_ in enumerate(ids, start=1):
            fields = (_field(query), "Q0", _field(id_), rank, len(ids) - rank + 1, _field(tag))
            lines.append(" ".join(map(str, fields)) + "\n")
    return "".join(lines)


def read_qrels(path: Path) -> list[Judgement]:
    """The judgements of a qrels file (``query subtopic id relevance``), in its order.

    Raises InputFileError for a line of another form.
    """
    return [
        Judgement(query, subtopic, id_, _whole(path, number, relevance))
        for number, (query, subtopic, id_, relevance) in _lines(path, 4, "a qrels file")
    ]


def read_topics(path: Path) -> dict[str, Topic]:
    """Topics by their ids, from ``id<TAB>query`` lines or from the Web Track's XML.

    Raises InputFileError for a file of another form, an empty query and a repeated id.
    """
    text = read_text_file(path, "topics, as id<TAB>query lines or TREC XML")
    is_xml = text.lstrip().startswith("<")
    topics: dict[str, Topic] = {}
    for topic in _xml_topics(path, text) if is_xml else _tsv_topics(path, text):
        if not topic.query:
            raise InputFileError(f"{path}: topic {topic.id!r} has no query")
        if topic.id in topics:
            raise InputFileError(f"{path}: topic {topic.id!r} occurs twice")
        topics[topic.id] = topic
    return topics


def _tsv_topics(path: Path, text: str) -> Iterator[Topic]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            id_, tab, query = line.partition("\t")
            if not tab:
                raise InputFileError(f"{path}, line {number}: expected id<TAB>query")
            yield Topic(id_.strip(), fold_whitespace(query))


def _xml_topics(path: Path, text: str) -> Iterator[Topic]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise InputFileError(f"{path}: expected topics in TREC XML: {error.msg}") from error
    for topic in root.iter("topic"):
        query = fold_whitespace(topic.findtext("query") or "")
        texts = (fold_whitespace(str(part.xpath("string()"))) for part in topic.iter("subtopic"))
        yield Topic(topic.get("number", ""), query, tuple(filter(None, texts)))


def _lines(path: Path, fields: int, what: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(read_text_file(path, what).splitlines(), start=1):
        if not line.strip():
            continue
        parts = line.split()
        if len(parts) != fields:
            raise InputFileError(
                f"{path}, line {number}: expected the {fields} fields of {what}, got {len(parts)}"
            )
        yield number, parts


def _whole(path: Path, line: int, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputFileError(
            f"{path}, line {line}: expected a whole number, got {text!r}"
        ) from None


def _real(path: Path, line: int, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputFileError(f"{path}, line {line}: expected a number, got {text!r}")
    return value


def _refuse_second(path: Path, query: str, found: Sequence[tuple[str, int]]) -> None:
    seen: dict[str, int] = {}
    for id_, line in found:
        if id_ in seen:
            first, second = sorted((seen[id_], line))
            raise InputFileError(
                f"{path}, line {second}: {id_!r} occurs twice for query {query!r} "
                f"(first in line {first})"
            )
        seen[id_] = line


def _refuse_contradiction(
    path: Path, query: str, found: Sequence[tuple[int, float, str, int]]
) -> None:
    for (rank, score, *_), (next_rank, next_score, _, line) in pairwise(found):
        if next_score > score and next_rank > rank:
            raise InputFileError(
                f"{path}, line {line}: rank and score of query {query!r} disagree (rank "
                f"{next_rank} has {next_score:g}, rank {rank} only {score:g}); say which one "
                "orders the run"
            )


def _field(text: str) -> str:
    return "_".join(text.split()) or "_"
