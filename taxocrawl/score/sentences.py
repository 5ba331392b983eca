"""Sentence embeddings by a model of sentence-transformers (METU 3.1.4.2), an optional extra."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from taxocrawl.exceptions import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

MODULES_FILE = "modules.json"


class SentenceEncoder:
    """Turns each text into one vector of length 1.

    Args:
        model: with the method `encode` of a SentenceTransformer.
    """

    def __init__(self, model: Any) -> None:
        self._model = model

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of shape (texts, dimensions)."""
        vectors = self._model.encode(
            list(texts), normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(vectors, dtype=np.float32)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Load a model from its folder; nothing is downloaded.

        Raises ModelError when sentence-transformers is not installed or the folder holds no model.
        """
        return cls(load_model(folder))


def load_model(folder: Path) -> Any:
    """The SentenceTransformer of a folder, on the CPU; see `SentenceEncoder.load`."""
    if not (folder / MODULES_FILE).is_file():
        raise ModelError(f"{folder}: expected the folder of a sentence-transformers model")
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise ModelError(
            "sentence embeddings need sentence-transformers, which is not installed: "
            "pip install taxocrawl[sbert]"
        ) from error
    try:
        return SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    except (OSError, ValueError) as error:
        line = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ModelError(f"{folder}: cannot be loaded as a sentence model: {line}") from error
