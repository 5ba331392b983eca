from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from taxocrawl.exceptions import ArgumentError, InputFileError, ModelError
from taxocrawl.score.encoder import CachedEncoder, load_encoder
from taxocrawl.score.onnx import OnnxEncoder
from taxocrawl.score.sbert import SentenceScorer


class Spy:
    """Encodes a text as (its length, 1) and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        self.asked.append(list(texts))
        return np.array([[float(len(text)), 1.0] for text in texts], dtype=np.float32)


def test_no_text_is_encoded_twice() -> None:
    spy = Spy()
    encoder = CachedEncoder(spy)
    assert encoder(["a", "bb", "a"])[:, 0].tolist() == [1, 2, 1]
    assert encoder(["bb", "ccc"])[:, 0].tolist() == [2, 3]
    assert spy.asked == [["a", "bb"], ["ccc"]]
    assert encoder([]).shape == (0, 0)


def test_the_least_recently_used_vector_goes_first() -> None:
    spy = Spy()
    encoder = CachedEncoder(spy, size=2)
    for texts in (["a"], ["bb"], ["a"], ["ccc"], ["a"], ["bb"]):
        encoder(texts)
    assert spy.asked == [["a"], ["bb"], ["ccc"], ["bb"]]
    assert encoder(["a", "bb", "ccc", "dddd"])[:, 0].tolist() == [1, 2, 3, 4]


class Model:
    """Stands for session and tokenizer: a token's hidden state is (its number, 1)."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []

    def encode_batch(self, texts: list[str]) -> list[object]:
        return [type("Encoding", (), {"ids": list(map(len, text.split()))}) for text in texts]

    def run(self, names: list[str], inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        self.shapes.append(inputs["input_ids"].shape)
        ids = inputs["input_ids"].astype(np.float32)
        return [np.stack([ids, np.ones_like(ids)], axis=2)]


def test_mean_of_the_tokens_without_padding_by_hand() -> None:
    """Tokens 1 and 3: mean (2, 1), length 1 as (2, 1) / sqrt 5; token 1: (1, 1) / sqrt 2."""
    model = Model()
    vectors = OnnxEncoder(model, model)(["a bbb", "a"])
    assert vectors[0] == pytest.approx(np.array([2, 1]) / 5**0.5)
    assert vectors[1] == pytest.approx(np.array([1, 1]) / 2**0.5)


def test_a_batch_holds_texts_of_like_lengths() -> None:
    """100 single words are one batch, of two texts of 300 words each makes its own."""
    model = Model()
    OnnxEncoder(model, model)(["a " * 300, *["a"] * 100, "a " * 300])
    assert model.shapes == [(100, 1), (1, 300), (1, 300)]


def test_the_shortest_text_of_a_batch_is_padded_by_an_eighth_at_most() -> None:
    model = Model()
    OnnxEncoder(model, model)(["a " * 10, "a " * 8, "a " * 9])
    assert model.shapes == [(2, 9), (1, 10)]


def test_chunks_are_pooled_by_hand() -> None:
    """Chunks "aa bb" and "cc" have the vectors (5, 1) and (2, 1); mean (3.5, 1), topic (1, 1)."""
    scorer = SentenceScorer("x", Spy(), chunk_words=2)
    expected = 4.5 / (3.5**2 + 1) ** 0.5
    # The spy's vectors are not of length 1, so that the cosine is cut to 1.
    assert scorer.score("aa bb cc") == min(1.0, expected)
    assert scorer.chunks("aa bb cc dd ee") == ["aa bb", "cc dd", "ee"]
    assert SentenceScorer("x", Spy(), chunk_words=2, max_chunks=2).chunks("a b c d e") == [
        "a b",
        "c d",
    ]
    assert scorer.chunks("... !!") == []
    assert len(scorer.chunks("a" * 10_000)[0]) == 40


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(ArgumentError, match="pooling"):
        SentenceScorer("x", Spy(), "sum")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="chunks of 0 words"):
        SentenceScorer("x", Spy(), chunk_words=0)


def test_what_to_make_or_install_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputFileError, match="scrapy resources minilm"):
        load_encoder(tmp_path / "absent")
    (tmp_path / "model.onnx").write_bytes(b"x")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ModelError, match=r"pip install taxocrawl\[embeddings\]"):
        load_encoder(tmp_path)


def test_a_broken_model_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra `embeddings` is not installed")
    (tmp_path / "model.onnx").write_bytes(b"x")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match="cannot be loaded as a sentence model") as caught:
        load_encoder(tmp_path)
    assert "\n" not in str(caught.value)
