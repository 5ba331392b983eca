"""Between the rows of the SQLite frontier and the records of its contract."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from taxocrawl.frontier.base import Entry
from taxocrawl.frontier.schema import STATES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ENTRY = (
    "SELECT u.id, u.url, coalesce(u.key, u.url), h.host, u.state, u.score, u.depth, u.found_in,"
    " u.iteration, u.referrer, u.source, u.reason, u.attempts, u.payload, u.evidence"
    " FROM urls u CROSS JOIN hosts h ON h.id = u.host_id"
)
"""Columns in the order of `Entry`'s fields; a WHERE clause is to be added."""


def entry_of(row: Iterable[Any]) -> Entry:
    """An `Entry` from a row of `ENTRY`."""
    fields = list(row)
    fields[4] = STATES[fields[4]]
    fields[-1] = json.loads(fields[-1]) if fields[-1] else {}
    return Entry(*fields)


def hash_of(key: str) -> int:
    """64 bits of a canonical URL as SQLite's signed integer; the same on every machine."""
    return int.from_bytes(
        blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True
    )


def to_json(value: Mapping[str, Any] | Any) -> str:
    """Compact JSON; what JSON does not know is written as its text. Raises ValueError for NaN."""
    return json.dumps(
        value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_plain
    )


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's; the rest as text."""
    item = getattr(value, "item", None)
    return item() if callable(item) else str(value)
