"""Sentence embeddings by a BERT model in ONNX form: all-MiniLM-L6-v2 without torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from taxocrawl.exceptions import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"
_MOST_TOKENS = 256
"""What all-MiniLM-L6-v2 reads of a text; the rest is cut off."""
_BATCH_TOKENS = 512
"""Padding included; more is no faster on one core."""
_MOST_PADDING = 1 / 8
"""By how much of its length the shortest text of a batch is padded: the model computes padding like
any other token, and short texts would mostly be padding beside longer ones."""


class OnnxEncoder:
    """Turns each text into one vector of length 1: the mean of its tokens' last hidden states.

    Args:
        session: with the method `run` of an onnxruntime session.
        tokenizer: with the method `encode_batch` of a `tokenizers.Tokenizer`, without padding.
    """

    def __init__(self, session: Any, tokenizer: Any) -> None:
        self._session, self._tokenizer = session, tokenizer

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of shape (texts, dimensions), texts of like lengths in one call of the model."""
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch(clean)]
        vectors: list[NDArray[np.float32] | None] = [None] * len(ids)
        for rows in _batches([len(tokens) for tokens in ids]):
            for row, vector in zip(rows, self._run([ids[row] for row in rows]), strict=True):
                vectors[row] = vector
        return np.array(vectors, dtype=np.float32)

    def _run(self, ids: list[list[int]]) -> NDArray[np.float32]:
        shape = (len(ids), max(map(len, ids)))
        tokens, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        for row, text in enumerate(ids):
            tokens[row, : len(text)] = text
            mask[row, : len(text)] = 1
        inputs = {
            "input_ids": tokens,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(tokens),
        }
        states = self._session.run(["last_hidden_state"], inputs)[0]
        sums = (states * mask[:, :, np.newaxis]).sum(axis=1)
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        return np.asarray(sums / np.where(norms == 0, 1, norms), dtype=np.float32)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Load the model and tokenizer of a folder; raises ModelError.

        One thread, so that equal texts have equal vectors on every machine of a kind, and a core
        is left to the crawl.
        """
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise ModelError(
                f"sentence embeddings need {error.name}, which is not installed: "
                "pip install taxocrawl[embeddings]"
            ) from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
            session = onnxruntime.InferenceSession(
                str(folder / MODEL_FILE), options, providers=["CPUExecutionProvider"]
            )
        # Both libraries raise classes of their own that derive from nothing narrower.
        except Exception as error:
            line = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
            raise ModelError(f"{folder}: cannot be loaded as a sentence model: {line}") from error
        tokenizer.enable_truncation(_MOST_TOKENS)
        tokenizer.no_padding()
        return cls(session, tokenizer)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Rows of like lengths, shortest first, within `_BATCH_TOKENS` and `_MOST_PADDING`."""
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda row: lengths[row]):
        length = lengths[row]
        if batch and (
            length * (len(batch) + 1) > _BATCH_TOKENS
            or length > lengths[batch[0]] * (1 + _MOST_PADDING)
        ):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch
