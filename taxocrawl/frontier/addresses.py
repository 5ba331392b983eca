"""Several addresses of one page in the SQLite frontier: redirects and aliases."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from taxocrawl.frontier.discovery import Located, locate
from taxocrawl.frontier.ordering import found_in, redirected_rank
from taxocrawl.frontier.schema import DONE, IN_FLIGHT, KNOWN, SELECTED
from taxocrawl.frontier.urls import canonicalize, host_of

if TYPE_CHECKING:
    from taxocrawl.frontier.base import Entry
    from taxocrawl.frontier.tables import Tables


class Addresses:
    """Changes within the caller's transactions.

    Args:
        tables: of the frontier file.
    """

    def __init__(self, tables: Tables) -> None:
        self._db, self._hosts, self._ledger = tables

    def redirect(self, entry: Entry, url: str, payload: str) -> Located | None:
        """See `Frontier.redirect`; what the URL led to when the entry does not go on with it."""
        key = canonicalize(url)
        target = locate(self._db, [key]).get(key)
        if target is None or target.id == entry.id or _found_meanwhile(target, entry):
            self._follow(entry, key, payload)
            return None
        self._led_to(target, entry, url)
        return target

    def _follow(self, entry: Entry, key: str, payload: str) -> None:
        """An entry goes on under another URL, maybe of another host."""
        old_host, new_host = self._hosts.id_of(entry.host), self._hosts.id_of(host_of(key))
        self._db.execute(
            f"UPDATE urls SET state = {SELECTED}, payload = ?, host_id = ?, rank = ?,"
            " changed_at = ? WHERE id = ?",
            (payload, new_host, redirected_rank(key), time(), entry.id),
        )
        self.alias(entry.id, key)
        if new_host != old_host:
            self._hosts.take([old_host], -1)
            self._hosts.take([new_host])
        self._ledger.moved(IN_FLIGHT, SELECTED)
        self._hosts.selected_changed([new_host])
        self._ledger.event(entry.id, "redirected", url=key)

    def _led_to(self, target: Located, entry: Entry, url: str) -> None:
        """An entry's URL led to another entry's: it is done."""
        reason = "redirect to known"
        self._db.execute(
            f"UPDATE urls SET state = {DONE}, reason = ?, payload = '', changed_at = ?"
            " WHERE id = ?",
            (reason, time(), entry.id),
        )
        self._ledger.moved(IN_FLIGHT, DONE)
        self._ledger.event(entry.id, reason, url=url, entry=target.id)
        if target.state == KNOWN:
            self._select(target, entry, redirected_rank(canonicalize(url)))

    def _select(self, target: Located, entry: Entry, rank: int) -> None:
        self._db.execute(
            f"UPDATE urls SET state = {SELECTED}, iteration = ?, rank = ?, changed_at = ?"
            " WHERE id = ?",
            (entry.iteration, rank, time(), target.id),
        )
        self._ledger.moved(KNOWN, SELECTED)
        self._hosts.take([target.host_id])
        self._hosts.selected_changed([target.host_id])
        self._hosts.known_changed([target.host_id])
        self._ledger.event(target.id, "selected by a redirect", entry=entry.id)

    def alias(self, entry_id: int, url: str) -> None:
        """Another URL of an entry's page: it is not fetched, unless it is selected already.

        Whether the page's answer comes before the other is asked for must not decide.
        """
        key = canonicalize(url)
        at = locate(self._db, [key]).get(key)
        if at is None:
            self._ledger.alias(key, entry_id)
        elif at.id != entry_id and at.state == KNOWN:
            self._db.execute(
                f"UPDATE urls SET state = {DONE}, reason = 'alias', changed_at = ? WHERE id = ?",
                (time(), at.id),
            )
            self._ledger.moved(KNOWN, DONE)
            self._hosts.known_changed([at.host_id])
            self._ledger.event(at.id, "alias", entry=entry_id)


def _found_meanwhile(target: Located, entry: Entry) -> bool:
    """Whether a URL was found in the iteration that asks for an entry, and not selected.

    Its page may as well come after the entry's answer: both ways must lead to the same.
    """
    return target.state == KNOWN and found_in(target.place) == entry.iteration
