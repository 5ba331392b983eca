"""What every page classifier promises."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, Self

from taxocrawl.items import Category, Decision


class Classifier(Protocol):
    """Decides whether a document's text is taxonomic.

    The input is always the text made by `taxocrawl.classify.text_of(document)`.
    """

    name: str

    def fit(self, texts: Sequence[str], labels: Sequence[Category]) -> Self:
        """Learn from texts and their labels.

        Raises TrainingError for an empty or one-category training set.
        """

    def decide(self, text: str) -> Decision:
        """Classify one text; an empty text is non-taxonomic with confidence 0.5."""

    def decide_many(self, texts: Sequence[str]) -> list[Decision]: ...

    def save(self, folder: Path) -> None:
        """Write the model in open formats (JSON, libsvm text); replaces the folder atomically."""

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Raises ModelError for a missing, broken or other-version model."""
