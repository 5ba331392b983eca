from __future__ import annotations

import pytest

from taxocrawl.frontier.base import Frontier, Outcome, State
from taxocrawl.frontier.iterations import Iterations
from taxocrawl.frontier.selection import make_policy
from tests.frontier.conftest import Open, offer

Heard = list[tuple[str, int]]


def iterations(frontier: Frontier, policy: str, heard: Heard, **limits: int) -> Iterations:
    params = {} if policy == "all" else {"size": 4}
    return Iterations(
        frontier,
        make_policy(policy, params),
        **{"last": 9, **limits},
        started=lambda iteration, selected: heard.append(("started", iteration)),
        finished=lambda iteration: heard.append(("finished", iteration)),
    )


def work(frontier: Frontier, rounds: Iterations, pages: int = 1000) -> list[str]:
    """Ask for pages one at a time; page n links to 2n+1 and 2n+2, up to 30. Returns their names."""
    names = []
    while len(names) < pages and (entry := rounds.next((), live=0, unsettled=0)):
        number = int(entry.url.rpartition("/")[2])
        names.append(str(number))
        links = [
            offer(f"http://h{n % 3}.example/{n}", 1 / (n + 1))
            for n in (2 * number + 1, 2 * number + 2)
            if n < 30
        ]
        frontier.settle(Outcome(entry.id, State.DONE, fetch={"n": number}, links=links))
    return names


def seed(frontier: Frontier) -> None:
    frontier.push([offer("http://h0.example/0", 1.0)], -1)


@pytest.mark.parametrize("policy", ["all", "top", "recent-half", "best-first"])
def test_asks_for_everything_once(frontier: Frontier, policy: str) -> None:
    heard: Heard = []
    seed(frontier)
    rounds = iterations(frontier, policy, heard)
    assert sorted(work(frontier, rounds), key=int) == [str(n) for n in range(30)]
    assert rounds.finish_reason == "frontier empty"
    assert rounds.next((), live=0, unsettled=0) is None
    started = [iteration for what, iteration in heard if what == "started"]
    finished = [iteration for what, iteration in heard if what == "finished"]
    assert started == finished == list(range(len(started)))


@pytest.mark.parametrize("policy", ["all", "top", "recent-half", "best-first"])
@pytest.mark.parametrize("pages", [1, 5, 6, 13])
def test_goes_on_where_it_was_interrupted(open_frontier: Open, policy: str, pages: int) -> None:
    """Each URL once and each iteration reported once, wherever the process is killed."""
    heard: Heard = []
    frontier = open_frontier()
    seed(frontier)
    names = work(frontier, iterations(frontier, policy, heard), pages)
    lost = iterations(frontier, policy, heard).next((), live=0, unsettled=0)
    assert lost is not None
    frontier.close()
    frontier = open_frontier()
    assert frontier.recover() == 1
    names += work(frontier, iterations(frontier, policy, heard))
    frontier.close()
    assert sorted(names, key=int) == [str(n) for n in range(30)]
    finished = [iteration for what, iteration in heard if what == "finished"]
    assert finished == list(range(len(finished)))


def test_waits_for_the_last_page_of_an_iteration(frontier: Frontier) -> None:
    heard: Heard = []
    seed(frontier)
    rounds = iterations(frontier, "all", heard)
    entry = rounds.next((), live=0, unsettled=0)
    assert entry is not None
    assert rounds.next((), live=1, unsettled=1) is None
    frontier.settle(Outcome(entry.id, State.DONE, links=[offer("http://h1.example/1")]))
    assert rounds.next((), live=1, unsettled=0) is None
    assert heard == [("started", 0)]
    assert rounds.next((), live=0, unsettled=0) is not None
    assert heard == [("started", 0), ("finished", 0), ("started", 1)]


def test_waits_for_busy_hosts(frontier: Frontier) -> None:
    for policy in ("all", "best-first"):
        frontier.push([offer(f"http://h0.example/{policy}")], -1)
        rounds = iterations(frontier, policy, [])
        assert rounds.next(["h0.example"], live=0, unsettled=0) is None
        assert rounds.finish_reason == ""
        assert rounds.next([], live=0, unsettled=0) is not None


def test_page_limit_counts_what_is_under_way(frontier: Frontier) -> None:
    frontier.push([offer(f"http://h{n}.example/") for n in range(5)], -1)
    rounds = iterations(frontier, "all", [], max_pages=2)
    first = rounds.next((), live=0, unsettled=0)
    second = rounds.next((), live=1, unsettled=1)
    assert first is not None
    assert second is not None
    assert rounds.next((), live=2, unsettled=2) is None
    frontier.settle(Outcome(first.id, State.FAILED, fetch={"status": 404}))
    assert rounds.next((), live=1, unsettled=1) is None
    # It brought no download after all.
    frontier.settle(Outcome(second.id, State.FAILED, fetch={"status": None}))
    third = rounds.next((), live=0, unsettled=0)
    assert third is not None
    frontier.settle(Outcome(third.id, State.DONE, fetch={"status": 200}))
    assert rounds.next((), live=0, unsettled=0) is None
    assert rounds.finish_reason == "page limit"
