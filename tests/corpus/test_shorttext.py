"""Figures of reranked posts and snippets, and of real word vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taxocrawl import settings
from taxocrawl.diversify.duplicates import DuplicateLevel, duplicate_level
from taxocrawl.evaluate.collection import Collection, read_collection
from taxocrawl.evaluate.significance import paired_test
from taxocrawl.evaluate.sweeps import TARGET, figures_of
from taxocrawl.rerank.representations import TextModel
from taxocrawl.rerank.reranker import Reranker
from taxocrawl.score.background import DocumentFrequencies
from taxocrawl.score.embeddings import EmbeddingScorer, WordVectors
from taxocrawl.text.posts import PostWords
from taxocrawl.text.stopwords import load_stopwords

DEPTH = 100


@pytest.fixture(scope="module")
def posts(corpora: Path) -> Collection:
    return read_collection(corpora / "shorttext" / "ttg_tweets" / "dev")


@pytest.fixture(scope="module")
def words() -> PostWords:
    return PostWords(load_stopwords(settings.STOPWORDS_DIR / "english.txt"), "snowball")


def test_sy_lifts_the_query_likelihood_ranking_of_posts(
    posts: Collection, words: PostWords
) -> None:
    model = TextModel(words)
    plain = figures_of(posts, Reranker("none"), model)
    assert round(plain.mean(TARGET), 4) == 0.3898
    jaccard = figures_of(posts, Reranker("sy", lambda_=0.4, depth=DEPTH), model)
    assert jaccard.mean(TARGET) > 0.42
    reranker = Reranker("sy", similarity="features-sy", lambda_=0.4, depth=DEPTH)
    assert figures_of(posts, reranker, model).mean(TARGET) > 0.42


def test_mmr_lifts_snippets_in_another_language(corpora: Path) -> None:
    snippets = read_collection(corpora / "shorttext" / "odp_tr30" / "dev")
    tokens = [PostWords()(found.post.text) for pool in snippets.pools.values() for found in pool]
    model = TextModel(background=DocumentFrequencies.of(tokens))
    base = Reranker("none", "bm25", depth=DEPTH, length=30)
    plain = figures_of(snippets, base, model)
    diverse = figures_of(
        snippets, Reranker("mmr", "bm25", "tf-idf", 0.15, depth=DEPTH, length=30), model
    )
    test = paired_test(plain.values(TARGET), diverse.values(TARGET))
    assert test.difference > 0.06
    assert test.randomisation < 0.01


def test_levels_of_duplicates_follow_the_votes_of_people(corpora: Path) -> None:
    """The more of six people took a pair for a paraphrase, the nearer its mean level."""
    order = list(DuplicateLevel)
    by_votes: dict[int, list[int]] = {}
    path = corpora / "shorttext" / "neardup_pairs" / "twitter_url_pairs.dev.tsv"
    for line in path.read_text("utf-8").splitlines()[1:]:
        votes, _, first, second = line.split("\t")
        by_votes.setdefault(int(votes), []).append(order.index(duplicate_level(first, second)))
    means = [float(np.mean(by_votes[votes])) for votes in range(7)]
    assert means == sorted(means, reverse=True)
    assert means[0] > 4.3
    assert means[6] < 2.5


def test_levels_of_copies(corpora: Path) -> None:
    """Copies by the corpus' own definition, which keeps hashtags' words, are at least strong."""
    path = corpora / "shorttext" / "neardup_pairs" / "ttg_pairs.dev.tsv"
    copies = {"exact_copy": 0, "nearly_exact_copy": 0}
    nearly = (DuplicateLevel.EXACT, DuplicateLevel.NEARLY_EXACT, DuplicateLevel.STRONG)
    for line in path.read_text("utf-8").splitlines()[1:]:
        *_, kind, first, second = line.split("\t")
        if kind == "exact_copy":
            assert duplicate_level(first, second) is DuplicateLevel.EXACT
        if kind == "nearly_exact_copy":
            assert duplicate_level(first, second) in nearly
        if kind in copies:
            copies[kind] += 1
    assert all(copies.values())


def test_glove_neighbours(corpora: Path) -> None:
    vectors = WordVectors.read(corpora / "vectors" / "glove100_f16_50k.npz")
    assert (len(vectors.rows), vectors.dimensions) == (50_000, 100)
    king = EmbeddingScorer("king", vectors)
    assert king.score_many(["prince", "queen", "qwzxy"]) == pytest.approx(
        [0.768, 0.751, 0], abs=2e-3
    )
