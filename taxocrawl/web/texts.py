"""Lists of short texts in two columns: as found, and diversified (METU 5.5)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from taxocrawl.exceptions import InputFileError
from taxocrawl.rerank.candidates import Candidate, parse_candidates
from taxocrawl.rerank.reranker import Reranker
from taxocrawl.text.normalise import fold_whitespace, normalise_text
from taxocrawl.web.results import diverse_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from taxocrawl.rerank.representations import TextModel
    from taxocrawl.topic import Aspect

MOST = 1000
"""Texts of one list."""
_KEPT = ("id", "text", "timestamp", "author", "client", "url", "linked_text")
_LENGTH = 5000


@dataclass(frozen=True, slots=True)
class ListedText:
    """A text in a column."""

    candidate: Candidate
    place: int
    first_place: int

    @property
    def moved(self) -> int:
        """Places it rose (above 0) or fell."""
        return self.first_place - self.place

    @property
    def time(self) -> datetime | None:
        """When it was written, if that is known and a calendar has it."""
        moment = self.candidate.post.timestamp
        try:
            return None if moment is None else datetime.fromtimestamp(moment, UTC)
        except (OverflowError, ValueError, OSError):
            return None


def parse_texts(given: bytes, name: str) -> list[dict[str, Any]]:
    """The records of a file: JSON Lines, or one text a line.

    Raises InputFileError for a file that is no text, has none, too many, or those of several
    queries.
    """
    try:
        text = given.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputFileError(f"{name}: not a text in UTF-8 ({error.reason})") from error
    if text.lstrip().startswith("{"):
        pools = parse_candidates(text, name)
        if len(pools) > 1:
            raise InputFileError(f"{name}: has the texts of {len(pools)} queries, expected one")
        return records_of(next(iter(pools.values()), []), name)
    lines = [fold_whitespace(normalise_text(line)) for line in text.splitlines()]
    written = [json.dumps({"id": str(n), "text": line}) for n, line in enumerate(lines, 1) if line]
    pools = parse_candidates("\n".join(written), name)
    return records_of(pools.get("", []), name)


def records_of(found: Iterable[Candidate], name: str) -> list[dict[str, Any]]:
    """Candidates as they are kept. Raises InputFileError for none and for too many."""
    records = []
    for candidate in found:
        post = candidate.post
        fields = (candidate.id, post.text[:_LENGTH], post.timestamp, post.author, post.client)
        records.append(dict(zip(_KEPT, (*fields, post.url, post.linked_text), strict=True)))
    if not records:
        raise InputFileError(f"{name}: has no texts")
    if len(records) > MOST:
        raise InputFileError(f"{name}: {len(records)} texts are too many (at most {MOST})")
    return records


def text_columns(
    records: Sequence[dict[str, Any]],
    aspects: Sequence[Aspect],
    model: TextModel,
    way: tuple[str, float],
    length: int,
) -> tuple[list[ListedText], list[ListedText]]:
    """Kept texts in the order found and diversified, `length` of each.

    Raises ArgumentError for a lambda out of range, and when `xquad` has no aspects.
    """
    lines = "\n".join(map(json.dumps, records))
    candidates = next(iter(parse_candidates(lines, "the list").values()), [])
    method, lambda_ = way
    # In a short list of short texts, idf takes what they share for words that say nothing.
    reranker = Reranker(method, "rank", "jaccard", lambda_, aspect="jaccard", length=length)
    order = diverse_order(reranker, candidates, aspects, model)
    first = [ListedText(found, n, n) for n, found in enumerate(candidates[:length], 1)]
    second = [ListedText(candidates[at], n, at + 1) for n, at in enumerate(order, 1)]
    return first, second
