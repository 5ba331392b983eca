"""What every page classifier promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from taxocrawl.items import Category, Decision


class Classifier(Protocol):
    """Decides whether a document's text is taxonomic.

    The input is always the text made by `taxocrawl.classify.text_of(document)`.
    """

    name: str

    def fit(
        self,
        texts: Sequence[str],
        labels: Sequence[Category],
        groups: Sequence[str] | None = None,
    ) -> Self:
        """Learn from texts and their labels; texts of one group (article) are held out together.

        Raises TrainingError for an empty or one-category training set.
        """

    def decide(self, text: str) -> Decision:
        """Classify one text; an empty text is non-taxonomic with confidence 0.5."""

    def decide_many(self, texts: Sequence[str]) -> list[Decision]: ...

    def save(self, folder: Path, card: str | None = None) -> None:
        """Write the model in open formats (JSON, libsvm text), and `card` as its MODEL.md.

        Whoever reads meanwhile finds the old model or the new one.
        """

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Raises ModelError for a missing, broken or other-version model."""
