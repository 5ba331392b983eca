from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.score.embeddings import EmbeddingScorer, Pooling, WordVectors

# METU example 5.2; the third line's numbers are those of the document, its printed mean included.
EXAMPLE = np.array(
    [
        [0.6, 0.8, 1.0, 0.3, 0.5],
        [0.1, 0.8, 0.9, 0.4, 0.6],
        [0.3, 0.4, 0.4, 0.4, 0.4],
        [0.6, 0.9, 0.1, 0.8, 0.7],
    ]
)
WORDS = ["cosine", "similarity", "used", "vectors"]
VECTORS = WordVectors(WORDS, EXAMPLE)


def test_example_5_2() -> None:
    mean = VECTORS.pooled(WORDS, "mean")
    assert mean == pytest.approx([0.4, 0.725, 0.6, 0.475, 0.55])


def test_minimum_and_maximum_by_dimension() -> None:
    assert VECTORS.pooled(WORDS, "min") == pytest.approx([0.1, 0.4, 0.1, 0.3, 0.4])
    assert VECTORS.pooled(WORDS, "max") == pytest.approx([0.6, 0.9, 1.0, 0.8, 0.7])


def test_unknown_words_do_not_count() -> None:
    assert VECTORS.pooled(["used", "zzz"]) == pytest.approx(EXAMPLE[2])
    assert VECTORS.pooled(["zzz"]).tolist() == [0.0] * 5
    assert VECTORS.of([]).shape == (0, 5)


@pytest.mark.parametrize("pooling", ["mean", "min", "max"])
def test_several_texts_at_once_are_as_one_by_one(pooling: Pooling) -> None:
    texts = [["used"], [], ["zzz"], ["cosine", "similarity", "used", "vectors"], ["zzz"]]
    together = VECTORS.pooled_many(texts, pooling)
    assert together.tolist() == [VECTORS.pooled(text, pooling).tolist() for text in texts]
    assert together[0] == pytest.approx(EXAMPLE[2])
    assert not together[[1, 2, 4]].any()
    assert VECTORS.pooled_many([], pooling).shape == (0, 5)


def test_another_pooling_is_refused() -> None:
    with pytest.raises(ArgumentError, match="one of mean, min, max"):
        VECTORS.pooled(WORDS, "sum")  # type: ignore[arg-type]


def test_scorer_is_a_cosine_in_the_unit_interval() -> None:
    vectors = WordVectors(["bat", "fig", "car"], np.array([[1.0, 0], [1, 1], [-1, 0]]))
    scorer = EmbeddingScorer("bat", vectors, "mean")
    assert scorer.score_many(["Bat!", "fig", "car", "zzz", ""]) == pytest.approx(
        [1, 0.5**0.5, 0, 0, 0]
    )
    assert EmbeddingScorer("bat", vectors, stopwords=frozenset({"bat"})).score("bat") == 0


@pytest.mark.parametrize("as_one_text", [True, False])
def test_npz(tmp_path: Path, as_one_text: bool) -> None:
    path = tmp_path / "v.npz"
    words = np.array("\n".join(WORDS)) if as_one_text else np.array(WORDS)
    np.savez(path, words=words, vectors=EXAMPLE.astype(np.float16))
    read = WordVectors.read(path)
    assert list(read.rows) == WORDS
    assert read.pooled(["used"]) == pytest.approx(EXAMPLE[2], abs=1e-3)


@pytest.mark.parametrize("header", ["", "2 3\n"])
def test_text_formats(tmp_path: Path, header: str) -> None:
    path = tmp_path / "v.txt"
    path.write_text(f"{header}bat 0.1 -2 3e-1\nעטלף 1 2 3 \n", "utf-8")
    read = WordVectors.read(path)
    assert read.pooled(["bat"]) == pytest.approx([0.1, -2, 0.3])
    assert read.pooled(["עטלף"]) == pytest.approx([1, 2, 3])


def test_missing_broken_and_wrong_files_are_refused_in_one_line(tmp_path: Path) -> None:
    cases = {
        "ragged": b"bat 1 2\nfig 1\n",
        "words": b"bat one two\n",
        "empty": b"",
        "binary": b"\xff\xfe\x00bat",
        "nan": b"bat nan 1\n",
        "cut.npz": b"PK\x03\x04" + b"x" * 50,
    }
    for name, content in cases.items():
        (tmp_path / name).write_bytes(content)
    np.savez(tmp_path / "keys.npz", other=EXAMPLE)
    np.savez(tmp_path / "sizes.npz", words=np.array(["bat"]), vectors=EXAMPLE)
    for name in [*cases, "keys.npz", "sizes.npz", "absent"]:
        with pytest.raises(InputFileError) as caught:
            WordVectors.read(tmp_path / name)
        assert name in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_pickle_is_never_loaded(tmp_path: Path) -> None:
    path = tmp_path / "v.npz"
    np.savez(path, words=np.array(["bat", None], dtype=object), vectors=EXAMPLE[:2])
    with pytest.raises(InputFileError):
        WordVectors.read(path)
