"""Several addresses of one page in the SQLite frontier: redirects and aliases."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from taxocrawl.frontier.discovery import Located, locate
from taxocrawl.frontier.schema import DONE, IN_FLIGHT, KNOWN, SELECTED
from taxocrawl.frontier.urls import canonicalize, host_of

if TYPE_CHECKING:
    import sqlite3

    from taxocrawl.frontier.base import Entry
    from taxocrawl.frontier.hosts import Hosts
    from taxocrawl.frontier.ledger import Ledger


class Addresses:
    """Changes within the caller's transactions.

    Args:
        connection: of the frontier file.
        hosts: to be told of what is selected.
        ledger: to be told of what happened.
    """

    def __init__(self, connection: sqlite3.Connection, hosts: Hosts, ledger: Ledger) -> None:
        self._db = connection
        self._hosts = hosts
        self._ledger = ledger

    def follow(self, entry: Entry, key: str, payload: str, *, new: bool) -> None:
        """An entry goes on under another URL, maybe of another host."""
        old_host, new_host = self._hosts.id_of(entry.host), self._hosts.id_of(host_of(key))
        self._db.execute(
            f"UPDATE urls SET state = {SELECTED}, payload = ?, host_id = ?, changed_at = ?"
            " WHERE id = ?",
            (payload, new_host, time(), entry.id),
        )
        if new:
            self._ledger.alias(key, entry.id)
        if new_host != old_host:
            self._hosts.take([old_host], -1)
            self._hosts.take([new_host])
        self._ledger.moved(IN_FLIGHT, SELECTED)
        self._hosts.selected_changed([new_host])
        self._ledger.event(entry.id, "redirected", url=key)

    def led_to(self, target: Located, entry: Entry, url: str) -> None:
        """An entry's URL led to another entry's: it is done."""
        reason = "redirect to known"
        self._db.execute(
            f"UPDATE urls SET state = {DONE}, reason = ?, payload = '', changed_at = ?"
            " WHERE id = ?",
            (reason, time(), entry.id),
        )
        self._ledger.moved(IN_FLIGHT, DONE)
        self._ledger.event(entry.id, reason, url=url, entry=target.id)
        self._promote(target, entry)

    def _promote(self, target: Located, entry: Entry) -> None:
        """A page that two addresses lead to is worth the better one's score."""
        if target.state != KNOWN:
            return
        self._db.execute(
            f"UPDATE urls SET state = {SELECTED}, iteration = ?, score = ?, depth = ?,"
            " changed_at = ? WHERE id = ?",
            (
                entry.iteration,
                max(target.score, entry.score),
                min(target.depth, entry.depth),
                time(),
                target.id,
            ),
        )
        self._ledger.moved(KNOWN, SELECTED)
        self._hosts.take([target.host_id])
        self._hosts.selected_changed([target.host_id])
        self._hosts.known_changed([target.host_id])
        self._ledger.event(target.id, "selected by a redirect", entry=entry.id)

    def alias(self, entry_id: int, url: str) -> None:
        """Another URL of an entry's page: it is not fetched."""
        key = canonicalize(url)
        at = locate(self._db, [key]).get(key)
        if at is None:
            self._ledger.alias(key, entry_id)
        elif at.id != entry_id and at.state in (KNOWN, SELECTED):
            self._db.execute(
                f"UPDATE urls SET state = {DONE}, reason = 'alias', changed_at = ? WHERE id = ?",
                (time(), at.id),
            )
            self._ledger.moved(at.state, DONE)
            if at.state == KNOWN:
                self._hosts.known_changed([at.host_id])
            else:
                self._hosts.selected_changed([at.host_id])
            self._ledger.event(at.id, "alias", entry=entry_id)
