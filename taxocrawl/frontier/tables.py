"""What nearly every change of the SQLite frontier writes to, within the caller's transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3

    from taxocrawl.frontier.hosts import Hosts
    from taxocrawl.frontier.ledger import Ledger


class Tables(NamedTuple):
    """One frontier file, opened once."""

    db: sqlite3.Connection
    hosts: Hosts
    """To be told when the known or selected URLs of a host change."""
    ledger: Ledger
    """To be told what happened."""
