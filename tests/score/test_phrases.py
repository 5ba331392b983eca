from __future__ import annotations

import math

import pytest

from taxocrawl.items import Document, Kind, Outlink
from taxocrawl.score.background import DocumentFrequencies
from taxocrawl.score.phrases import Phrase, propose_phrases

BACKGROUND = DocumentFrequencies(100, {"bat": 9, "fruit": 24, "eats": 49, "the": 99})
ARTICLE = Document(
    Kind.HTML,
    text="The fruit bat eats fruit. The fruit bat of the islands.",
    outlinks=(
        Outlink("http://h/1", "islands"),
        Outlink("http://h/2", "Home"),
        Outlink("http://h/3", "of the islands"),
    ),
)


def test_by_hand() -> None:
    """fruit 3, bat 2, "fruit bat" 2; idf ln 4, ln 10; "eats" ln 2; islands unknown, ln 100."""
    found = propose_phrases([ARTICLE], BACKGROUND, frozenset({"the", "of"}))
    pair = (math.log(4) + math.log(10)) / 2
    assert found == [
        Phrase("islands", 1, pytest.approx(math.log(100)), True),
        Phrase("fruit", 3, pytest.approx(3 * math.log(4)), False),
        Phrase("fruit bat", 2, pytest.approx(2 * pair), False),
        Phrase("eats", 1, pytest.approx(math.log(2)), False),
    ]


def test_what_is_no_part_of_the_text_is_not_proposed() -> None:
    assert "home" not in {phrase.text for phrase in propose_phrases([ARTICLE], BACKGROUND)}


def test_limit_and_nothing() -> None:
    assert len(propose_phrases([ARTICLE], BACKGROUND, limit=2)) == 2
    assert propose_phrases([Document(Kind.HTML)], BACKGROUND) == []
