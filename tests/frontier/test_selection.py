from __future__ import annotations

from collections import Counter

import pytest

from taxocrawl.exceptions import SettingError
from taxocrawl.frontier.base import Frontier, State
from taxocrawl.frontier.policy import Limits
from taxocrawl.frontier.selection import (
    POLICIES,
    All,
    BestFirst,
    RecentHalf,
    Top,
    make_policy,
    share_of,
)
from tests.frontier.conftest import offer

# The worked example of docs/frontier.md: found in iterations 0 and 1, selection for iteration 2.
OLDER = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.2}
RECENT = {"e": 0.6, "f": 0.5, "g": 0.5, "h": 0.1}


def fill(frontier: Frontier, *, older: dict[str, float], recent: dict[str, float]) -> None:
    for found_in, urls in ((0, older), (1, recent)):
        frontier.push([offer(f"http://{name}.example/", s) for name, s in urls.items()], found_in)


def names(frontier: Frontier, ids: list[int]) -> str:
    return "".join(frontier.entry(entry_id).host[0] for entry_id in ids)  # type: ignore[union-attr]


def test_worked_example(frontier: Frontier) -> None:
    fill(frontier, older=OLDER, recent=RECENT)
    assert names(frontier, All().choose(frontier, 2)) == "abcefgdh"
    assert names(frontier, Top(4).choose(frontier, 2)) == "abce"
    assert names(frontier, RecentHalf(4).choose(frontier, 2)) == "efab"
    assert names(frontier, BestFirst(4).choose(frontier, 2)) == "abce"


@pytest.mark.parametrize(
    ("older", "recent", "size", "chosen"),
    [
        (OLDER, RECENT, 5, "efgab"),
        (OLDER, {"e": 0.6}, 4, "eabc"),
        ({"a": 0.9}, RECENT, 4, "efag"),
        (OLDER, {}, 3, "abc"),
        ({}, RECENT, 3, "efg"),
        (OLDER, RECENT, 100, "efghabcd"),
        (OLDER, RECENT, 1, "e"),
        ({}, {}, 4, ""),
    ],
)
def test_each_half_fills_up_from_the_other(
    frontier: Frontier, older: dict[str, float], recent: dict[str, float], size: int, chosen: str
) -> None:
    fill(frontier, older=older, recent=recent)
    assert Counter(names(frontier, RecentHalf(size).choose(frontier, 2))) == Counter(chosen)


def test_halves_are_merged_after_each_iteration(frontier: Frontier) -> None:
    fill(frontier, older=OLDER, recent=RECENT)
    frontier.select(RecentHalf(4), 2)
    frontier.push([offer("http://z.example/", 0.3)], 2)
    assert names(frontier, RecentHalf(4).choose(frontier, 3)) == "zcgd"


def test_seeds_are_older_than_what_they_link_to(frontier: Frontier) -> None:
    frontier.push([offer(f"http://{name}.example/", 0.9) for name in "abc"], -1)
    assert names(frontier, RecentHalf(2).choose(frontier, 0)) == "ab"
    frontier.push([offer(f"http://{name}.example/", 0.1) for name in "xy"], 0)
    assert names(frontier, RecentHalf(2).choose(frontier, 1)) == "xa"


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_selects_within_its_limits(frontier: Frontier, name: str) -> None:
    for number in range(30):
        host = f"h{number % 2}.example"
        score, depth, found_in = number / 30, number % 5, number % 3
        frontier.push([offer(f"http://{host}/{number}", score, depth=depth)], found_in)
    policy = POLICIES[name](
        **({} if name == "all" else {"size": 10}),
        limits=Limits(max_depth=2, max_pages_per_host=4),
    )
    assert policy.name == name
    assert frontier.select(policy, 3) == 8
    assert {frontier.taken("h0.example"), frontier.taken("h1.example")} == {4}
    taken = []
    while entry := frontier.pop():
        taken.append(entry)
    assert all(entry.depth <= 2 and entry.iteration == 3 for entry in taken)
    assert frontier.select(policy, 4) == 0
    assert frontier.count(State.KNOWN) == 22


@pytest.mark.parametrize("name", ["top", "recent-half", "best-first"])
def test_no_host_gets_more_than_its_share(frontier: Frontier, name: str) -> None:
    frontier.push([offer(f"http://big.example/{n}", 0.9) for n in range(50)], 0)
    frontier.push([offer(f"http://small{n}.example/", 0.1) for n in range(50)], 1)
    policy = make_policy(name, {"size": 10, "max_host_share": 0.3})
    hosts = Counter(
        frontier.entry(entry_id).host  # type: ignore[union-attr]
        for entry_id in policy.choose(frontier, 2)
    )
    assert hosts["big.example"] == 3
    assert hosts.total() == 10


@pytest.mark.parametrize(
    ("share", "size", "urls"),
    [(None, 10, None), (0.3, 10, 3), (0.01, 10, 1), (1, 7, 7), (0.1, 30, 3)],
)
def test_share(share: float | None, size: int, urls: int | None) -> None:
    assert share_of(Limits(max_host_share=share), size) == urls


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("best", {}, "'best': expected one of all, top, recent-half, best-first"),
        ("top", {"size": 0}, "size 0: expected a whole number of at least 1"),
        ("top", {"size": "10"}, "size '10'"),
        ("top", {"number": 3}, "unknown parameter number"),
        ("all", {"size": 3}, "unknown parameter size"),
        ("all", {"max_depth": -1}, "max_depth -1: expected a whole number from 0"),
        ("top", {"max_pages_per_host": 0}, "max_pages_per_host 0: expected a whole number from 1"),
        ("top", {"max_host_share": 1.5}, r"max_host_share 1.5: expected a number in \(0, 1\]"),
        ("top", {"max_host_share": 0}, "max_host_share 0"),
    ],
)
def test_wrong_choice(name: str, params: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        make_policy(name, params)


def test_right_choice() -> None:
    policy = make_policy("recent-half", {"size": 7, "max_depth": 3})
    assert (policy.name, policy.size, policy.limits.max_depth) == ("recent-half", 7, 3)
    assert make_policy("top").size == 100
    assert make_policy("all").size is None
    assert [make_policy(name).barrier for name in POLICIES] == [True, True, True, False]
