"""A run's documents in two columns: by their score, and diversified (METU 5.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from taxocrawl.diversify.features import Post
from taxocrawl.rerank.candidates import Candidate
from taxocrawl.rerank.reranker import EXPLICIT, Reranker
from taxocrawl.text.normalise import fold_whitespace, normalise_text
from taxocrawl.web.aspects import nearest_aspects
from taxocrawl.web.folders import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from taxocrawl.rerank.representations import TextModel
    from taxocrawl.runs.folder import RunFolder
    from taxocrawl.topic import Aspect

METHODS = ("mmr", "xquad", "sy")
DEPTH = 200
"""Documents that are considered for the diverse order."""
_COMPARED = 3000
_SNIPPET = 260


@dataclass(frozen=True, slots=True)
class Listed:
    """A document in a column."""

    record: Mapping[str, Any]
    aspect: str
    snippet: str
    place: int
    """In its own column, from 1."""
    first_place: int
    """By score, from 1."""

    @property
    def moved(self) -> int:
        """Places it rose (above 0) or fell against the order by score."""
        return self.first_place - self.place


@dataclass(frozen=True, slots=True)
class Filters:
    """Which documents are shown; what is empty shows all."""

    kind: str = ""
    category: str = ""
    aspect: str = ""
    words: str = ""
    year_from: int | None = None
    year_to: int | None = None

    def admits(self, record: Mapping[str, Any], aspect: str) -> bool:
        """Whether a document is shown."""
        year = record.get("year")
        wanted = range(self.year_from or 0, 1 + (9999 if self.year_to is None else self.year_to))
        any_year = self.year_from is None and self.year_to is None
        title = f"{record.get('title') or ''} {' '.join(map(str, record.get('authors') or ()))}"
        return (
            self.kind in ("", record.get("kind"))
            and self.category in ("", record.get("category"))
            and self.aspect in ("", aspect)
            and (any_year or year in wanted)
            and all(word in title.casefold() for word in self.words.casefold().split())
        )


@dataclass(frozen=True, slots=True)
class Columns:
    """Both orders of the same documents."""

    original: Sequence[Listed]
    diverse: Sequence[Listed]
    found: int
    """Documents that the filters admit."""
    total: int
    aspects: Mapping[str, int]
    """Number of the run's documents by the aspect nearest to them."""


def two_columns(
    folder: RunFolder,
    records: Sequence[Mapping[str, Any]],
    aspects: Sequence[Aspect],
    model: TextModel,
    filters: Filters,
    ways: tuple[str, float],
    length: int,
) -> Columns:
    """The documents that the filters admit, in both orders.

    Args:
        folder: of the run.
        records: its documents, best first.
        aspects: of its topic; needed by `xquad`.
        model: what texts are read with.
        filters: what is shown.
        ways: one of `METHODS` and its lambda in [0, 1] (see `Reranker`).
        length: documents in each column.

    Raises ArgumentError for a lambda out of range, and when `xquad` has no aspects.
    """
    method, lambda_ = ways
    reranker = Reranker(method, "rank", "tf-idf", lambda_, depth=DEPTH, length=length)
    nearest = _nearest(folder, records, aspects, model)
    shown = [n for n, record in enumerate(records) if filters.admits(record, nearest[n])]
    pool = shown[:DEPTH]
    candidates = candidates_of(folder, [records[n] for n in pool])
    order = diverse_order(reranker, candidates, aspects, model)

    def listed(place: int, first: int) -> Listed:
        number = pool[first]
        record = records[number]
        return Listed(record, nearest[number], snippet_of(folder, record), place + 1, first + 1)

    return Columns(
        [listed(place, place) for place in range(min(length, len(pool)))],
        [listed(place, first) for place, first in enumerate(order)],
        len(shown),
        len(records),
        _counted(nearest, aspects),
    )


def _nearest(
    folder: RunFolder,
    records: Sequence[Mapping[str, Any]],
    aspects: Sequence[Aspect],
    model: TextModel,
) -> list[str]:
    """The aspect nearest to each document; '' for those beyond the best."""
    texts = [compared_text(folder, record) for record in records[: 5 * DEPTH]]
    nearest = nearest_aspects(texts, aspects, model)
    return nearest + [""] * (len(records) - len(nearest))


def candidates_of(folder: RunFolder, records: Sequence[Mapping[str, Any]]) -> list[Candidate]:
    """Documents as rerankers take them."""
    return [
        Candidate("", str(record["content_hash"]), Post(compared_text(folder, record)))
        for record in records
    ]


def diverse_order(
    reranker: Reranker,
    candidates: Sequence[Candidate],
    aspects: Sequence[Aspect],
    model: TextModel,
) -> Sequence[int]:
    """Positions of the candidates in their diverse order; none for no candidates."""
    words = [aspect.phrases for aspect in aspects] if reranker.method in EXPLICIT else []
    if not candidates:
        return ()
    return reranker.rerank(candidates, "", model, words).order


def compared_text(folder: RunFolder, record: Mapping[str, Any]) -> str:
    """What orders compare of a document: its title and the beginning of its text."""
    text = text_of(folder, str(record["content_hash"]), _COMPARED)
    return f"{record.get('title') or ''} {text}"


def snippet_of(folder: RunFolder, record: Mapping[str, Any]) -> str:
    """The beginning of a document's text on one line, without its title."""
    text = fold_whitespace(normalise_text(text_of(folder, str(record["content_hash"]), _COMPARED)))
    title = fold_whitespace(str(record.get("title") or ""))
    if title and text.casefold().startswith(title.casefold()):
        text = text[len(title) :].lstrip(" .:|-")
    return text if len(text) <= _SNIPPET else f"{text[:_SNIPPET].rsplit(' ', 1)[0]} …"


def _counted(nearest: Sequence[str], aspects: Sequence[Aspect]) -> dict[str, int]:
    counts = {aspect.name: 0 for aspect in aspects}
    for name in nearest:
        if name:
            counts[name] += 1
    return counts


def choices(records: Sequence[Mapping[str, Any]], name: str) -> list[str]:
    """The values of a field that occur, for a filter."""
    return sorted({str(record.get(name) or "") for record in records} - {""})
