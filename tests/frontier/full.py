"""A frontier on a disk of 400 kB."""

from __future__ import annotations

from taxocrawl.frontier.sqlite import SqliteFrontier


class TinyFrontier(SqliteFrontier):
    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._db.execute("PRAGMA max_page_count = 100")
