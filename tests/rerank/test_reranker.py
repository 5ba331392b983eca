from __future__ import annotations

import numpy as np
import pytest

from taxocrawl.diversify.features import Post
from taxocrawl.diversify.wordnet import WordNet
from taxocrawl.exceptions import ArgumentError
from taxocrawl.rerank.candidates import Candidate
from taxocrawl.rerank.representations import (
    FIRST_RANKINGS,
    SIMILARITIES,
    TextModel,
    term_vectors,
)
from taxocrawl.rerank.reranker import METHODS, Reranker
from taxocrawl.score.background import DocumentFrequencies
from taxocrawl.score.embeddings import WordVectors

TEXTS = [
    "new fruit bat found in Borneo",
    "RT @a: new fruit bat found in Borneo",
    "bat caves closed to visitors",
    "fig trees need fruit bats",
    "council votes on parking",
]
POOL = [
    Candidate("1", str(number), Post(text, 0.0), score)
    for number, (text, score) in enumerate(zip(TEXTS, [5.0, 4.9, 3, 2, 1], strict=True))
]
WORDS = sorted({word for text in TEXTS for word in text.lower().split()})


def encode(texts: object) -> np.ndarray:
    return term_vectors([str(text).lower().split() for text in texts]).toarray()  # type: ignore[attr-defined]


class Meanings:
    """Every word is its own concept, like no other."""

    def synsets(self, word: str, part: str) -> list[object]:
        return [Meaning(word)]


class Meaning(str):
    def lin_similarity(self, other: object, content: object) -> float:
        return 0.0


WORDNET = WordNet(Meanings(), None)
MODEL = TextModel(
    vectors=WordVectors(WORDS, np.random.default_rng(0).normal(size=(len(WORDS), 8))),
    encoder=encode,
    wordnet=WORDNET,
)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("similarity", ["jaccard", "features-sysecoen", "features-sy"])
def test_every_method_ranks_each_candidate_at_most_once(method: str, similarity: str) -> None:
    if similarity not in SIMILARITIES:
        with pytest.raises(ArgumentError, match="unknown similarity"):
            Reranker(method, similarity=similarity)
        return
    ranking = Reranker(method, similarity=similarity).rerank(POOL, "bat", MODEL, ["caves", "figs"])
    left_out = [index for index, _ in ranking.duplicates]
    assert sorted([*ranking.order, *left_out]) == list(range(5))


@pytest.mark.parametrize("method", FIRST_RANKINGS)
def test_every_first_ranking_puts_what_the_query_names_before_what_it_does_not(
    method: str,
) -> None:
    relevance = MODEL.relevance(method, "new fruit bat found in borneo", TEXTS)
    assert relevance.shape == (5,)
    assert relevance[0] == relevance.max()
    assert relevance[0] > relevance[4]


@pytest.mark.parametrize("method", SIMILARITIES)
def test_every_similarity_finds_the_retweet_nearest(method: str) -> None:
    similarity = MODEL.similarity(method, [Post(text) for text in TEXTS])
    row = similarity.row(0)
    assert row[0] == pytest.approx(1)
    assert row[1:].argmax() == 0
    assert similarity.row(3)[0] == pytest.approx(row[3])


def test_the_first_ranking_alone() -> None:
    assert Reranker("none").rerank(POOL, "", MODEL).order == (0, 1, 2, 3, 4)
    by_words = Reranker("none", first="jaccard").rerank(POOL, "caves closed", MODEL)
    assert by_words.order[0] == 2


def test_sy_leaves_out_the_retweet_or_puts_it_last() -> None:
    assert Reranker("sy").rerank(POOL, "", MODEL).order == (0, 2, 3, 4)
    kept = Reranker("sy", keep_duplicates=True).rerank(POOL, "", MODEL)
    assert kept.order == (0, 2, 3, 4, 1)
    assert kept.duplicates == ((1, 0),)


def test_retweets_dropped_and_scaled() -> None:
    assert Reranker("none", retweets="drop").rerank(POOL, "", MODEL).order == (0, 2, 3, 4)
    scaled = Reranker("sy", lambda_=1.0, retweets="scale", constant=0.5)
    assert scaled.rerank(POOL, "", MODEL).order == (0, 1, 2, 3, 4)


def test_depth_and_length() -> None:
    ranking = Reranker("mmr", first="score", lambda_=0.1, depth=3).rerank(POOL, "", MODEL)
    assert ranking.order == (0, 2, 1)
    assert Reranker("sy", length=2).rerank(POOL, "", MODEL).order == (0, 2)
    assert ranking.parameters["depth"] == 3


def test_aspects_bring_their_texts_forward() -> None:
    ranking = Reranker("xquad", lambda_=0.9, scale="max").rerank(
        POOL, "bat", MODEL, ["bat caves", "parking"]
    )
    assert set(ranking.order[:2]) == {2, 4}


@pytest.mark.parametrize("method", METHODS)
def test_no_candidates_and_one(method: str) -> None:
    reranker = Reranker(method)
    assert reranker.rerank([], "bat", MODEL, ["caves"]).order == ()
    assert reranker.rerank(POOL[:1], "bat", MODEL, ["caves"]).order == (0,)


@pytest.mark.parametrize("method", METHODS)
def test_empty_emoji_and_right_to_left_texts(method: str) -> None:
    pool = [Candidate("1", str(n), Post(text)) for n, text in enumerate(["", "🦇", "", "עטלף"])]
    ranking = Reranker(method, similarity="tf").rerank(pool, "עטלף", MODEL, ["🦇"])
    assert sorted(ranking.order) == [0, 1, 2, 3]


def test_what_is_needed_and_missing_is_said() -> None:
    with pytest.raises(ArgumentError, match="xquad needs aspects"):
        Reranker("xquad").rerank(POOL, "bat", MODEL)
    with pytest.raises(ArgumentError, match="have no scores"):
        Reranker(first="score").rerank([Candidate("1", "1", Post("a"))], "", MODEL)
    with pytest.raises(ArgumentError, match="ranking by bm25 needs the text of the query"):
        Reranker(first="bm25").rerank(POOL, " ", MODEL)
    with pytest.raises(ArgumentError, match="give a file of them"):
        Reranker(similarity="wmd").rerank(POOL, "", TextModel())
    with pytest.raises(ArgumentError, match="give a folder of WordNet's data"):
        Reranker(similarity="wordnet").rerank(POOL, "", TextModel())
    with pytest.raises(ArgumentError, match="sentence model"):
        Reranker(similarity="sentences").rerank(POOL, "", TextModel())


@pytest.mark.parametrize(
    "arguments",
    [
        {"method": "pm2"},
        {"first": "x"},
        {"similarity": "x"},
        {"aspect": "x"},
        {"lambda_": 1.6},
        {"depth": -1},
        {"length": -1},
    ],
)
def test_wrong_arguments_are_refused_at_once(arguments: dict[str, object]) -> None:
    with pytest.raises(ArgumentError):
        Reranker(**arguments)  # type: ignore[arg-type]


def test_term_vectors_by_hand() -> None:
    vectors = term_vectors([["a", "b", "a"], ["c"], []], DocumentFrequencies(10, {"a": 9, "b": 4}))
    # idf: a log 1 = 0, b log 2, c log 10.
    assert vectors.toarray() == pytest.approx(
        np.array([[0, np.log(2) / 3, 0], [0, 0, np.log(10)], [0, 0, 0]])
    )
