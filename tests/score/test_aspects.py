"""The cosine to each aspect by which a crawl is judged."""

from __future__ import annotations

import math

import pytest

from taxocrawl.score.aspects import AspectCosines
from taxocrawl.score.background import DocumentFrequencies
from taxocrawl.score.choice import TopicTexts
from taxocrawl.topic import GoldStandard

BACKGROUND = DocumentFrequencies(100, {"bat": 9, "fig": 9, "cave": 9, "island": 9, "stone": 9})


def _texts(name: str, text: str) -> TopicTexts:
    return TopicTexts((GoldStandard(name, text),), background=BACKGROUND)


COSINES = AspectCosines(
    _texts("topic", "bat"), [("diet", _texts("diet", "fig")), ("range", _texts("r", "cave island"))]
)


def test_words_of_topic_and_other_aspects_count_for_the_length() -> None:
    assert COSINES.scores("fig") == {"diet": 1.0, "range": 0.0}
    found = COSINES.scores("bat fig cave island")
    assert found["diet"] == pytest.approx(0.5, abs=1e-6)
    assert found["range"] == pytest.approx(1 / math.sqrt(2), abs=1e-6)


def test_other_words_count_nothing() -> None:
    assert COSINES.scores("fig stone stone unheard of") == {"diet": 1.0, "range": 0.0}
    assert COSINES.scores("stone") == COSINES.scores("") == {"diet": 0.0, "range": 0.0}


def test_a_table_of_some_words_has_no_idf_for_others() -> None:
    only = BACKGROUND.of_words(["fig", "unheard"])
    assert only.idf("fig") == BACKGROUND.idf("fig")
    assert only.idf("unheard") == BACKGROUND.idf("unheard") > 0
    assert only.idf("stone") == 0
