"""The part of a report that sets the documents in a diverse order beside their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taxocrawl.runs.markup import shown, table, web_link

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Record = Mapping[str, Any]

LENGTH = 20
"""Documents in either order."""
LAMBDA = 0.5
_FEWEST = 3


def reading_list(best: Sequence[Record]) -> str:
    """Two columns, as METU 5.5 shows results: the documents by their score, and by MMR.

    MMR sees the order by score and the words of the titles. Empty for fewer than three documents:
    they have no other order worth reading.
    """
    if len(best) < _FEWEST:
        return ""
    order = diverse_order(best)[:LENGTH]
    rows = [
        (str(place + 1), _title(best[place]), f"{_title(best[index])} ({_moved(index, place)})")
        for place, index in enumerate(order)
    ]
    header = ("place", "by score", "diverse (place by score)")
    columns = table("The same documents in an order that repeats itself less", header, rows)
    return (
        "<h3>For reading</h3>\n"
        "<p>On the right, a document whose title is much like one above it comes later "
        f"(MMR over the words of the titles, lambda {LAMBDA}).</p>\n"
        f'<div class="words reading">{columns}</div>'
    )


def diverse_order(best: Sequence[Record]) -> tuple[int, ...]:
    """Positions of all documents in the order of MMR."""
    # The numerical libraries would take their time at the start of every crawl.
    from taxocrawl.diversify.features import Post
    from taxocrawl.rerank.candidates import Candidate
    from taxocrawl.rerank.representations import TextModel
    from taxocrawl.rerank.reranker import Reranker

    pool = [
        Candidate("", str(place), Post(str(record.get("title") or "")))
        for place, record in enumerate(best)
    ]
    return Reranker("mmr", lambda_=LAMBDA).rerank(pool, "", TextModel()).order


def _title(record: Record) -> str:
    url = str(record.get("final_url") or record.get("url") or "")
    return web_link(url, str(record.get("title") or ""))


def _moved(index: int, place: int) -> str:
    return "same" if index == place else shown(index + 1)
