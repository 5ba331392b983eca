"""What can be asked of the shared frontier."""

from __future__ import annotations

import heapq
import json
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from taxocrawl.frontier.base import Entry, State
from taxocrawl.frontier.patterns import pattern_numbers
from taxocrawl.frontier.policy import Ranked
from taxocrawl.frontier.redis.client import decoded, numbers
from taxocrawl.frontier.redis.links import digest
from taxocrawl.frontier.redis.visits import RedisVisits, visit_of
from taxocrawl.frontier.revisit import RevisitFigures
from taxocrawl.frontier.schema import STATES
from taxocrawl.frontier.traps import BUDGET, Yield, is_exempt, pattern_of, spent
from taxocrawl.frontier.urls import canonicalize

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from taxocrawl.frontier.redis.client import Client

_BATCH = 500
_FIRST_BATCH = 50
_MAX_REFERRERS = 50


class RedisReader:
    """The questions.

    Args:
        client: of the crawl.
        trap_budget: see `traps.BUDGET`.
    """

    def __init__(self, client: Client, trap_budget: int = BUDGET) -> None:
        self._client = client
        self._trap_budget = trap_budget

    def close(self) -> None:
        self._client.redis.close()

    def count(self, state: State) -> int:
        return self._counter(str(STATES.index(state)))

    def counts(self) -> dict[State, int]:
        values = self._hmget("counts", range(len(STATES)))
        return {state: int(value or 0) for state, value in zip(STATES, values, strict=True)}

    def fetched(self) -> int:
        return self._counter("fetches")

    def downloaded(self) -> int:
        return self._counter("downloads")

    def exported(self) -> int:
        """Number of document records."""
        return self._counter("documents")

    def refusals(self) -> dict[str, int]:
        return {name: int(n) for name, n in sorted(self._hash("refusals").items())}

    def outstanding(self) -> dict[int, int]:
        return {int(iteration): int(n) for iteration, n in self._hash("pending").items()}

    def taken(self, host: str) -> int:
        return int(self._hmget("taken", [host])[0] or 0)

    def hosts(self) -> Iterator[tuple[str, int]]:
        """Each host with the number of its URLs that were selected, most first."""
        taken = {host: int(n) for host, n in self._hash("taken").items()}
        yield from sorted(taken.items(), key=lambda item: (-item[1], item[0]))

    def host_states(self) -> Iterator[tuple[str, int, dict[State, int]]]:
        """As `FrontierReader.host_states`."""
        states: dict[str, dict[State, int]] = {}
        for entry in self.entries():
            of_host = states.setdefault(entry.host, {})
            of_host[entry.state] = of_host.get(entry.state, 0) + 1
        taken = dict(self.hosts())
        for host in sorted(states, key=lambda host: (-taken.get(host, 0), host)):
            yield host, taken.get(host, 0), states[host]

    def ahead(self, entry: Entry) -> int:
        """Number of URLs that wait in an entry's state and go out before it."""
        return int(self._client.run("ahead", entry.id))

    def trap(self, url: str, under_way: int = 0) -> str:
        return self._traps([url], under_way)[0]

    def trapped(self, urls: Collection[str]) -> dict[str, str]:
        urls = list(dict.fromkeys(urls))
        found = zip(urls, self._traps(urls), strict=True)
        return {url: reason for url, reason in found if reason}

    def ranked(
        self, *, found_in: int | None = None, found_before: int | None = None
    ) -> Iterator[Ranked]:
        found = sorted(map(int, self._client.command("SMEMBERS", "kfound")))
        if found_in is not None:
            found = [iteration for iteration in found if iteration == found_in]
        elif found_before is not None:
            found = [iteration for iteration in found if iteration < found_before]
        streams = [self._known_in(iteration) for iteration in found]
        # Of equal ones those found in an earlier iteration come first: the merge is stable.
        yield from heapq.merge(*streams, key=lambda known: -known.score)

    def best_known(
        self,
        limit: int | None = None,
        *,
        found_in: int | None = None,
        found_before: int | None = None,
    ) -> list[Entry]:
        best = self.ranked(found_in=found_in, found_before=found_before)
        return self._entries([known.id for known in islice(best, limit)])

    def entry(self, entry_id: int) -> Entry | None:
        found = self._entries([entry_id])
        return found[0] if found else None

    def entries(self, state: State | None = None) -> Iterator[Entry]:
        """All entries (of a state) in the order of discovery."""
        last = int(self._client.command("GET", "last id") or 0)
        for start in range(1, last + 1, _BATCH):
            for entry in self._entries(range(start, min(start + _BATCH, last + 1))):
                if state is None or entry.state is state:
                    yield entry

    def find(self, url: str) -> Entry | None:
        number = self._number_of(url)
        return self.entry(number) if number else None

    def exported_as(self, content_hash: str) -> str | None:
        found = numbers(self._hmget("documents by content", [content_hash])[0])
        for seq in found:
            if self._client.command("ZSCORE", "exported", seq) is not None:
                entry_id = decoded(self._hmget("document marks", [seq])[0]).partition("\n")[0]
                entry = self.entry(int(entry_id))
                return entry.url if entry else None
        return None

    def why(self, url: str) -> dict[str, Any] | None:
        entry = self.find(url)
        if entry is None:
            return None
        fields: dict[str, Any] = {name: getattr(entry, name) for name in Entry.__slots__}
        when, fetched = self._hmget(f"u:{entry.id}", ["t", "F"])
        fetches = self._hmget("fetches", numbers(fetched))
        return {
            **fields,
            "state": entry.state.value,
            "when": float(when or 0),
            "referrers": self._referrers(entry),
            "aliases": [decoded(alias) for alias in self._list(f"aliases:{entry.id}")],
            "events": [_event(decoded(line)) for line in self._list(f"events:{entry.id}")],
            "fetches": [json.loads(record) for record in fetches if record],
            "versions": self.versions(entry.id),
            "visit": self._visit(entry.id),
            "revisits": [json.loads(row) for row in self._list(f"revisits:{entry.id}")],
        }

    def fetches(self, after: int = 0) -> Iterator[dict[str, Any]]:
        """All fetch records, or those after a number of them, in the order of settling."""
        return self._records("fetches", range(after + 1, self.fetched() + 1))

    def documents(self) -> Iterator[dict[str, Any]]:
        found = self._client.command("ZRANGE", "exported", 0, -1)
        return self._records("documents", [int(seq) for seq in found])

    def versions(self, entry_id: int) -> list[str]:
        found = numbers(self._hmget("documents of", [entry_id])[0])
        marks = (decoded(value) for value in self._hmget("document marks", found))
        return [json.loads(lines.split("\n")[3])["content"] for lines in marks]

    def revisited(self, iteration: int | None = None) -> RevisitFigures:
        rows: dict[str, list[float]] = {}
        for name, value in self._hash("revisited").items():
            of, verdict, what = name.split(" ")
            if iteration is None or int(of) == iteration:
                row = rows.setdefault(verdict, [0, 0.0])
                row[what == "age"] += float(value)
        return RevisitFigures.of((v, int(number), ages) for v, (number, ages) in rows.items())

    def get_meta(self, name: str, default: Any = None) -> Any:
        value = self._hmget("meta", [name])[0]
        return json.loads(value) if value is not None else default

    def get_metas(self, *names: str) -> list[Any]:
        """Several meta values at once; None for those that are not there."""
        found = self._hmget("meta", names)
        return [json.loads(value) if value is not None else None for value in found]

    def rests(self) -> dict[str, float]:
        """Hosts that are not asked now, and until when by the server's clock (as `time.time`);
        without those that are parked."""
        redis, key = self._client.redis, self._client.key("wait")
        seconds, _ = self._client.ask(redis.time)
        found: list[tuple[bytes, float]] = self._client.ask(
            lambda: cast("Any", redis.zrangebyscore(key, f"({seconds}", "(+inf", withscores=True))
        )
        return {decoded(host): until for host, until in found}

    def totals(self, name: str) -> list[float]:
        found = {int(place): float(value) for place, value in self._hash(f"totals:{name}").items()}
        return [found[place] for place in sorted(found)]

    def _traps(self, urls: Sequence[str], under_way: int = 0) -> list[str]:
        patterns = [pattern_of(url) for url in urls]
        pairs = [pattern_numbers(pattern) for pattern in patterns]
        # A page's links are of few patterns.
        fields = list(dict.fromkeys(number for pair in pairs for number in pair))
        brought = zip(fields, self._hmget("patterns", fields), strict=True)
        found = {number: Yield(*numbers(value)) for number, value in brought}
        return [
            pattern.kind
            if not is_exempt(url)
            and spent(pattern, found[own], self._trap_budget, under_way, found[form])
            else ""
            for url, pattern, (own, form) in zip(urls, patterns, pairs, strict=True)
        ]

    def _known_in(self, iteration: int) -> Iterator[Ranked]:
        start, size = 0, _FIRST_BATCH
        while True:
            rows = self._client.run("ranked", iteration, start, start + size - 1)
            for at in range(0, len(rows), 5):
                number, score, host, depth, found = rows[at : at + 5]
                yield Ranked(int(number), float(score), decoded(host), int(depth), int(found))
            if len(rows) < 5 * size:
                return
            start, size = start + size, _BATCH

    def _entries(self, ids: Iterable[int]) -> list[Entry]:
        wanted = list(ids)

        fields = self._client.each("HMGET", (f"u:{number}" for number in wanted), *_FIELDS)
        texts, payloads = self._hmget("text", wanted), self._hmget("payload", wanted)
        return [
            entry_of(number, text, payload, found)
            for number, found, text, payload in zip(wanted, fields, texts, payloads, strict=True)
            if text is not None
        ]

    def _number_of(self, url: str) -> int:
        """0 for an unknown URL; an alias has its page's."""
        found = self._hmget("ids", [digest(canonicalize(url))])[0]
        return int(found.lstrip(b"a")) if found else 0

    def _referrers(self, entry: Entry) -> list[str]:
        chain: list[str] = []
        at: Entry | None = entry
        while at and at.referrer and at.referrer not in chain and len(chain) < _MAX_REFERRERS:
            chain.append(at.referrer)
            at = self.find(at.referrer)
        return chain

    def _visit(self, entry_id: int) -> dict[str, Any] | None:
        row = visit_of(self._hmget("visits", [entry_id])[0])
        if row is None:
            return None
        return row._replace(next_at=RedisVisits(self._client).next_at(entry_id))._asdict()

    def _counter(self, name: str) -> int:
        return int(self._hmget("counts", [name])[0] or 0)

    def _hmget(self, key: str, fields: Iterable[int | str | bytes]) -> list[bytes | None]:
        return self._client.hmget(key, fields)

    def _hash(self, key: str) -> dict[str, str]:
        found = self._client.command("HGETALL", key)
        return {decoded(name): decoded(value) for name, value in found.items()}

    def _list(self, key: str) -> list[bytes]:
        found: list[bytes] = self._client.command("LRANGE", key, 0, -1)
        return found

    def _records(self, key: str, seqs: Sequence[int]) -> Iterator[dict[str, Any]]:
        for at in range(0, len(seqs), _BATCH):
            for record in self._hmget(key, seqs[at : at + _BATCH]):
                if record is not None:
                    yield json.loads(record)


_FIELDS = ("s", "c", "d", "h", "f", "i", "n", "r")
"""In the order of `entry` in common.lua."""


def entry_of(
    number: int, text: bytes | None, payload: bytes | None, fields: Sequence[bytes | None]
) -> Entry:
    """An `Entry` from its text, payload and `_FIELDS`."""
    url, key, source, referrer, evidence = decoded(text).split("\n", 4)
    state, score, depth, host, found_in, iteration, attempts, reason = map(decoded, fields)
    return Entry(
        id=number,
        url=url,
        key=key or url,
        host=host,
        state=STATES[int(state)],
        score=float(score),
        depth=int(depth),
        found_in=int(found_in),
        iteration=int(iteration) if iteration else None,
        referrer=referrer,
        source=source,
        reason=reason,
        attempts=int(attempts),
        payload=decoded(payload),
        evidence=json.loads(evidence) if evidence else {},
    )


def _event(line: str) -> dict[str, Any]:
    when, kind, detail = line.split("\n", 2)
    return {"at": float(when), "kind": kind, **json.loads(detail)}
