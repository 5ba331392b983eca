"""METU eq. 4.3–4.5 by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from taxocrawl.exceptions import ArgumentError
from taxocrawl.items import Outlink
from taxocrawl.score.base import in_unit_interval
from taxocrawl.score.links import LinkScore, LinkWeights, score_links, url_text


class Lengths:
    """Scores a text by its number of words, in tenths; NaN for "nan"."""

    name = "lengths"

    def score(self, text: str) -> float:
        return math.nan if text == "nan" else len(text.split()) / 10

    def score_many(self, texts: Sequence[str]) -> list[float]:
        return [self.score(text) for text in texts]


LINKS = [
    Outlink("http://h/wiki/Fruit_bat", "the fruit bat", "it is the fruit bat of Java"),
    Outlink("http://h/", "", ""),
]


def test_equation_4_4() -> None:
    """0.5 * 0.8 + 0.5 * (0.3 + 0.3 + 0.7) / 3, and 0.5 * 0.8 for a link that says nothing."""
    scores = score_links(Lengths(), 0.8, LINKS, LinkWeights())
    assert scores[0].score == pytest.approx(0.4 + 0.5 * 1.3 / 3)
    assert scores[0].parts() == pytest.approx(
        {"score": 0.4 + 0.65 / 3, "page": 0.8, "url": 0.3, "anchor": 0.3, "context": 0.7}
    )
    assert scores[1].score == pytest.approx(0.4)


def test_page_only_is_nutchs_way() -> None:
    assert score_links(Lengths(), 0.8, LINKS, LinkWeights(1)) == [
        LinkScore(0.8, 0.8, 0, 0, 0),
        LinkScore(0.8, 0.8, 0, 0, 0),
    ]


def test_link_only() -> None:
    scores = score_links(Lengths(), 0.8, LINKS, LinkWeights(0))
    assert [score.score for score in scores] == pytest.approx([1.3 / 3, 0])


def test_parts_can_weigh_differently() -> None:
    weights = LinkWeights(0, {"anchor": 3, "context": 1})
    assert weights.combine(1, 1, 0.2, 0.6).score == pytest.approx(0.3)


def test_scores_stay_finite_and_within_range() -> None:
    weights = LinkWeights()
    assert weights.combine(math.nan, 0.3, 0.3, 0.3).score == pytest.approx(0.15)
    assert weights.combine(7, 7, 7, math.inf).score == 1
    assert weights.combine(-1, -1, -1, -math.inf).score == 0
    assert score_links(Lengths(), 0, [Outlink("http://h/", "nan", "")], weights)[0].score == 0
    assert [in_unit_interval(x) for x in (math.nan, math.inf, -1, 0.5)] == [0, 1, 0, 0.5]


@pytest.mark.parametrize(
    ("page", "parts", "message"),
    [
        (1.1, {"url": 1}, "page weight"),
        (math.nan, {"url": 1}, "page weight"),
        (0.5, {}, "some above 0"),
        (0.5, {"url": 0}, "some above 0"),
        (0.5, {"url": -1, "anchor": 2}, "some above 0"),
        (0.5, {"url": math.inf}, "some above 0"),
        (0.5, {"title": 1}, "link part 'title'"),
    ],
)
def test_weights_out_of_range_are_refused(
    page: float, parts: dict[str, float], message: str
) -> None:
    with pytest.raises(ArgumentError, match=message):
        LinkWeights(page, parts)


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("http://bats.example/wiki/Fruit_bat", "wiki Fruit bat"),
        ("http://h/fruitBat-01?q=long+tongue&id=7", "fruit Bat 01 q long tongue id 7"),
        ("http://h/%C3%89t%C3%A9", "Été"),
        ("http://h/", ""),
    ],
)
def test_url_text(url: str, text: str) -> None:
    assert url_text(url) == text
