from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from taxocrawl.diversify.aspects import AspectScorer, gathered
from taxocrawl.diversify.weighing import AspectWeighing
from taxocrawl.diversify.weights import make_weights
from taxocrawl.evaluate.replay import PageStore, Strategy, replay
from taxocrawl.evaluate.replay_aspects import DiversifiedStrategy, Judge, MeasuredStrategy
from taxocrawl.frontier.selection import make_policy
from taxocrawl.items import Document
from taxocrawl.score.links import LinkWeights
from tests.evaluate.test_replay import HOST, fetch

# Each page's text and where it links: more bats than cars, and the bats first.
WEB = {
    "/": ("start", ("/bat-1", "/bat-2", "/bat-3", "/car-1", "/car-2", "/tree")),
    **{f"/bat-{n}": ("bat", ()) for n in (1, 2, 3)},
    **{f"/car-{n}": ("car", ()) for n in (1, 2)},
    "/tree": ("tree", ()),
}


class Word:
    """`high` for a text with a word, else 0."""

    def __init__(self, word: str, high: float = 1.0) -> None:
        self.name, self._high = word, high

    def score(self, text: str) -> float:
        return self._high if self.name in text.split() else 0.0

    def score_many(self, texts: list[str]) -> list[float]:
        return [self.score(text) for text in texts]


class Cosines:
    """Stands for `AspectCosines`."""

    def scores(self, text: str) -> dict[str, float]:
        return {word: float(word in text) for word in ("bat", "car")}


def page_text(page: Document) -> str:
    return page.text


MEASURE = Judge(Cosines(), page_text)  # type: ignore[arg-type]


def diversified(weights: str, by: str) -> DiversifiedStrategy:
    # Of two links to score, the one to a bat counts a little more.
    aspects = AspectScorer(Word("start"), [Word("bat"), Word("car", 0.9)], lambda_=1.0)
    return DiversifiedStrategy(
        aspects,
        AspectWeighing(aspects, make_weights(weights)),
        partial(gathered, by=by),
        page_text,
        LinkWeights(0.0),
        make_policy("top", {"size": 1}),
        MEASURE,
    )


def crawled(tmp_path: Path, guide: Any) -> list[dict[str, Any]]:
    return replay(
        PageStore(tmp_path / "web.jsonl", partial(fetch, web=WEB)), [f"{HOST}/"], guide, 99
    )


def paths(fetches: list[dict[str, Any]]) -> list[str]:
    return [fetch["url"].removeprefix(HOST) for fetch in fetches]


@pytest.mark.parametrize("by", ["scores", "pages"])
def test_the_aspect_with_less_gathered_comes_next(tmp_path: Path, by: str) -> None:
    fetches = crawled(tmp_path, diversified("inverse", by))
    assert paths(fetches) == ["/", "/bat-1", "/car-1", "/bat-2", "/car-2", "/bat-3", "/tree"]
    assert [fetch["iteration"] for fetch in fetches] == list(range(7))


def test_equal_weights_take_the_best_first(tmp_path: Path) -> None:
    order = paths(crawled(tmp_path, diversified("equal", "scores")))
    assert order == ["/", "/bat-1", "/bat-2", "/bat-3", "/car-1", "/car-2", "/tree"]


def test_without_aspects_they_are_measured_all_the_same(tmp_path: Path) -> None:
    plain = Strategy(Word("car"), page_text, LinkWeights(0.0), make_policy("top", {"size": 1}))
    fetches = crawled(tmp_path, MeasuredStrategy(plain, MEASURE))
    assert paths(fetches)[:3] == ["/", "/car-1", "/car-2"]
    assert [fetch["aspects"] for fetch in fetches[:2]] == [
        {"bat": 0.0, "car": 0.0},
        {"bat": 0.0, "car": 1.0},
    ]
