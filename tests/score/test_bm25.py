from __future__ import annotations

import math
import random
from collections import Counter

import bm25s
import pytest

from taxocrawl.exceptions import ArgumentError
from taxocrawl.score.background import DocumentFrequencies
from taxocrawl.score.bm25 import Bm25Scorer

BACKGROUND = DocumentFrequencies(100, {"bat": 9, "fruit": 24, "the": 100})


def test_equation_3_4_by_hand() -> None:
    """idf(bat) = ln 10, idf(fruit) = ln 4; text of 4 words, average 8, k1 1.2, b .75.

    The saturation is 1.2 (.25 + .75 * 4 / 8) = .75: bat twice gives ln 10 * 2 * 2.2 / 2.75,
    fruit once ln 4 * 2.2 / 1.75.
    """
    scorer = Bm25Scorer("fruit bat", BACKGROUND, 8)
    expected = math.log(10) * 4.4 / 2.75 + math.log(4) * 2.2 / 1.75
    assert scorer.bm25(["bat", "eats", "bat", "fruit"]) == pytest.approx(expected)
    assert scorer.score("Bat eats bat fruit.") == pytest.approx(
        expected / (2.2 * (math.log(10) + math.log(4)))
    )


def test_words_in_every_document_and_stop_words_add_nothing() -> None:
    assert Bm25Scorer("the", BACKGROUND, 8).score("the the") == 0.0
    assert Bm25Scorer("bat", BACKGROUND, 8, frozenset({"bat"})).score("bat") == 0.0
    assert Bm25Scorer("", BACKGROUND, 8).score("bat") == 0.0
    assert Bm25Scorer("bat", BACKGROUND, 8).score("") == 0.0


def test_b_zero_ignores_length_and_k1_zero_ignores_repetition() -> None:
    short, long = "bat", "bat sleeps through day in dark caves"
    no_length = Bm25Scorer("bat", BACKGROUND, 3, b=0)
    assert no_length.score(short) == no_length.score(long)
    assert Bm25Scorer("bat", BACKGROUND, 3).score(short) > Bm25Scorer("bat", BACKGROUND, 3).score(
        long
    )
    once = Bm25Scorer("bat", BACKGROUND, 3, k1=0)
    assert once.score("bat") == once.score("bat bat") == 1.0


def test_scores_lie_in_the_unit_interval_and_equal_one_by_one() -> None:
    scorer = Bm25Scorer("fruit bat", BACKGROUND, 3)
    texts = ["bat " * 1000, "fruit", "nothing", "🦇", ""]
    scores = scorer.score_many(texts)
    assert scores == [scorer.score(text) for text in texts]
    assert all(0 <= score <= 1 for score in scores)
    assert scores[2:] == [0, 0, 0]


@pytest.mark.parametrize(
    ("average", "k1", "b"), [(0, 1.2, 0.75), (5, -1, 0.75), (5, 1.2, 1.1), (float("nan"), 1, 0.5)]
)
def test_parameters_out_of_range_are_refused(average: float, k1: float, b: float) -> None:
    with pytest.raises(ArgumentError, match="BM25 needs"):
        Bm25Scorer("bat", BACKGROUND, average, k1=k1, b=b)


def test_against_bm25s() -> None:
    """bm25s's ATIRE variant has eq. 3.4 with idf ln(N / df); eq. 3.2 has ln(N / (df + 1))."""
    rng = random.Random(0)
    vocabulary = [f"w{n}" for n in range(40)]
    weights = [1 / (n + 1) for n in range(40)]
    corpus = [rng.choices(vocabulary, weights, k=rng.randint(5, 80)) for _ in range(60)]
    queries = [rng.sample(vocabulary, 4) for _ in range(20)]
    counts = Counter(word for text in corpus for word in set(text))
    background = DocumentFrequencies(60, {word: count - 1 for word, count in counts.items()})
    average = sum(map(len, corpus)) / len(corpus)
    for k1, b in ((1.2, 0.75), (2.0, 0.0), (1.5, 1.0)):
        other = bm25s.BM25(method="atire", k1=k1, b=b, dtype="float64")
        other.index(corpus, show_progress=False)
        for query in queries:
            known = [word for word in query if word in counts]
            ours = Bm25Scorer(" ".join(query), background, average, k1=k1, b=b)
            expected = other.get_scores(known)
            assert [ours.bm25(text) for text in corpus] == pytest.approx(expected, abs=1e-6)
