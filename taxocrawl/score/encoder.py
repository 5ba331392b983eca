"""What turns texts into sentence embeddings, and remembers those it made (METU 3.1.4.2)."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.exceptions import InputFileError
from taxocrawl.score.onnx import MODEL_FILE, OnnxEncoder
from taxocrawl.score.sentences import MODULES_FILE, SentenceEncoder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Encoder = Callable[[Sequence[str]], NDArray[np.float32]]

_REMEMBERED = 30_000
"""Vectors of 384 numbers: 46 MB."""


class CachedEncoder:
    """Encodes a text once, by the hash of its characters, and several texts in one call.

    Args:
        encoder: one vector of length 1 for each text.
        size: vectors kept, from 1; the least recently used one goes first.
    """

    def __init__(self, encoder: Encoder, size: int = _REMEMBERED) -> None:
        self._encoder, self._size = encoder, size
        self._vectors: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of shape (texts, dimensions); (0, 0) for no texts."""
        keys = [_key(text) for text in texts]
        missing = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._vectors
        }
        fresh: dict[bytes, NDArray[np.float32]] = {}
        if missing:
            made = self._encoder(list(missing.values()))
            fresh = dict(zip(missing, made, strict=True))
        rows = [fresh[key] if key in fresh else self._kept(key) for key in keys]
        self._vectors.update(fresh)
        while len(self._vectors) > self._size:
            self._vectors.popitem(last=False)
        return np.vstack(rows) if rows else np.zeros((0, 0), dtype=np.float32)

    def _kept(self, key: bytes) -> NDArray[np.float32]:
        self._vectors.move_to_end(key)
        return self._vectors[key]


@lru_cache(maxsize=2)
def load_encoder(folder: Path) -> CachedEncoder:
    """The model of a folder, shared by all who ask for it; nothing is downloaded.

    A folder with an ONNX model is run without torch (extra ``embeddings``), one of
    sentence-transformers with it (extra ``sbert``). Raises InputFileError when the folder holds
    neither, ModelError when a library is missing or the model is broken.
    """
    if (folder / MODEL_FILE).is_file():
        return CachedEncoder(OnnxEncoder.load(folder))
    if (folder / MODULES_FILE).is_file():
        return CachedEncoder(SentenceEncoder.load(folder))
    raise InputFileError(
        f"{folder}: expected a folder with a sentence model ({MODEL_FILE} or {MODULES_FILE}); "
        "make it with `scrapy resources minilm`"
    )


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
