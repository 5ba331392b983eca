from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from taxocrawl.exceptions import ModelError
from taxocrawl.score.sentences import SentenceEncoder


class FakeModel:
    """Stands for a SentenceTransformer: the length of each text as its vector."""

    def encode(self, texts: list[str], **options: object) -> np.ndarray:
        assert options["normalize_embeddings"]
        return np.array([[float(len(text)), 1.0] for text in texts])


def test_one_vector_a_text() -> None:
    vectors = SentenceEncoder(FakeModel())(("bat", "bats"))
    assert vectors.dtype == np.float32
    assert vectors[:, 0].tolist() == [3, 4]


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="expected the folder of a sentence-transformers model"):
        SentenceEncoder.load(tmp_path)


def test_what_to_install_is_said_or_the_broken_model_named(tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text("[")
    with pytest.raises(ModelError) as caught:
        SentenceEncoder.load(tmp_path)
    installed = importlib.util.find_spec("sentence_transformers") is not None
    expected = str(tmp_path) if installed else "pip install taxocrawl[sbert]"
    assert expected in str(caught.value)
