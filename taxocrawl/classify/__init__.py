"""Page classifiers: Rocchio and SVM (KU 3.2), random forest (METU 4.2.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taxocrawl.classify.forest import Forest
from taxocrawl.classify.model_folder import read_model
from taxocrawl.classify.rocchio import Rocchio
from taxocrawl.classify.svm import Svm
from taxocrawl.exceptions import ModelError

if TYPE_CHECKING:
    from pathlib import Path

    from taxocrawl.items import Document

ALGORITHMS: dict[str, type[Rocchio | Svm]] = {"rocchio": Rocchio, "svm": Svm}
"""The KU document's classifiers by the name that models and commands use."""
_READABLE: dict[str, type[Rocchio | Svm | Forest]] = {**ALGORITHMS, "forest": Forest}

__all__ = ["ALGORITHMS", "Forest", "Rocchio", "Svm", "load_classifier", "text_of"]


def text_of(document: Document) -> str:
    """What a classifier reads of a document: title and text, each on lines of its own."""
    return "\n".join(part for part in (document.title, document.text) if part)


def load_classifier(folder: Path) -> Rocchio | Svm | Forest:
    """The classifier of a model folder, whichever algorithm it is of.

    Raises ModelError for a missing, broken or other-version model.
    """
    algorithm = read_model(folder).get("algorithm")
    kind = _READABLE.get(algorithm) if isinstance(algorithm, str) else None
    if kind is None:
        known = ", ".join(_READABLE)
        raise ModelError(f"model {folder}: expected an algorithm of {known}, found {algorithm!r}")
    return kind.load(folder)
