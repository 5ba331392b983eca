"""Fine-tuning a sentence model on labelled pairs of texts (METU 5.4.3), an optional extra."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, NamedTuple

from taxocrawl.exceptions import ArgumentError, InputFileError, ModelError
from taxocrawl.score.sentences import load_model
from taxocrawl.text.files import read_entries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_WHAT = "pairs, label<TAB>text<TAB>text a line"


class Pair(NamedTuple):
    """Two texts and how alike they are, in [0, 1]."""

    label: float
    first: str
    second: str


def read_pairs(path: Path) -> list[Pair]:
    """Pairs from ``label<TAB>text<TAB>text`` lines with labels in [0, 1].

    Raises InputFileError for a line of another form and for fewer than two pairs.
    """
    pairs = []
    for line in read_entries(path, _WHAT):
        fields = line.split("\t")
        try:
            label = float(fields[0])
        except ValueError:
            label = -1.0
        if len(fields) != 3 or not 0 <= label <= 1 or not all(map(str.strip, fields)):
            raise InputFileError(
                f"{path}: expected label<TAB>text<TAB>text with a label in [0, 1], got {line!r:.60}"
            )
        pairs.append(Pair(label, fields[1].strip(), fields[2].strip()))
    if len(pairs) < 2:
        raise InputFileError(f"{path}: expected at least two pairs, got {len(pairs)}")
    return pairs


def finetune(
    folder: Path,
    pairs: Sequence[Pair],
    out: Path,
    *,
    epochs: int = 1,
    batch: int = 16,
    rate: float = 2e-5,
    seed: int = 0,
) -> list[float]:
    """Train a model so that the cosine of two texts comes near their label; store it in `out`.

    Mean squared error, AdamW, on the CPU. Returns the mean loss of each epoch. Raises ModelError
    when sentence-transformers is not installed or `folder` holds no model, ArgumentError for
    numbers out of range.

    Args:
        epochs: passes over the pairs, from 1.
        batch: pairs a step, from 1.
        rate: learning rate, above 0.
        seed: of the order of the pairs and of what the model drops at random.
    """
    if epochs < 1 or batch < 1 or not 0 < rate < 1:
        raise ArgumentError(
            "fine-tuning needs at least 1 epoch and 1 pair a batch, and a rate in (0, 1), not "
            f"{epochs}, {batch}, {rate}"
        )
    model = load_model(folder)
    import torch

    torch.manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
    model.train()
    order, losses = random.Random(seed), []
    for _ in range(epochs):
        steps = [_step(model, optimizer, part) for part in _batches(pairs, batch, order)]
        losses.append(sum(steps) / len(steps))
    model.eval()
    try:
        model.save(str(out))
    except OSError as error:
        raise ModelError(f"{out}: cannot be written: {error.strerror or error}") from error
    return losses


def _batches(pairs: Sequence[Pair], size: int, order: random.Random) -> Iterator[Sequence[Pair]]:
    shuffled = list(pairs)
    order.shuffle(shuffled)
    for start in range(0, len(shuffled), size):
        yield shuffled[start : start + size]


def _step(model: Any, optimizer: Any, pairs: Sequence[Pair]) -> float:
    import torch

    sides = ([pair.first for pair in pairs], [pair.second for pair in pairs])
    one, two = (model(model.tokenize(texts))["sentence_embedding"] for texts in sides)
    labels = torch.tensor([pair.label for pair in pairs])
    loss = torch.nn.functional.mse_loss(torch.cosine_similarity(one, two), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss.detach())
