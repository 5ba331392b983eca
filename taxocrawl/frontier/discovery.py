"""Adding found URLs to the SQLite frontier: one row per canonical form."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from time import time
from typing import TYPE_CHECKING, NamedTuple

from taxocrawl.frontier.ordering import NO_PAGE, found_in, place_of
from taxocrawl.frontier.rows import hash_of, to_json
from taxocrawl.frontier.schema import KNOWN, STATES
from taxocrawl.frontier.urls import canonicalize, host_of, request_form, unfetchable

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from taxocrawl.frontier.base import Candidate
    from taxocrawl.frontier.tables import Tables

_LOCATE = """
SELECT coalesce(key, url), id, state, score, depth, host_id, place, referrer FROM urls
WHERE hash IN (SELECT value FROM json_each(:hashes))
UNION ALL
SELECT a.url, u.id, -1, u.score, u.depth, u.host_id, u.place, u.referrer
FROM aliases a JOIN urls u ON u.id = a.entry_id
WHERE a.hash IN (SELECT value FROM json_each(:hashes))
"""
INSERT = f"""
INSERT INTO urls (url, key, hash, host_id, state, score, depth, found_in, place, changed_at,
                  referrer, source, evidence, payload)
VALUES (?, ?, ?, ?, {KNOWN}, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_IMPROVE = "UPDATE urls SET score = ?, referrer = ?, evidence = ? WHERE id = ?"
_RESCORE = "UPDATE urls SET score = ?, evidence = coalesce(?, evidence) WHERE id = ?"
_NEARER = "UPDATE urls SET depth = ? WHERE id = ?"
_EARLIER = "UPDATE urls SET place = ?, url = ?, key = ?, source = ?, payload = ? WHERE id = ?"


class Located(NamedTuple):
    """Where a canonical URL stands; `state` is -1 when it is an alias of the entry."""

    id: int
    state: int
    score: float
    depth: int
    host_id: int
    place: int
    referrer: str


class Offer(NamedTuple):
    """A candidate under its request form, and its place in the order of discovery."""

    candidate: Candidate
    place: int


def locate(db: sqlite3.Connection, keys: Iterable[str]) -> dict[str, Located]:
    """The rows and aliases of canonical URLs; a row of its own goes before an alias."""
    wanted = {key: hash_of(key) for key in keys}
    rows = db.execute(_LOCATE, {"hashes": json.dumps(list(wanted.values()))})
    found: dict[str, Located] = {}
    for key, *rest in rows:
        if key in wanted:
            found.setdefault(key, Located(*rest))
    return found


def add(tables: Tables, offers: Mapping[str, Offer], iteration: int) -> tuple[int, int]:
    """Add URLs within the caller's transaction, see `Frontier.push`; return (new, known before)."""
    db, hosts, ledger = tables
    located = locate(db, offers)
    now = time()
    new = []
    touched = set()
    for key, offer in offers.items():
        if (at := located.get(key)) is None:
            host_id = hosts.id_of(host_of(key))
            touched.add(host_id)
            new.append(known_row(key, host_id, offer, iteration, now))
        elif at.state == KNOWN and _improve(db, at, key, offer):
            touched.add(at.host_id)
    db.executemany(INSERT, new)
    ledger.shift(STATES[KNOWN], len(new))
    hosts.known_changed(touched)
    return len(new), len(offers) - len(new)


def known_row(
    key: str, host_id: int, offer: Offer, iteration: int, now: float
) -> tuple[object, ...]:
    """The values of `INSERT`."""
    candidate, place = offer
    return (
        candidate.url,
        key if key != candidate.url else None,
        hash_of(key),
        host_id,
        candidate.score,
        candidate.depth,
        iteration,
        place,
        now,
        candidate.referrer,
        candidate.source,
        to_json(candidate.evidence) if candidate.evidence else "",
        candidate.payload,
    )


def rescore(tables: Tables, candidates: Iterable[Candidate]) -> int:
    """Set the scores of known URLs within the caller's transaction; see `Frontier.rescore`."""
    db, hosts, _ = tables
    offers = {canonicalize(candidate.url): candidate for candidate in candidates}
    changes = []
    touched = set()
    for key, at in locate(db, offers).items():
        score = checked_score(offers[key])
        if at.state == KNOWN and at.score != score:
            evidence = offers[key].evidence
            changes.append((score, to_json(evidence) if evidence else None, at.id))
            touched.add(at.host_id)
    db.executemany(_RESCORE, changes)
    hosts.known_changed(touched)
    return len(changes)


def checked_score(candidate: Candidate) -> float:
    """A candidate's score; raises ValueError when it is not a number in [0, 1]."""
    if not 0.0 <= candidate.score <= 1.0:
        raise ValueError(f"{candidate.url}: score {candidate.score!r}, expected 0 to 1")
    return candidate.score


def offers_of(
    candidates: Iterable[Candidate], iteration: int, rank: int = NO_PAGE
) -> tuple[dict[str, Offer], Counter[str], int]:
    """One candidate per canonical URL, as if they had come one after the other.

    Args:
        candidates: what is found.
        iteration: in which it is found.
        rank: of the page that links to it, see `ordering`.

    Returns:
        The offers by canonical URL, the number of URLs that are never asked for by reason, and
        the number of repetitions.
    """
    offers: dict[str, Offer] = {}
    refused: Counter[str] = Counter()
    repeated = 0
    for position, candidate in enumerate(candidates):
        checked_score(candidate)
        if reason := unfetchable(candidate.url):
            refused[reason] += 1
            continue
        url = request_form(candidate.url)
        key = canonicalize(url)
        if (first := offers.get(key)) is None:
            # What no page links to comes as it is pushed: by the ids.
            place = place_of(iteration, rank, 0 if rank == NO_PAGE else position)
            asked = candidate if url == candidate.url else replace(candidate, url=url)
            offers[key] = Offer(asked, place)
        else:
            offers[key] = Offer(_better(first.candidate, candidate), first.place)
            repeated += 1
    return offers, refused, repeated


def _better(first: Candidate, again: Candidate) -> Candidate:
    depth = min(first.depth, again.depth)
    if again.score > first.score:
        return replace(
            first,
            score=again.score,
            depth=depth,
            referrer=again.referrer,
            evidence=again.evidence,
        )
    return replace(first, depth=depth) if depth < first.depth else first


def _improve(db: sqlite3.Connection, at: Located, key: str, offer: Offer) -> bool:
    """Give a known URL what is better, or earlier in its iteration; False when nothing is.

    Whatever is compared here is a total order, so that it does not matter what comes first.
    """
    found, place = offer
    better = (-found.score, found.referrer) < (-at.score, at.referrer)
    if better:
        evidence = to_json(found.evidence) if found.evidence else ""
        db.execute(_IMPROVE, (found.score, found.referrer, evidence, at.id))
    if nearer := found.depth < at.depth:
        db.execute(_NEARER, (found.depth, at.id))
    if earlier := place < at.place and found_in(place) == found_in(at.place):
        own_key = key if key != found.url else None
        db.execute(_EARLIER, (place, found.url, own_key, found.source, found.payload, at.id))
    return better or nearer or earlier
