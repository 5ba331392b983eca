from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from taxocrawl.diversify.similarity import (
    CosineSimilarity,
    JaccardSimilarity,
    LevenshteinSimilarity,
    MatrixSimilarity,
    Similarity,
)
from taxocrawl.exceptions import ArgumentError

D1 = "barack obama was the president of the usa".split()
D2 = "we can swim today since its hot".split()
D3 = "kamala harris become the vice president of the usa".split()


def test_equation_3_14_with_a_union_of_eleven() -> None:
    row = JaccardSimilarity([D1, D2, D3]).row(0)
    assert row == pytest.approx([1, 0, 4 / 11])


def test_texts_without_words_equal_only_themselves() -> None:
    assert JaccardSimilarity([[], ["a"], []]).row(0).tolist() == [1, 0, 0]
    assert len(JaccardSimilarity([])) == 0


def test_cosine_of_proportional_orthogonal_and_opposite_vectors() -> None:
    row = CosineSimilarity([[1, 2], [3, 6], [-2, 1], [-1, -2], [0, 0]]).row(0)
    assert row == pytest.approx([1, 1, 0, -1, 0])


def test_a_zero_vector_equals_only_itself() -> None:
    assert CosineSimilarity([[0.0, 0.0], [1.0, 0.0]]).row(0).tolist() == [1, 0]


def test_huge_and_tiny_vectors_keep_their_angles() -> None:
    row = CosineSimilarity([[1e200, 1e200], [1e-200, 0]]).row(0)
    assert row == pytest.approx([1, math.sqrt(0.5)])


def test_single_precision_is_kept_and_copies_tie() -> None:
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(50, 100)).astype(np.float32)
    vectors[1:] = vectors[1:25].repeat(3, axis=0)[:49]
    single, double = CosineSimilarity(vectors), CosineSimilarity(vectors.astype(np.float64))
    row = single.row(0)
    assert row.dtype == np.float64
    assert row == pytest.approx(double.row(0), abs=1e-6)
    assert row[1] == row[2] == row[3]


def test_tiny_single_precision_vectors_keep_their_angles() -> None:
    vectors = np.array([[1e-30, 0], [1e30, 1e30], [0, 0]], dtype=np.float32)
    assert CosineSimilarity(vectors).row(0) == pytest.approx([1, math.sqrt(0.5), 0], abs=1e-6)


def test_sparse_and_dense_vectors_agree() -> None:
    dense = np.array([[1.0, 0, 2], [0, 0, 0], [3, 1, 0]])
    thin = CosineSimilarity(sparse.csr_array(dense))
    full = CosineSimilarity(dense)
    for index in range(3):
        assert thin.row(index) == pytest.approx(full.row(index))


def test_levenshtein_by_hand() -> None:
    row = LevenshteinSimilarity(["kitten", "sitting", "", "kitten"]).row(0)
    assert row == pytest.approx([1, 1 - 3 / 7, 0, 1])


def test_emoji_and_right_to_left_texts() -> None:
    row = LevenshteinSimilarity(["🦇🦇", "🦇", "עטלף"]).row(0)
    assert row == pytest.approx([1, 0.5, 0])


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[1, 0.2]], "square"),
        ([1, 2], "square"),
        ([[1, 0.2], [0.3, 1]], "symmetric"),
        ([[1, float("nan")], [float("nan"), 1]], "finite"),
    ],
)
def test_wrong_matrices_are_refused(matrix: list[object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        MatrixSimilarity(matrix)


@pytest.mark.parametrize("vectors", [[1.0, 2.0], [[float("inf")]]])
def test_wrong_vectors_are_refused(vectors: list[object]) -> None:
    with pytest.raises(ArgumentError, match="vectors must"):
        CosineSimilarity(vectors)


WORDS = st.lists(st.lists(st.sampled_from("abcde"), max_size=5), min_size=1, max_size=8)


def every_kind(texts: list[list[str]]) -> list[Similarity]:
    counts = [[text.count(word) for word in "abcde"] for text in texts]
    return [
        JaccardSimilarity(texts),
        LevenshteinSimilarity(["".join(text) for text in texts]),
        CosineSimilarity(counts),
        CosineSimilarity(sparse.csr_array(np.array(counts))),
    ]


@given(WORDS)
def test_every_similarity_keeps_the_contract(texts: list[list[str]]) -> None:
    for similarity in every_kind(texts):
        assert len(similarity) == len(texts)
        table = np.array([similarity.row(index) for index in range(len(texts))])
        assert table == pytest.approx(table.T)
        assert np.diag(table) == pytest.approx(np.ones(len(texts)))
        assert (np.abs(table) <= 1).all()
