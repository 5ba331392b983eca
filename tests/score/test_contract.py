"""What every scorer promises, tried on each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.score import choice
from taxocrawl.score.background import DocumentFrequencies
from taxocrawl.score.base import Scorer
from taxocrawl.score.choice import SCORERS, TopicTexts, make_scorer, page_reader
from taxocrawl.score.encoder import CachedEncoder
from taxocrawl.topic import GoldStandard

BACKGROUND = DocumentFrequencies(100, {"bat": 9, "fruit": 24, "the": 100, "wing": 5})
GOLD = GoldStandard("gold.txt", "fruit bats have wings\nthe holotype of a bat")
TEXTS = [
    "fruit bats have wings the holotype of a bat",
    "a bat",
    "the",
    "engine",
    "",
    "\0\ud800 🦇 \u202e",
    "bat " * 5000,
    "9" * 10_000,
]


@pytest.fixture(params=sorted(set(SCORERS) - {"none"}))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def topic(tmp_path: Path) -> TopicTexts:
    path = tmp_path / "vectors.npz"
    words = ["bat", "bats", "fruit", "wings", "car", "holotype"]
    np.savez(path, words=np.array(words), vectors=np.eye(6)[:, :6] + 0.1)
    return TopicTexts((GOLD,), "bats", frozenset({"the", "of", "a"}), BACKGROUND, path, tmp_path)


@pytest.fixture(autouse=True)
def words_as_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the place of a sentence model: how often a text has some words, and any others."""

    def encode(texts: Sequence[str]) -> np.ndarray:
        counts = np.array(
            [
                [text.lower().count(word) for word in ("bat", "fruit", "wing", "holotype")]
                + [0.1 + ("engine" in text)]
                for text in texts
            ]
        ).reshape(len(texts), 5)
        return np.asarray(counts / np.linalg.norm(counts, axis=1, keepdims=True), dtype=np.float32)

    monkeypatch.setattr(choice, "load_encoder", lambda folder: CachedEncoder(encode))


@pytest.fixture
def scorer(name: str, topic: TopicTexts) -> Scorer:
    return make_scorer(name, topic)


class TestScorer:
    def test_scores_are_finite_and_in_the_unit_interval(self, scorer: Scorer) -> None:
        for score in map(scorer.score, TEXTS):
            assert isinstance(score, float)
            assert math.isfinite(score)
            assert 0 <= score <= 1

    def test_several_at_once_are_the_same(self, scorer: Scorer) -> None:
        assert scorer.score_many(TEXTS) == [scorer.score(text) for text in TEXTS]
        assert scorer.score_many([]) == []

    def test_the_topic_scores_above_a_mention_and_a_mention_above_nothing(
        self, scorer: Scorer
    ) -> None:
        whole, mention, _, other, *_ = map(scorer.score, TEXTS)
        assert whole > mention
        assert mention > other
        assert scorer.score("") == 0

    def test_is_named_and_repeats_itself(
        self, scorer: Scorer, name: str, topic: TopicTexts
    ) -> None:
        assert make_scorer(name, topic).score_many(TEXTS) == scorer.score_many(TEXTS)

    def test_a_query_alone_is_a_topic(self, name: str, topic: TopicTexts) -> None:
        only = TopicTexts(
            (), "fruit bats", frozenset(), BACKGROUND, topic.vectors, topic.sentence_model
        )
        assert make_scorer(name, only).score("fruit bats") > 0

    def test_unknown_parameters_are_refused(self, name: str, topic: TopicTexts) -> None:
        with pytest.raises(ArgumentError, match="unknown parameter weird"):
            make_scorer(name, topic, {"weird": 1})

    def test_shares_of_terms_add_up(self, scorer: Scorer) -> None:
        if hasattr(scorer, "terms"):
            for text in TEXTS:
                total = sum(term.share for term in scorer.terms(text))
                assert total == pytest.approx(scorer.score(text))


@pytest.mark.parametrize(
    ("scorer", "params", "message"),
    [
        ("cosine", {"tokeniser": "x"}, "tokeniser"),
        ("cosine", {"ngrams": "a"}, "ngrams"),
        ("cosine", {"ngrams": [1, 2, 3]}, "ngrams"),
        ("cosine", {"combine": "sum"}, "combine"),
        ("tfidf", {"query_weight": 0}, "query weight"),
        ("tfidf", {"stemming": "x"}, "stemming"),
        ("bm25", {"b": 2}, "BM25 needs"),
        ("glove", {"pooling": "sum"}, "pooling"),
        ("sbert", {"max_chunks": 0}, "expected 1 or more"),
        ("sbertt", {}, "scorer 'sbertt': expected one of"),
    ],
)
def test_wrong_values_are_refused(
    scorer: str, params: dict[str, Any], message: str, topic: TopicTexts
) -> None:
    with pytest.raises(ArgumentError, match=message):
        make_scorer(scorer, topic, params)


def test_whole_text_by_hand(topic: TopicTexts) -> None:
    """idf(bat) = ln 10, idf(wing) = ln(100/6); "bat bat wing", topic "bat", query weight 5.

    Over the topic's terms the cosine is 1; over all terms 2 ln 10 / |(2 ln 10, ln 100/6)|, and
    sublinear (1 + ln 2) ln 10 over its length.
    """
    bat = TopicTexts((), "bat", frozenset(), BACKGROUND)
    assert make_scorer("tfidf", bat).score("bat bat wing") == 1
    whole = make_scorer("tfidf", bat, {"whole_text": True}).score("bat bat wing")
    two, one = 2 * math.log(10), math.log(100 / 6)
    assert whole == pytest.approx(two / math.hypot(two, one))
    sublinear = make_scorer("tfidf", bat, {"whole_text": True, "sublinear": True})
    two = (1 + math.log(2)) * math.log(10)
    assert sublinear.score("bat bat wing") == pytest.approx(two / math.hypot(two, one))


def test_without_a_scorer_all_texts_are_alike(topic: TopicTexts) -> None:
    assert make_scorer("none", topic).score_many(TEXTS) == [0.0] * len(TEXTS)


def test_ngrams_as_nutchs_setting_has_them() -> None:
    topic = TopicTexts((GoldStandard("g", "fruit bat"),))
    for value in ("2", 2, "2,2", [2, 2]):
        assert make_scorer("cosine", topic, {"ngrams": value}).score("a fruit bat") > 0
        assert make_scorer("cosine", topic, {"ngrams": value}).score("bat fruit") == 0


def test_a_topic_of_stop_words_alone_is_refused(name: str, topic: TopicTexts) -> None:
    only = replace(topic, goldstandards=(GoldStandard("g", "the of"),), query="The a")
    with pytest.raises(InputFileError, match="nothing but stop words"):
        make_scorer(name, only)


def test_a_topic_without_known_words_is_refused(topic: TopicTexts) -> None:
    strange = replace(topic, goldstandards=(), query="zzqx")
    with pytest.raises(InputFileError, match="expected vectors of the topic's words, has none"):
        make_scorer("glove", strange)


def test_an_empty_topic_is_refused() -> None:
    with pytest.raises(InputFileError, match="topic is empty"):
        TopicTexts((GoldStandard("g", " \n"),), " ")


def test_what_is_read_of_a_page() -> None:
    from taxocrawl.items import Document, Kind

    page = Document(Kind.HTML, "text", "title", keywords="key", image_text="picture")
    assert page_reader("cosine")(page) == "text\nkey"
    assert page_reader("nutch")(page) == "textnullnull"
    assert page_reader("tfidf")(page) == "title\ntext"
    assert page_reader("cosine", ("text", "images"))(page) == "text\npicture"
