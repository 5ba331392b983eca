"""When pages are asked for again, what a visit says of the copy before, and how fresh it was."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from taxocrawl.exceptions import SettingError
from taxocrawl.frontier import schema, visits
from taxocrawl.frontier.base import Frontier, Outcome, Settled, State
from taxocrawl.frontier.iterations import ITERATIONS_DONE, Iterations
from taxocrawl.frontier.payload import unpack
from taxocrawl.frontier.revisit import (
    RevisitFigures,
    RevisitPolicy,
    Verdict,
    Visit,
    age,
    judge,
    make_revisit_policy,
    text_hash,
)
from taxocrawl.frontier.selection import All
from taxocrawl.frontier.sqlite import SqliteFrontier
from tests.frontier.conftest import Open, offer
from tests.frontier.older import make_older

URL = "http://a.example/x"
DAILY = RevisitPolicy("uniform", 100.0, 100.0, 100.0)
ADAPTED = RevisitPolicy("proportional", 100.0, 40.0, 300.0)


class Clock:
    """Stands where a test sets it."""

    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(visits, "time", clock)
    return clock


def had(frontier: Frontier, clock: Clock, text: str = "", url: str = URL, **more: str) -> Settled:
    """Fetch the next selected URL; an empty text is a 304."""
    entry = frontier.pop()
    assert entry is not None
    assert entry.url == url
    content = more.pop("content", text)
    return frontier.settle(
        Outcome(
            entry.id,
            State.DONE,
            reason="" if text else "not modified",
            fetch={"url": url, "reason": ""},
            document={"url": url, "content_hash": content} if text else None,
            visit=Visit(clock.now, text_hash(text), **more),
        )
    )


def first_visit(frontier: Frontier, clock: Clock, text: str = "one", **more: str) -> Settled:
    frontier.push([offer(URL)], -1)
    frontier.select(All(), 0)
    return had(frontier, clock, text, **more)


class TestPolicies:
    def test_proportional_shrinks_on_change_and_grows_without_between_bounds(self) -> None:
        policy = make_revisit_policy("proportional", interval=100, shortest=40, longest=300)
        assert policy is not None
        seconds, seen = policy.interval(None, Verdict.FIRST), []
        for verdict in [Verdict.CHANGED] * 2 + [Verdict.UNCHANGED] * 6 + [Verdict.FAILED]:
            seconds = policy.interval(seconds, verdict)
            seen.append(seconds)
        assert seen == [50, 40, 60, 90, 135, 202.5, 300, 300, 300]

    def test_uniform_does_not_care(self) -> None:
        policy = make_revisit_policy("uniform", interval=100, shortest=1, longest=2)
        assert policy is not None
        assert {policy.interval(before, v) for before in (None, 5.0, 900.0) for v in Verdict} == {
            100
        }

    def test_none_is_no_policy(self) -> None:
        assert make_revisit_policy("none", interval=-1, shortest=-1, longest=-1) is None

    @pytest.mark.parametrize(
        ("name", "interval", "shortest", "longest", "named"),
        [
            ("often", 1, 1, 1, "revisit=often"),
            ("uniform", 0, 1, 1, "REVISIT_INTERVAL=0"),
            ("uniform", float("nan"), 1, 1, "REVISIT_INTERVAL=nan"),
            ("proportional", 1, 0, 1, "REVISIT_MIN=0"),
            ("proportional", 1, 3, 2, "REVISIT_MAX=2"),
        ],
    )
    def test_wrong_values_are_named(
        self, name: str, interval: float, shortest: float, longest: float, named: str
    ) -> None:
        with pytest.raises(SettingError, match=named):
            make_revisit_policy(name, interval=interval, shortest=shortest, longest=longest)


class TestVerdict:
    def test_by_the_text_alone(self) -> None:
        one = text_hash("Pteropus  vampyrus\n")
        assert one == text_hash("Pteropus vampyrus")
        assert judge(one, Visit(0, one, etag="other"), gone=False) is Verdict.UNCHANGED
        assert judge(one, Visit(0, text_hash("Pteropus")), gone=False) is Verdict.CHANGED
        assert judge(one, Visit(0), gone=False) is Verdict.UNCHANGED
        assert judge("", Visit(0, one), gone=False) is Verdict.FIRST
        assert judge(one, None, gone=False) is Verdict.FAILED
        assert judge(one, None, gone=True) is Verdict.GONE

    def test_age_by_hand(self) -> None:
        # Cho & Garcia-Molina: 0 when up to date, else the time since the modification.
        assert age(Verdict.UNCHANGED, 0, 100) == 0
        assert age(Verdict.CHANGED, 0, 100) == 50
        at_80 = "Thu, 01 Jan 1970 00:01:20 GMT"
        assert age(Verdict.CHANGED, 0, 100, at_80) == 20
        # Outside the time between the visits the header says nothing.
        assert age(Verdict.CHANGED, 90, 100, at_80) == 5
        assert age(Verdict.GONE, 0, 100) == 50
        assert age(Verdict.FAILED, 0, 100) is None

    def test_a_clock_set_back_makes_no_negative_age(self) -> None:
        assert age(Verdict.CHANGED, 100, 40) == 0

    @pytest.mark.parametrize("header", ["", "yesterday", "Thu, 99 Foo 1970", "0"])
    def test_a_header_that_is_no_date_is_none(self, header: str) -> None:
        assert age(Verdict.CHANGED, 0, 100, header) == 50

    def test_freshness_by_hand(self) -> None:
        figures = RevisitFigures.of(
            [("unchanged", 6, 0.0), ("changed", 3, 90.0), ("gone", 1, 10.0), ("failed", 5, None)]
        )
        assert figures.freshness == 0.6
        assert figures.mean_age == 10
        assert figures.record()["visits"] == 15
        assert RevisitFigures().freshness is RevisitFigures().mean_age is None


class TestDue:
    def test_only_after_the_interval(self, frontier: Frontier, clock: Clock) -> None:
        frontier.plan_visits(DAILY)
        first_visit(frontier, clock)
        clock.now += 99
        assert frontier.select_due(1) == 0
        clock.now += 1
        assert frontier.select_due(1) == 1
        assert frontier.get_meta("iteration") == frontier.get_meta("revisited in") == 1
        assert frontier.counts()[State.SELECTED] == 1
        assert frontier.select_due(2) == 0

    def test_without_a_policy_never(self, frontier: Frontier, clock: Clock) -> None:
        first_visit(frontier, clock)
        clock.now += 1e9
        assert frontier.select_due(1) == 0

    def test_a_policy_given_later_counts_from_the_last_visit(
        self, frontier: Frontier, clock: Clock
    ) -> None:
        first_visit(frontier, clock)
        clock.now += 100
        frontier.plan_visits(DAILY)
        assert frontier.select_due(1) == 1

    def test_requests_are_conditional(self, frontier: Frontier, clock: Clock) -> None:
        frontier.plan_visits(DAILY)
        first_visit(frontier, clock, etag='"v1"', last_modified="Thu, 01 Jan 1970 00:01:20 GMT")
        clock.now += 100
        frontier.select_due(1)
        entry = frontier.pop()
        assert entry is not None
        assert unpack(entry.payload) == {
            "headers": {
                "If-None-Match": ['"v1"'],
                "If-Modified-Since": ["Thu, 01 Jan 1970 00:01:20 GMT"],
            },
            "meta": {"revisit": True},
        }

    def test_validators_outlive_a_304_without_any(self, frontier: Frontier, clock: Clock) -> None:
        frontier.plan_visits(DAILY)
        first_visit(frontier, clock, etag='"v1"')
        for iteration in (1, 2):
            clock.now += 100
            assert frontier.select_due(iteration) == 1
            assert had(frontier, clock).verdict is Verdict.UNCHANGED
        assert frontier.why(URL)["visit"]["etag"] == '"v1"'  # type: ignore[index]

    def test_proportional_next_visits(self, frontier: Frontier, clock: Clock) -> None:
        frontier.plan_visits(ADAPTED)
        first_visit(frontier, clock)
        intervals = []
        for iteration, text in enumerate(("two", "two", "two", "three"), 1):
            clock.now += 1000
            frontier.select_due(iteration)
            had(frontier, clock, text)
            visit = frontier.why(URL)["visit"]  # type: ignore[index]
            intervals.append(visit["next_at"] - clock.now)
        assert intervals == [50, 75, 112.5, 56.25]

    def test_a_failure_is_tried_again_and_a_page_that_is_gone_is_not(
        self, frontier: Frontier, clock: Clock
    ) -> None:
        frontier.plan_visits(DAILY)
        first_visit(frontier, clock)
        for iteration, state in ((1, State.FAILED), (2, State.GONE)):
            clock.now += 100
            assert frontier.select_due(iteration) == 1
            entry = frontier.pop()
            assert entry is not None
            frontier.settle(Outcome(entry.id, state, "http"))
        clock.now += 1e6
        assert frontier.select_due(3) == 0
        frontier.plan_visits(ADAPTED)
        assert frontier.select_due(3) == 0
        verdicts = [seen["verdict"] for seen in frontier.why(URL)["revisits"]]  # type: ignore[index]
        assert verdicts == ["failed", "gone"]

    def test_a_page_that_moved_to_a_known_one_is_left(
        self, frontier: Frontier, clock: Clock
    ) -> None:
        frontier.plan_visits(DAILY)
        first_visit(frontier, clock)
        frontier.push([offer("http://a.example/new")], 0)
        clock.now += 100
        frontier.select_due(1)
        entry = frontier.pop()
        assert entry is not None
        frontier.redirect(entry.id, "http://a.example/new", "")
        had(frontier, clock, "new", "http://a.example/new")
        frontier.plan_visits(ADAPTED)
        clock.now += 50
        assert frontier.select_due(2) == 0

    def test_a_clock_that_was_ahead_puts_no_visit_off_for_ever(
        self, open_frontier: Open, clock: Clock
    ) -> None:
        frontier = open_frontier()
        frontier.plan_visits(DAILY)
        clock.now += 1e9
        first_visit(frontier, clock)
        frontier.close()
        clock.now -= 1e9
        frontier = open_frontier()
        frontier.plan_visits(DAILY)
        clock.now += 100
        assert frontier.select_due(1) == 1
        had(frontier, clock, "two")
        assert frontier.revisited().mean_age == 0
        assert frontier.why(URL)["visit"]["next_at"] == clock.now + 100  # type: ignore[index]
        frontier.close()

    def test_a_crash_loses_no_visit(self, open_frontier: Open, clock: Clock) -> None:
        frontier = open_frontier()
        frontier.plan_visits(DAILY)
        first_visit(frontier, clock, etag='"v1"')
        clock.now += 100
        frontier.select_due(1)
        frontier.pop()
        frontier.close()
        frontier = open_frontier()
        frontier.plan_visits(DAILY)
        assert frontier.recover() == 1
        assert had(frontier, clock).verdict is Verdict.UNCHANGED
        frontier.close()


class TestVersions:
    def again(self, frontier: Frontier, clock: Clock, text: str, **more: str) -> Settled:
        clock.now += 100
        assert frontier.select_due(1) == 1
        return had(frontier, clock, text, **more)

    def test_a_change_is_exported_beside_the_old_version(
        self, frontier: Frontier, clock: Clock
    ) -> None:
        frontier.plan_visits(DAILY)
        first_visit(frontier, clock)
        settled = self.again(frontier, clock, "two")
        assert (settled.exported, settled.verdict) == (True, Verdict.CHANGED)
        assert [str(d["content_hash"]) for d in frontier.documents()] == ["one", "two"]
        entry = frontier.find(URL)
        assert entry is not None
        assert frontier.versions(entry.id) == ["one", "two"]

    def test_other_bytes_with_the_same_text_are_no_version(
        self, frontier: Frontier, clock: Clock
    ) -> None:
        frontier.plan_visits(DAILY)
        first_visit(frontier, clock)
        settled = self.again(frontier, clock, "one", content="other bytes")
        assert (settled.exported, settled.reason, settled.duplicate_of) == (False, "unchanged", "")
        assert [str(d["content_hash"]) for d in frontier.documents()] == ["one"]
        assert [fetch["reason"] for fetch in frontier.fetches()] == ["", "unchanged"]

    def test_unchanged_pages_do_not_use_up_their_pattern(
        self, tmp_path: Path, clock: Clock
    ) -> None:
        frontier = SqliteFrontier(tmp_path / "frontier.sqlite", trap_budget=2)
        frontier.plan_visits(DAILY)
        url = "http://a.example/list?page=1"
        frontier.push([offer(url)], -1)
        frontier.select(All(), 0)
        had(frontier, clock, "one", url)
        for _ in range(9):
            clock.now += 100
            assert frontier.select_due(1) == 1
            had(frontier, clock, "one", url)
        assert frontier.trap("http://a.example/list?page=2") == ""
        frontier.close()


class TestIterations:
    def crawl(self, frontier: Frontier, clock: Clock, last: int, links: dict[str, list[str]]):  # type: ignore[no-untyped-def]
        """Fetch all there is; what was fetched by iteration, and why it ended."""
        fetched: dict[int, list[str]] = {}
        iterations = Iterations(
            frontier,
            All(),
            last=last,
            revisits=True,
            started=lambda n, count: None,
            finished=lambda n: None,
        )
        while entry := iterations.next((), live=0, unsettled=0):
            fetched.setdefault(entry.iteration or 0, []).append(entry.url[-1])
            frontier.settle(
                Outcome(
                    entry.id,
                    State.DONE,
                    fetch={"url": entry.url},
                    links=[offer(f"http://a.example/{x}") for x in links.get(entry.url[-1], ())],
                    visit=Visit(clock.now, text_hash(entry.url)),
                )
            )
        return fetched, iterations.finish_reason

    def test_due_pages_are_a_new_iteration_and_its_new_links_follow(
        self, frontier: Frontier, clock: Clock
    ) -> None:
        frontier.plan_visits(DAILY)
        frontier.push([offer("http://a.example/s")], -1)
        site = {"s": ["a"], "a": ["b"]}
        assert self.crawl(frontier, clock, 1, site) == ({0: ["s"], 1: ["a"]}, ITERATIONS_DONE)
        # Not due: nothing happens, and what was left because of `iterations` stays left.
        assert self.crawl(frontier, clock, 1, site) == ({}, ITERATIONS_DONE)
        clock.now += 100
        site = {"s": ["a", "n"], "a": ["b"], "n": ["m"]}
        assert self.crawl(frontier, clock, 1, site) == (
            {2: ["s", "a"], 3: ["n"]},
            ITERATIONS_DONE,
        )
        assert frontier.counts()[State.KNOWN] == 2


def test_a_file_of_version_1_is_brought_up_to_date(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "frontier.sqlite"
    frontier = SqliteFrontier(path)
    first_visit(frontier, clock)
    frontier.close()
    make_older(path, 1)
    frontier = SqliteFrontier(path)
    frontier.plan_visits(DAILY)
    # The frontier's own clock, which is not ours, noted when the page was had.
    clock.now = frontier.why(URL)["when"] + 100  # type: ignore[index]
    assert frontier.select_due(1) == 1
    assert had(frontier, clock, "one").verdict is Verdict.FIRST
    frontier.close()
    assert sqlite3.connect(path).execute("PRAGMA user_version").fetchone()[0] == schema.VERSION
