"""What classifiers have in common that are wholly described by the fields of one model.json."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

from taxocrawl.classify.margin_classifier import MarginClassifier
from taxocrawl.classify.model_folder import (
    MODEL_ERRORS,
    model_hash,
    read_model,
    refuse,
    write_model,
)

if TYPE_CHECKING:
    from pathlib import Path


class StoredClassifier(MarginClassifier):
    """Saves and loads what `_state` gives and `_from_state` takes."""

    algorithm: ClassVar[str]

    def save(self, folder: Path, card: str | None = None) -> None:
        """Write the model folder; `card` is the text of its MODEL.md. Raises StorageError."""
        write_model(folder, self._state(), card=card)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Raises ModelError for a missing, broken or other-version model."""
        model = read_model(folder)
        try:
            if model["algorithm"] != cls.algorithm:
                raise ValueError(f"expected a {cls.algorithm} model, found {model['algorithm']}")
            return cls._from_state(model, f"{folder.name} {str(model['sha256'])[:8]}")
        except MODEL_ERRORS as error:
            refuse(folder, error)

    @property
    def sha256(self) -> str:
        """Hash of what the classifier decides by."""
        return model_hash(self._state())

    @abstractmethod
    def _state(self) -> dict[str, object]:
        """The fields of model.json, ``algorithm`` among them."""

    @classmethod
    @abstractmethod
    def _from_state(cls, model: dict[str, Any], name: str) -> Self:
        """The classifier of such fields; raises one of MODEL_ERRORS for damaged ones."""
