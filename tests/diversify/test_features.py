from __future__ import annotations

import math

import pytest

from taxocrawl.diversify.features import (
    DAY,
    Features,
    Post,
    PostSimilarity,
    RetweetSimilarity,
    Variant,
)
from taxocrawl.diversify.similarity import MatrixSimilarity
from taxocrawl.exceptions import ArgumentError

POSTS = [
    Post("bats eat figs #bats", 0.0, "ann", "web", "https://a.example", "fig tree"),
    Post("bats eat fish #cats", DAY, "ann", "app", "https://a.example", "fig market"),
    Post("bats eat figs"),
]
MEANING = MatrixSimilarity([[1, 0.4, 0.9], [0.4, 1, -0.5], [0.9, -0.5, 1]])


def only(*names: str, variant: Variant = Variant.SY, posts: list[Post] = POSTS) -> list[float]:
    """Row 0 of the mean of some features of equal weight."""
    features = Features(variant, MEANING, weights=dict.fromkeys(names, 1.0))
    return PostSimilarity(posts, features).row(0).tolist()


def test_each_syntactic_feature() -> None:
    # The bare texts are "bats eat figs", "bats eat fish" and "bats eat figs".
    assert only("levenshtein") == pytest.approx([1, 11 / 13, 1])
    assert only("length") == pytest.approx([1, 1, 1])
    # Words with those of hashtags: {bats, eat, figs}, {bats, eat, fish, cats}, {bats, eat, figs}.
    assert only("words") == pytest.approx([1, 2 / 5, 1])
    assert only("hashtags") == pytest.approx([1, 0, 0])
    assert only("urls") == pytest.approx([1, 1, 0])


def test_length_by_hand() -> None:
    assert only("length", posts=[Post("abcd"), Post("ab"), Post("")]) == [1, 0.5, 0]


def test_each_feature_of_the_extensions() -> None:
    every = Variant.SYSEENCO
    assert only("time", variant=every) == pytest.approx([1, math.exp(-1), 0])
    assert only("author", variant=every) == pytest.approx([1, 1, 0])
    assert only("client", variant=every) == pytest.approx([1, 0, 0])
    assert only("linked words", variant=every) == pytest.approx([1, 1 / 3, 0])
    assert only("semantic", variant=every) == pytest.approx([1, 0.4, 0.9])


def test_negative_likeness_of_meaning_counts_as_none() -> None:
    features = Features(Variant.SYSE, MEANING, weights={"semantic": 1.0})
    assert PostSimilarity(POSTS, features).row(1).tolist() == [0.4, 1, 0]


def test_a_feature_that_a_post_lacks_drops_out_of_its_mean() -> None:
    assert only("levenshtein", "hashtags", "urls") == pytest.approx([1, (11 / 13 + 1) / 3, 1])


def test_variants_differ_in_the_groups_they_compare() -> None:
    rows = {
        variant: tuple(PostSimilarity(POSTS, Features(variant, MEANING)).row(0).round(9))
        for variant in Variant
    }
    assert len(set(rows.values())) == 6
    # Only "Se" changes a pair of which no context is known.
    assert rows[Variant.SY][2] == rows[Variant.SYCO][2] == 1.0
    assert rows[Variant.SYSE][2] == rows[Variant.SYSEENCO][2] < 1.0


def test_a_variant_with_meaning_needs_a_semantic_similarity() -> None:
    with pytest.raises(ArgumentError, match="SySeCo compares meanings"):
        PostSimilarity(POSTS, Features(Variant.SYSECO))


@pytest.mark.parametrize("weights", [{"words": -1.0}, {"words": 0.0}, {"wrods": 1.0}])
def test_wrong_weights_are_refused(weights: dict[str, float]) -> None:
    with pytest.raises(ArgumentError, match="feature"):
        PostSimilarity(POSTS, Features(weights=weights))


def test_no_posts_and_empty_posts() -> None:
    assert len(PostSimilarity([])) == 0
    assert PostSimilarity([Post(""), Post("")]).row(0).tolist() == [1, 1]


def test_a_retweet_counts_as_more_similar_but_never_above_one() -> None:
    texts = ["bats", "RT @a: bats", "cats"]
    similarity = RetweetSimilarity(
        MatrixSimilarity([[1, 0.5, 0.4], [0.5, 1, 0.8], [0.4, 0.8, 1]]), texts, 1.35
    )
    assert similarity.row(0) == pytest.approx([1, 0.675, 0.4])
    assert similarity.row(1) == pytest.approx([0.675, 1, 1])


def test_wrong_retweet_arguments_are_refused() -> None:
    matrix = MatrixSimilarity([[1]])
    with pytest.raises(ArgumentError, match="constant"):
        RetweetSimilarity(matrix, ["a"], -1)
    with pytest.raises(ArgumentError, match="texts given for 2"):
        RetweetSimilarity(matrix, ["a", "b"], 1)
