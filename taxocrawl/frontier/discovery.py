"""Adding found URLs to the SQLite frontier: one row per canonical form."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from time import time
from typing import TYPE_CHECKING, NamedTuple

from taxocrawl.frontier.rows import hash_of, to_json
from taxocrawl.frontier.schema import KNOWN, STATES
from taxocrawl.frontier.urls import canonicalize, host_of, request_form, unfetchable

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from taxocrawl.frontier.base import Candidate
    from taxocrawl.frontier.hosts import Hosts
    from taxocrawl.frontier.ledger import Ledger

_LOCATE = """
SELECT coalesce(key, url), id, state, score, depth, host_id FROM urls
WHERE hash IN (SELECT value FROM json_each(:hashes))
UNION ALL
SELECT a.url, u.id, -1, u.score, u.depth, u.host_id FROM aliases a JOIN urls u ON u.id = a.entry_id
WHERE a.hash IN (SELECT value FROM json_each(:hashes))
"""
_INSERT = f"""
INSERT INTO urls (url, key, hash, host_id, state, score, depth, found_in, changed_at, referrer,
                  source, evidence, payload)
VALUES (?, ?, ?, ?, {KNOWN}, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_IMPROVE = "UPDATE urls SET score = ?, depth = ?, referrer = ?, evidence = ? WHERE id = ?"
_RESCORE = "UPDATE urls SET score = ?, evidence = coalesce(?, evidence) WHERE id = ?"
_NEARER = "UPDATE urls SET depth = ? WHERE id = ?"


class Located(NamedTuple):
    """Where a canonical URL stands; `state` is -1 when it is an alias of the entry."""

    id: int
    state: int
    score: float
    depth: int
    host_id: int


def locate(db: sqlite3.Connection, keys: Iterable[str]) -> dict[str, Located]:
    """The rows and aliases of canonical URLs; a row of its own goes before an alias."""
    wanted = {key: hash_of(key) for key in keys}
    rows = db.execute(_LOCATE, {"hashes": json.dumps(list(wanted.values()))})
    found: dict[str, Located] = {}
    for key, *rest in rows:
        if key in wanted:
            found.setdefault(key, Located(*rest))
    return found


def add(
    db: sqlite3.Connection,
    hosts: Hosts,
    ledger: Ledger,
    candidates: Iterable[Candidate],
    iteration: int,
) -> tuple[int, int]:
    """Add URLs within the caller's transaction; the rules are those of `Frontier.push`."""
    offers, refused, repeated = offers_of(candidates)
    ledger.refused(refused)
    located = locate(db, offers)
    now = time()
    new = []
    touched = set()
    for key, offer in offers.items():
        if (at := located.get(key)) is not None:
            if at.state == KNOWN and _improve(db, at, offer):
                touched.add(at.host_id)
            continue
        host_id = hosts.id_of(host_of(key))
        touched.add(host_id)
        new.append(
            (
                offer.url,
                key if key != offer.url else None,
                hash_of(key),
                host_id,
                offer.score,
                offer.depth,
                iteration,
                now,
                offer.referrer,
                offer.source,
                to_json(offer.evidence) if offer.evidence else "",
                offer.payload,
            )
        )
    db.executemany(_INSERT, new)
    ledger.shift(STATES[KNOWN], len(new))
    hosts.known_changed(touched)
    return len(new), len(offers) - len(new) + repeated


def rescore(db: sqlite3.Connection, hosts: Hosts, candidates: Iterable[Candidate]) -> int:
    """Set the scores of known URLs within the caller's transaction; see `Frontier.rescore`."""
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
    candidates: Iterable[Candidate],
) -> tuple[dict[str, Candidate], Counter[str], int]:
    """One candidate per canonical URL, as if they had come one after the other; with the number
    of those that are never asked for, by reason, and the number of repetitions."""
    offers: dict[str, Candidate] = {}
    refused: Counter[str] = Counter()
    repeated = 0
    for candidate in candidates:
        checked_score(candidate)
        if reason := unfetchable(candidate.url):
            refused[reason] += 1
            continue
        url = request_form(candidate.url)
        key = canonicalize(url)
        if (first := offers.get(key)) is None:
            offers[key] = candidate if url == candidate.url else replace(candidate, url=url)
        else:
            offers[key] = _better(first, candidate)
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


def _improve(db: sqlite3.Connection, at: Located, offer: Candidate) -> bool:
    """Give a known URL the better score and depth; False when neither is better."""
    if offer.score > at.score:
        evidence = to_json(offer.evidence) if offer.evidence else ""
        depth = min(at.depth, offer.depth)
        db.execute(_IMPROVE, (offer.score, depth, offer.referrer, evidence, at.id))
    elif offer.depth < at.depth:
        db.execute(_NEARER, (offer.depth, at.id))
    else:
        return False
    return True
