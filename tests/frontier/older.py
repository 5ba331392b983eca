"""Frontier files as earlier versions wrote them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

_BACK_TO = {
    2: """
DELETE FROM counts WHERE name = 'downloads';
DROP INDEX urls_selected;
DROP INDEX hosts_next;
DROP INDEX IF EXISTS urls_known;
DROP INDEX IF EXISTS urls_recent;
DROP INDEX IF EXISTS urls_known_host;
DROP INDEX IF EXISTS hosts_known;
ALTER TABLE urls DROP COLUMN place;
ALTER TABLE urls DROP COLUMN rank;
ALTER TABLE hosts DROP COLUMN next_place;
ALTER TABLE hosts DROP COLUMN known_place;
CREATE INDEX urls_selected ON urls (host_id, score DESC, id) WHERE state = 1;
CREATE INDEX hosts_next ON hosts (next_score DESC, next_id) WHERE next_id IS NOT NULL;
CREATE INDEX urls_known ON urls (score DESC, id, found_in) WHERE state = 0;
PRAGMA user_version = 2;
""",
    1: """
DROP TABLE visits;
DROP TABLE revisits;
DROP INDEX fetches_entry;
PRAGMA user_version = 1;
""",
}


def make_older(path: Path, version: int) -> None:
    """Turn a closed frontier file of today into one of an earlier version."""
    with closing(sqlite3.connect(path)) as db:
        for step, statements in _BACK_TO.items():
            if step >= version:
                db.executescript(statements)
