from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from taxocrawl.exceptions import ArgumentError
from taxocrawl.score.learned import LearnedLinks, dividing_score
from taxocrawl.score.links import LinkScore
from taxocrawl.score.pagetexts import PageTexts


def _parts(url: float = 0, anchor: float = 0, context: float = 0) -> LinkScore:
    return LinkScore(0, 0, url, anchor, context)


def test_dividing_score_by_hand() -> None:
    """Between {1, 2} and {8, 9}: 2 * 2 * 7**2 = 196 is more than 3 * (9 - 11/3)**2 and the like."""
    assert dividing_score(np.array([9.0, 1, 8, 2])) == 5.0
    assert dividing_score(np.array([0.3])) == 0.3
    assert dividing_score(np.array([0.2, 0.2])) == 0.2


def test_links_of_a_relevant_page_go_first_before_anything_is_learned() -> None:
    learned = LearnedLinks()
    learned.add_page("good", 0.9, [])
    learned.add_page("bad", 0.0, [("b", "h", _parts())])
    scores = learned.add_page("good2", 0.9, [("g", "h", _parts()), ("good", "h", _parts())])
    assert set(scores) == {"g"}  # what is fetched waits no more
    waiting = learned.rescore()
    assert waiting["g"] > waiting["b"]


def _taught(seed: int = 0, feature: str = "url", pages: int = 60) -> LearnedLinks:
    """A crawl on which only one part of a link tells where it leads."""
    rng = Random(seed)
    learned = LearnedLinks(exploration=0)
    targets = []
    links = []
    for n in range(pages):
        good = rng.random() < 0.5
        parts = {name: rng.random() for name in ("url", "anchor", "context")}
        parts[feature] = 0.9 if good else 0.1
        links.append((f"p{n}", "h", _parts(**parts)))
        targets.append((f"p{n}", 0.8 if good else 0.05))
    learned.add_page("hub", 0.5, links)
    for url, score in targets:
        learned.add_page(url, score, [])
    learned.rescore()
    return learned


@pytest.mark.parametrize("feature", ["url", "anchor", "context"])
def test_what_tells_where_links_lead_gains_weight(feature: str) -> None:
    learned = _taught(feature=feature)
    weights = learned.weights()
    parts = {name: weights[name] for name in ("url", "anchor", "context")}
    assert max(parts, key=lambda name: parts[name]) == feature
    scores = learned.add_page(
        "last", 0.5, [("yes", "h", _parts(**{feature: 0.9})), ("no", "h", _parts(**{feature: 0.1}))]
    )
    assert scores["yes"] > scores["no"] + 0.2


def test_scores_are_finite_and_in_the_unit_interval() -> None:
    learned = LearnedLinks(every=1, least=1)
    for n in range(8):
        learned.add_page(
            f"p{n}", 0.0, [(f"p{n + 1}", "h", _parts()), (f"q{n}", "", _parts(1, 1, 1))]
        )
        for score in learned.rescore().values():
            assert math.isfinite(score)
            assert 0 <= score <= 1


def test_scores_that_have_hardly_moved_are_not_given_again_but_for_the_best() -> None:
    def given(least_change: float) -> list[dict[str, float]]:
        learned = LearnedLinks(exploration=0, least_change=least_change)
        rng, told = Random(5), []
        for n in range(60):
            links = [
                (f"l{n}-{m}", "h", _parts(url=rng.random(), anchor=rng.random())) for m in range(30)
            ]
            links.append((f"p{2 * n}", "h", _parts(url=rng.random())))
            learned.add_page(f"p{n}", rng.random(), links)
            told.append(learned.rescore())
        return told

    every, changed = given(0.0), given(0.02)
    assert len(changed[-1]) < len(every[-1]) / 2
    had: dict[str, float] = {}
    for now, some in zip(every, changed, strict=True):
        had |= some
        best = sorted(now, key=lambda url: -now[url])[:500]
        assert {url: had[url] for url in best} == {url: now[url] for url in best}
        assert all(abs(had[url] - score) < 0.02 for url, score in now.items() if url in had)


def test_due_after_so_many_pages() -> None:
    learned = LearnedLinks(every=3)
    due = []
    for n in range(4):
        learned.add_page(f"p{n}", 0.1, [])
        due.append(learned.due)
    assert due == [False, False, True, True]
    learned.rescore()
    assert not learned.due


def test_every_page_is_learned_of_at_first_and_every_tenth_later() -> None:
    learned = LearnedLinks()
    trained = []
    for n in range(330):
        learned.add_page(f"p{n}", 0.1, [])
        if learned.due:
            trained.append(n + 1)
            learned.rescore()
    assert trained[:59] == list(range(1, 60))
    assert np.diff(trained[-3:]).tolist() == [10, 10]


def test_links_amid_words_of_the_pages_that_look_relevant_gain() -> None:
    """Both links stand on one page and lack the topic's own words; only their texts differ."""

    def scores(*, feedback: bool) -> tuple[float, float]:
        learned = LearnedLinks(exploration=0, feedback=feedback)
        for n in range(40):
            good = n % 2 == 0
            page = "whale krill ocean" if good else "engine piston steam"
            link = (f"p{n + 2}", "h", _parts())
            learned.add_page(f"p{n}", 0.8 if good else 0.05, [link], [], PageTexts(page, (page,)))
        texts = PageTexts("", ("near krill", "near piston"))
        both = [("yes", "h", _parts()), ("no", "h", _parts())]
        learned.add_page("hub", 0.4, both, [], texts)
        waiting = learned.rescore()
        return waiting["yes"], waiting["no"]

    yes, no = scores(feedback=True)
    assert yes > no + 0.05
    yes, no = scores(feedback=False)
    assert yes == no


def test_exploration_is_seeded() -> None:
    def drawn(seed: int) -> set[str]:
        learned = LearnedLinks(exploration=0.5, random_state=seed)
        links = [(f"l{n}", "h", _parts()) for n in range(50)]
        for n in range(10):
            learned.add_page(f"p{n}", 0.1, links)
        return {url for url, score in learned.rescore().items() if score == 1.0}

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert 1 <= len(drawn(1)) <= 10


def test_aliases_stand_for_the_page() -> None:
    learned = LearnedLinks(exploration=0)
    learned.add_page("hub", 0.5, [("old", "h", _parts()), ("b", "h", _parts())])
    learned.add_page("new", 0.5, [], aliases=["old"])
    assert set(learned.rescore()) == {"b"}


@pytest.mark.parametrize(
    "wrong",
    [
        *({"every": 0}, {"least": 0}, {"l2": 0}, {"exploration": 1}, {"exploration": -0.1}),
        *({"least_change": -0.1}, {"least_change": 1.1}),
    ],
)
def test_values_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ArgumentError, match="learned links need"):
        LearnedLinks(**wrong)  # type: ignore[arg-type]
