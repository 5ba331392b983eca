"""What the shared frontier promises beyond the contract: workers, leases, turns, offices."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from taxocrawl.documents.duplicates import Fingerprint
from taxocrawl.exceptions import FrontierError, StorageError
from taxocrawl.frontier.base import Outcome, State
from taxocrawl.frontier.policy import Limits
from taxocrawl.frontier.politeness import BackOff, Fate, HostTrouble
from taxocrawl.frontier.redis.iterations import SharedIterations
from taxocrawl.frontier.redis.store import RedisFrontier
from taxocrawl.frontier.selection import All, make_policy
from tests.crawl.running import ROOT
from tests.frontier.conftest import offer
from tests.redisserver import RedisServer

pytestmark = pytest.mark.redis

Workers = Callable[..., RedisFrontier]


@pytest.fixture
def workers(open_redis: Workers) -> Iterator[Workers]:
    """Opens one worker more each time; all leave at the end."""
    opened: list[RedisFrontier] = []

    def join(**more: float) -> RedisFrontier:
        opened.append(open_redis(**more))
        return opened[-1]

    yield join
    for worker in opened:
        worker.close()


def elsewhere(worker: RedisFrontier) -> RedisFrontier:
    """The worker, as if it ran on another machine: nobody can see whether its process lives."""
    before = worker.worker.name
    worker.worker.name = f"elsewhere-1-{before[-8:]}"
    worker._client.command("ZREM", "workers", before)
    worker.beat()
    return worker


def select(frontier: RedisFrontier, *urls: str) -> None:
    frontier.push([offer(url) for url in urls], -1)
    frontier.select(All(), 0)


def texts(server: RedisServer) -> Iterator[bytes]:
    """Every value that Redis holds."""
    client = server.client()
    for key in client.scan_iter():
        kind = client.type(key)
        if kind == b"hash":
            yield from client.hgetall(key).values()
        elif kind == b"string":
            yield client.get(key)
        elif kind == b"list":
            yield from client.lrange(key, 0, -1)


class TestWorkers:
    def test_none_gets_what_another_holds(self, workers: Workers) -> None:
        one, other = workers(), workers()
        select(one, *(f"http://h{n}.example/" for n in range(20)))
        urls = []
        while (a := one.pop()) and (b := other.pop()):
            urls += [a.url, b.url]
        assert len(urls) == len(set(urls)) == 20
        assert one.counts()[State.IN_FLIGHT] == 20

    def test_many_at_once_share_without_loss_or_repetition(self, workers: Workers) -> None:
        select(workers(), *(f"http://h{n % 7}.example/{n}" for n in range(300)))
        got: list[int] = []

        def work(frontier: RedisFrontier) -> None:
            while entry := frontier.pop():
                links = [offer(f"http://l.example/{(entry.id + n) % 100}") for n in range(10)]
                fetch = {"url": entry.url}
                frontier.settle(Outcome(entry.id, State.DONE, fetch=fetch, links=links))
                got.append(entry.id)

        threads = [threading.Thread(target=work, args=(workers(),)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        frontier = workers()
        assert sorted(got) == list(range(1, 301))
        assert frontier.counts() == {
            **dict.fromkeys(State, 0),
            State.DONE: 300,
            State.KNOWN: 100,
        }
        assert len(list(frontier.fetches())) == frontier.fetched() == 300
        assert frontier.outstanding() == {}

    def test_copies_that_come_at_once_are_exported_once(self, workers: Workers) -> None:
        select(workers(), *(f"http://h{n}.example/" for n in range(60)))

        def work(frontier: RedisFrontier) -> None:
            while entry := frontier.pop():
                number = entry.id % 10
                marks = Fingerprint(content=f"c{number}", words=number)
                record = {"url": entry.url, "content_hash": f"c{number}"}
                frontier.settle(Outcome(entry.id, State.DONE, document=record, fingerprint=marks))

        threads = [threading.Thread(target=work, args=(workers(),)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        documents = list(workers().documents())
        assert sorted(d["content_hash"] for d in documents) == [f"c{n}" for n in range(10)]
        assert workers().exported() == 10
        # The first address of the alphabet, whoever came first.
        assert {d["url"] for d in documents} == {
            min(f"http://h{n}.example/" for n in range(60) if (n + 1) % 10 == digit)
            for digit in range(10)
        }

    def test_totals_are_shared(self, workers: Workers) -> None:
        one, other = workers(), workers()
        one.add_totals("aspects", [1, 2.5])
        other.add_totals("aspects", [3, 0.5])
        assert one.totals("aspects") == other.totals("aspects") == [4.0, 3.0]

    def test_nothing_in_redis_is_a_pickle(
        self, workers: Workers, redis_server: RedisServer
    ) -> None:
        frontier = workers()
        select(frontier, "http://a.example/")
        entry = frontier.pop()
        assert entry is not None
        document = {"url": entry.url, "content_hash": "c"}
        frontier.settle(
            Outcome(
                entry.id,
                State.DONE,
                fetch={"url": entry.url},
                links=[offer("http://b.example/", payload='{"headers":{}}')],
                document=document,
            )
        )
        values = list(texts(redis_server))
        assert values
        # A pickle begins with its protocol, or is text that ends with a stop.
        assert not [v for v in values if v.startswith(b"\x80") or v.endswith(b".")]


class TestLeases:
    def test_what_a_dead_worker_of_this_machine_held_comes_back_at_once(
        self, workers: Workers, redis_server: RedisServer
    ) -> None:
        code = (
            "import os, sys, redis;"
            "from taxocrawl.frontier.redis.store import RedisFrontier;"
            "frontier = RedisFrontier(redis.Redis.from_url(sys.argv[1]), 'test');"
            "[frontier.pop() for _ in range(8)];"
            "os.kill(os.getpid(), 9)"
        )
        frontier = workers()
        select(frontier, *(f"http://h{n}.example/" for n in range(8)))
        subprocess.run([sys.executable, "-c", code, redis_server.url], cwd=ROOT, check=False)
        assert frontier.counts()[State.IN_FLIGHT] == 8
        assert frontier.beat() == 8

    def test_on_another_machine_when_the_lease_has_run_out(self, workers: Workers) -> None:
        """RED-03 (d): the 8 URLs return after the lease and are exported once."""
        dead = elsewhere(workers(lease=0.5))
        select(dead, *(f"http://h{n}.example/" for n in range(8)))
        held = []
        while entry := dead.pop():
            held.append(entry)
        frontier = workers(lease=0.5)
        assert frontier.recover() == frontier.beat() == 0
        returned, give_up = 0, time.monotonic() + 30
        while not returned and time.monotonic() < give_up:
            time.sleep(0.1)
            returned = frontier.beat()
        assert returned == 8
        for worker in (frontier, dead):
            for entry in held:
                record = {"url": entry.url, "content_hash": str(entry.id)}
                if worker is frontier:
                    assert frontier.pop() is not None
                worker.settle(Outcome(entry.id, State.DONE, document=record))
        assert len(list(frontier.documents())) == frontier.exported() == 8
        assert frontier.counts()[State.DONE] == 8

    def test_a_beat_prolongs_what_the_worker_holds(self, workers: Workers) -> None:
        slow, other = elsewhere(workers(lease=1.0)), workers(lease=1.0)
        select(slow, "http://a.example/")
        assert slow.pop() is not None
        for _ in range(15):
            time.sleep(0.1)
            slow.beat()
            assert other.beat() == 0

    def test_a_late_answer_changes_nothing(self, workers: Workers) -> None:
        late, other = workers(), workers()
        select(late, "http://a.example/", "http://b.example/", "http://c.example/")
        first, second, third = (late.pop() for _ in range(3))
        assert first is not None
        assert second is not None
        assert third is not None
        late._client.command("ZREM", "workers", late.worker.name)
        assert other.recover() == 3
        links = [offer("http://new.example/")]
        settled = late.settle(Outcome(first.id, State.DONE, fetch={"n": 1}, links=links))
        assert (settled.new_links, settled.exported) == (0, False)
        late.requeue(second.id, "{}")
        with pytest.raises(FrontierError, match="not in flight"):
            late.redirect(third.id, "http://d.example/", "{}")
        assert other.counts()[State.SELECTED] == 3
        assert other.fetched() == 0
        assert other.find("http://new.example/") is None

    def test_an_answer_that_was_lost_on_its_way_is_given_again(self, workers: Workers) -> None:
        frontier = workers()
        select(frontier, "http://a.example/")
        entry = frontier.pop()
        assert entry is not None
        lease = frontier.worker.held[entry.id]
        outcome = Outcome(entry.id, State.DONE, fetch={}, links=[offer("http://b.example/")])
        assert frontier.settle(outcome).new_links == 1
        frontier.worker.held[entry.id] = lease
        assert frontier.settle(outcome).new_links == 1
        assert frontier.counts()[State.DONE] == 1

    def test_a_server_that_was_away_takes_nobody_for_dead(self, workers: Workers) -> None:
        one, other = elsewhere(workers(lease=1.0)), workers(lease=1.0)
        select(one, "http://a.example/")
        assert one.pop() is not None
        time.sleep(1.2)  # no beat from anybody
        assert other.beat() == 0
        assert one.beat() == 0


class TestOffices:
    def test_one_holds_it(self, workers: Workers) -> None:
        one, other = workers(), workers()
        assert one.elect("x")
        assert one.elect("x")
        assert not other.elect("x")
        other.resign("x")
        assert not other.elect("x")
        one.resign("x")
        assert other.elect("x")

    def test_it_expires_with_its_holder(self, workers: Workers) -> None:
        one, other = workers(lease=0.3), workers(lease=0.3)
        assert one.elect("x")
        time.sleep(0.4)
        assert other.elect("x")
        assert not one.elect("x")

    def test_a_beat_prolongs_it(self, workers: Workers) -> None:
        one, other = workers(lease=0.6), workers(lease=0.6)
        assert one.elect("x")
        for _ in range(8):
            time.sleep(0.1)
            one.beat()
        assert not other.elect("x")

    def test_only_the_elected_selects(self, workers: Workers) -> None:
        one, other = workers(), workers()
        one.push([offer("http://a.example/")], -1)
        assert one.elect("iterations")
        with pytest.raises(FrontierError, match="another worker selects"):
            other.select(All(), 0)
        assert one.count(State.KNOWN) == 1

    def test_a_selection_is_carried_out_by_another_when_the_elected_dies(
        self, workers: Workers
    ) -> None:
        one, other = workers(), workers()
        one.push([offer(f"http://a.example/{n}") for n in range(5)], -1)
        one._client.command("RPUSH", f"staged:{one.worker.name}", *range(1, 6))
        one._client.run("commit", one.worker.name, "iterations", 0)
        one._client.run("select", "0", 2, 100)
        assert one.counts()[State.SELECTED] == 2
        # Nothing goes out of a selection that is not whole.
        assert other.pop() is None
        other.beat()
        assert other.counts()[State.SELECTED] == 5
        assert other.get_meta("iteration taken") == 5
        assert other.pop() is not None

    def test_what_another_carries_out_meanwhile_is_selected_too(
        self, workers: Workers, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        one, other = workers(), workers()
        one.push([offer(f"http://a.example/{n}") for n in range(5)], -1)
        carry_out = one._carry_out

        def after_the_other() -> None:
            other.beat()
            carry_out()

        monkeypatch.setattr(one, "_carry_out", after_the_other)
        assert one.select(All(), 0) == 5


class TestTurns:
    @pytest.fixture
    def pair(self, workers: Workers) -> tuple[RedisFrontier, RedisFrontier]:
        pair = workers(), workers()
        for worker in pair:
            worker.concurrency = 1
        return pair

    def test_one_request_at_a_time(self, pair: tuple[RedisFrontier, RedisFrontier]) -> None:
        one, other = pair
        select(one, "http://a.example/1", "http://a.example/2", "http://b.example/")
        first = one.pop()
        assert first is not None
        assert other.pop().url == "http://b.example/"  # type: ignore[union-attr]
        assert other.pop() is None
        one.release(first.id, 0.0)
        assert other.pop().url == "http://a.example/2"  # type: ignore[union-attr]

    @pytest.mark.parametrize("crawl_delay", [False, True])
    def test_the_delay_counts_from_the_end(
        self, pair: tuple[RedisFrontier, RedisFrontier], crawl_delay: bool
    ) -> None:
        one, other = pair
        select(one, "http://a.example/1", "http://a.example/2")
        first = one.pop()
        assert first is not None
        if crawl_delay:
            other.slow_down("a.example", 0.4)
        ended = time.monotonic()
        one.release(first.id, 0.0 if crawl_delay else 0.4)
        assert other.pop() is None
        assert other.ready_in is not None
        assert 0 < other.ready_in <= 0.4
        while other.pop() is None:
            time.sleep(0.01)
        assert time.monotonic() - ended >= 0.4

    def test_settling_ends_the_turn(self, pair: tuple[RedisFrontier, RedisFrontier]) -> None:
        one, other = pair
        select(one, "http://a.example/1", "http://a.example/2")
        first = one.pop()
        assert first is not None
        one.settle(Outcome(first.id, State.DONE))
        assert other.pop() is not None

    def test_a_host_that_rests(self, pair: tuple[RedisFrontier, RedisFrontier]) -> None:
        one, other = pair
        select(one, "http://a.example/1")
        one.rest("a.example", 0.3)
        one.rest("a.example", 0.1)  # the later end wins
        began = time.monotonic()
        assert other.pop() is None
        while other.pop() is None:
            time.sleep(0.01)
        assert time.monotonic() - began >= 0.25

    def test_a_parked_host_is_asked_when_nothing_else_is_left(
        self, pair: tuple[RedisFrontier, RedisFrontier]
    ) -> None:
        one, other = pair
        select(one, "http://a.example/1", "http://b.example/")
        one.rest("a.example", math.inf)
        last = other.pop()
        assert last is not None
        assert last.url == "http://b.example/"
        assert one.pop() is None
        other.settle(Outcome(last.id, State.DONE))
        assert one.pop().url == "http://a.example/1"  # type: ignore[union-attr]

    def test_known_urls_wait_too(self, pair: tuple[RedisFrontier, RedisFrontier]) -> None:
        one, other = pair
        one.push([offer("http://a.example/1"), offer("http://a.example/2")], -1)
        first = one.pop_known(0, Limits())
        assert first is not None
        assert other.pop_known(0, Limits()) is None
        assert other.can_pop_known(Limits())
        one.release(first.id, 0.0)
        assert other.pop_known(0, Limits()) is not None

    def test_failures_are_counted_together(self, pair: tuple[RedisFrontier, RedisFrontier]) -> None:
        accounts = [HostTrouble(BackOff(start=1.0, failures=3)) for _ in pair]
        for account, worker in zip(accounts, pair, strict=True):
            account.keep_in(worker.troubles)
        one, other = accounts
        where = ("a.example", "http://a.example")
        assert one.failed(*where, reason="r").seconds == 1.0
        assert other.failed(*where, reason="r").seconds == 2.0
        assert one.failed(*where, reason="r").fate is Fate.PARKED
        assert other.failed(*where, reason="gone").fate is Fate.GIVEN_UP
        assert one.given_up("http://a.example") == "gone"
        other.new_iteration()
        assert one.given_up("http://a.example") == ""
        one.answered(*where)
        assert other.failed(*where, reason="r").seconds == 1.0


class TestIterations:
    def rounds(self, frontier: RedisFrontier, heard: list[str], **more: int) -> SharedIterations:
        return SharedIterations(
            frontier,
            make_policy("all"),
            last=more.pop("last", 1),
            started=lambda n, count: heard.append(f"{n} began with {count}"),
            finished=lambda n: heard.append(f"{n} ended"),
            **more,
        )

    def ask(self, rounds: SharedIterations) -> str | None:
        entry = rounds.next((), live=0, unsettled=0)
        return entry.url[-1] if entry else None

    def test_one_worker_begins_and_ends_each(self, workers: Workers) -> None:
        one, other = workers(), workers()
        heard: list[str] = []
        rounds = [self.rounds(frontier, heard) for frontier in (one, other)]
        one.push([offer("http://a.example/1"), offer("http://b.example/2")], -1)
        assert [self.ask(r) for r in rounds] == ["1", "2"]
        assert [self.ask(r) for r in rounds] == [None, None]
        links = [offer("http://c.example/3"), offer("http://c.example/4")]
        one.settle(Outcome(1, State.DONE, links=links))
        # The other's page is under way.
        assert [self.ask(r) for r in rounds] == [None, None]
        other.settle(Outcome(2, State.DONE))
        assert [self.ask(r) for r in rounds] == ["3", "4"]
        one.settle(Outcome(3, State.DONE))
        other.settle(Outcome(4, State.DONE, links=[offer("http://d.example/5")]))
        assert [self.ask(r) for r in rounds] == [None, None]
        assert {r.finish_reason for r in rounds} == {"iterations done"}
        assert heard == ["0 began with 2", "0 ended", "1 began with 2", "1 ended"]

    def test_the_page_limit_is_that_of_all_workers(self, workers: Workers) -> None:
        frontiers = [workers() for _ in range(3)]
        rounds = [self.rounds(frontier, [], max_pages=4) for frontier in frontiers]
        frontiers[0].push([offer(f"http://h{n}.example/") for n in range(9)], -1)
        asked = [self.ask(r) for _ in range(3) for r in rounds]
        assert len([url for url in asked if url]) == 4
        for frontier in frontiers:
            for entry_id in tuple(frontier.worker.held):
                frontier.settle(Outcome(entry_id, State.DONE, fetch={"status": 200}))
        assert [self.ask(r) for r in rounds] == [None] * 3
        assert {r.finish_reason for r in rounds} == {"page limit"}

    def test_best_first_counts_its_cycles_together(self, workers: Workers) -> None:
        frontiers = [workers() for _ in range(2)]
        heard: list[str] = []
        rounds = [self.rounds(frontier, heard, last=2) for frontier in frontiers]
        for r in rounds:
            r._policy = make_policy("best-first", {"size": 3})
        frontiers[0].push([offer(f"http://h{n}.example/{n}") for n in range(9)], -1)
        for _ in range(6):
            for frontier, r in zip(frontiers, rounds, strict=True):
                if self.ask(r):
                    (entry_id,) = frontier.worker.held
                    frontier.settle(Outcome(entry_id, State.DONE, fetch={"n": entry_id}))
        assert frontiers[0].fetched() == 9
        assert {r.finish_reason for r in rounds} == {"frontier empty"}
        assert [line for line in heard if "ended" in line] == ["0 ended", "1 ended", "2 ended"]

    def test_pushed_seeds_begin_a_new_iteration_at_the_end(self, workers: Workers) -> None:
        frontier = workers()
        heard: list[str] = []
        rounds = self.rounds(frontier, heard, last=1)
        rounds.idle_wait = 60.0
        frontier.push([offer("http://a.example/1")], -1)
        assert self.ask(rounds) == "1"
        assert rounds.admit([offer("http://b.example/2")])  # into the iteration under way
        assert self.ask(rounds) == "2"
        for number in (1, 2):
            frontier.settle(Outcome(number, State.DONE))
        assert self.ask(rounds) is None
        assert rounds.finish_reason == ""
        assert rounds.admit([offer("http://c.example/3")])
        assert self.ask(rounds) == "3"
        assert frontier.find("http://c.example/3").iteration == 1  # type: ignore[union-attr]
        frontier.settle(Outcome(3, State.DONE, links=[offer("http://c.example/4")]))
        assert self.ask(rounds) == "4"
        frontier.settle(Outcome(4, State.DONE))
        rounds.idle_wait = 0.0
        assert self.ask(rounds) is None
        assert rounds.finish_reason == "frontier empty"


class TestTrouble:
    def test_nobody_there(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        server = RedisServer(tmp_path)
        with pytest.raises(StorageError, match=rf"127\.0\.0\.1:{server.port}: no answer"):
            RedisFrontier(server.client(), "x", patience=0.3)

    def test_full_memory_stops_cleanly_and_goes_on_later(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        """RED-03 (c): maxmemory 2mb, noeviction."""
        server = RedisServer(tmp_path, "--maxmemory", "2mb", "--maxmemory-policy", "noeviction")
        server.start()
        try:
            frontier = RedisFrontier(server.client(), "x")
            select(frontier, *(f"http://h{n}.example/" for n in range(20)))
            entry = frontier.pop()
            assert entry is not None

            def fill() -> None:
                for number in count():
                    frontier.push([offer(f"http://a.example/{number}/{n}") for n in range(99)], 0)

            with pytest.raises(StorageError, match="memory limit is reached"):
                fill()
            links = [offer(f"http://z.example/{n}") for n in range(5000)]
            with pytest.raises(StorageError, match="memory limit is reached"):
                frontier.settle(Outcome(entry.id, State.DONE, links=links))
            assert frontier.recover() == 1
            frontier.close()
            server.client().config_set("maxmemory", "100mb")
            frontier = RedisFrontier(server.client(), "x")
            counts = frontier.counts()
            assert (counts[State.SELECTED], counts[State.IN_FLIGHT]) == (20, 0)
            assert counts[State.KNOWN] == len(list(frontier.entries())) - 20
            assert counts[State.KNOWN] % 99 == 0
            frontier.close()
        finally:
            server.stop()

    def test_a_script_is_loaded_again_after_a_restart(
        self, workers: Workers, redis_server: RedisServer
    ) -> None:
        frontier = workers()
        select(frontier, "http://a.example/")
        redis_server.client().script_flush()
        assert frontier.pop() is not None

    def test_another_crawl_is_another_frontier(
        self, workers: Workers, redis_server: RedisServer
    ) -> None:
        one = workers()
        other = RedisFrontier(redis_server.client(), "other *[x]")
        for frontier in (one, other):
            frontier.push([offer("http://a.example/")], -1)
        other.erase()
        assert other.counts()[State.KNOWN] == 0
        assert one.counts()[State.KNOWN] == 1
        other.close()


def test_what_is_pushed_leaves_the_inbox_when_it_is_in_the_frontier(
    workers: Workers, redis_server: RedisServer
) -> None:
    frontier, client = workers(), redis_server.client()
    client.rpush("k", "a", "b", "c")
    assert frontier.fetch_pushed("k", "LPOP", 2) == 2
    assert frontier.pushed(10) == [b"a", b"b"]
    client.zadd("z", {"low": 1, "high": 2})
    assert frontier.fetch_pushed("z", "ZPOPMAX", 5) == 2
    frontier.admitted(2)
    assert frontier.pushed(10) == [b"high", b"low"]
    assert client.lrange("k", 0, -1) == [b"c"]


def test_keys_are_all_of_one_slot(workers: Workers, redis_server: RedisServer) -> None:
    frontier = workers()
    select(frontier, "http://a.example/")
    frontier.pop()
    keys = [key.decode() for key in redis_server.client().scan_iter()]
    assert keys
    assert all(re.match(r"taxocrawl:\{test\}:", key) for key in keys)
    assert json.dumps(frontier.get_meta("iteration")) == "0"
