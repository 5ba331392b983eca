from __future__ import annotations

import math
import random

import numpy as np
import pytest

from taxocrawl.score.links import LinkScore
from taxocrawl.score.linktable import FEATURES, LinkTable


def parts(url: float = 0, anchor: float = 0, context: float = 0) -> LinkScore:
    return LinkScore(0, 0, url, anchor, context)


@pytest.fixture
def table() -> LinkTable:
    """a (0.2) links to x, y and c; b (0.8) to x and c; c (0.6) is fetched and links to nothing."""
    table = LinkTable(pseudo_count=2)
    links = [
        ("x", "h1", parts(0.1, 0.5, 0.3)),
        ("y", "h2", parts(0, 0.2, 0.4)),
        ("c", "h1", parts(0, 0, 0.2)),
    ]
    table.add_page("a", 0.2, 0.2, links)
    links = [("x", "h1", parts(0.4, 0.1, 0.9)), ("c", "h1", parts(0, 0.7, 0.6))]
    table.add_page("b", 0.8, 0.8, links)
    table.set_feedback([0.1, 0.2, 0.3, 0.5, 0.7])
    table.add_page("c", 0.6, 0.5, [])
    return table


LOOKS = np.array([0.2, 0.8, 0.5])  # their mean is 0.5, so that every share begins with 1 of 2


def test_features_by_hand(table: LinkTable) -> None:
    rows = table.waiting()
    assert list(rows) == ["x", "y"]
    table.judge(LOOKS)
    x, y = table.features(list(rows.values()))
    # c is the one fetched child of either parent: (0.5 + 1) / (1 + 2) each.
    expected_x = {
        "url": 0.4,
        "anchor": 0.5,
        "context": (0.3 + 0.9) / 2,
        "parents": (0.2 + 0.8 + 1) / (2 + 2),
        "relevant parents": math.log(2),
        "best parent": 0.8,
        "siblings": 0.5,
        "host": (0.5 + 1) / (1 + 2),
        "feedback": (0.1 + 0.5) / 2,
    }
    assert dict(zip(FEATURES, x, strict=True)) == pytest.approx(expected_x)
    expected_y = [0, 0.2, 0.4, (0.2 + 1) / 3, math.log(1.2), 0.2, 0.5, 1 / 2, 0.2]
    assert y.tolist() == pytest.approx(expected_y)


def test_a_page_does_not_foretell_itself(table: LinkTable) -> None:
    rows, pages = table.fetched()
    assert pages.tolist() == [2]
    for own in (0.0, 1.0):
        looks = np.array([0.2, 0.8, own])
        base = looks.mean()
        table.judge(looks)
        (c,) = table.features(rows)
        named = dict(zip(FEATURES, c, strict=True))
        # No other child of its parents is fetched, and no other page of its host.
        assert named["siblings"] == pytest.approx(base)
        assert named["host"] == pytest.approx(base)


def test_hosts_without_a_name_have_no_record() -> None:
    table = LinkTable(pseudo_count=2)
    table.add_page("a", 0.5, 0.5, [("x", "", parts()), ("y", "", parts())])
    table.add_page("x", 1.0, 1.0, [])
    (y,) = table.features(list(table.waiting().values()))
    assert y[FEATURES.index("host")] == pytest.approx(0.75)  # the mean looks


def test_a_link_given_twice_counts_once() -> None:
    table = LinkTable(pseudo_count=2)
    links = [("x", "h", parts(0.1, 0.2, 0.3)), ("x", "h", parts(0.4, 0.1, 0.9))]
    table.add_page("a", 0.5, 0.5, links)
    (x,) = table.features(list(table.waiting().values()))
    assert x[:4].tolist() == pytest.approx([0.4, 0.2, 0.3, 0.5])


def test_sums_kept_up_page_by_page_are_those_of_all_links() -> None:
    """But for siblings fetched since a link was found, which `judge` takes in."""
    dice, table = random.Random(3), LinkTable(pseudo_count=3)
    for number in range(80):
        targets = [dice.randrange(120) for _ in range(6)]
        links = [
            (f"p{target}", f"h{target % 5}", parts(dice.random(), dice.random(), dice.random()))
            for target in targets
        ]
        linked = table.add_page(f"p{number}", dice.random(), dice.random(), links, [f"q{number}"])
        table.set_feedback([dice.random() for _ in linked])
        if number % 25 == 0:
            table.set_feedback([dice.random() for _ in range(40)][: len(linked)])
    waiting = list(table.waiting().values())
    kept = table.features(waiting)
    table.judge(table.looks)
    anew = table.features(waiting)
    siblings = FEATURES.index("siblings")
    others = [n for n in range(len(FEATURES)) if n != siblings]
    assert kept[:, others] == pytest.approx(anew[:, others])
    assert kept[:, siblings] == pytest.approx(anew[:, siblings], abs=0.2)
