"""A trained model on disk: model.json, and for an SVM libsvm's own text beside it. No pickle."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from taxocrawl.classify.features import FEATURE_VERSION
from taxocrawl.exceptions import ModelError, StorageError

if TYPE_CHECKING:
    from collections.abc import Mapping

MODEL_FILE = "model.json"
CARD_FILE = "MODEL.md"
MAX_BYTES = 20_000_000
"""A model file above this size is not one of ours."""
MODEL_ERRORS = (KeyError, TypeError, ValueError, AttributeError, IndexError)
"""What reading a damaged model's fields may raise."""


def model_hash(model: Mapping[str, object]) -> str:
    """SHA-256 of what a model decides by: everything but its card."""
    decisive = {name: value for name, value in model.items() if name != "card"}
    return hashlib.sha256(_json(decisive).encode()).hexdigest()


def write_model(
    folder: Path,
    model: Mapping[str, object],
    *,
    machine: str | None = None,
    card: str | None = None,
) -> None:
    """Write a model folder so that a reader finds the old model or the new one, never a mixture.

    `machine` is libsvm's text; its file bears its hash in its name and is written first, model.json
    (which names it) takes effect at once, and what it no longer names is removed last. `card` is
    the text of MODEL.md. Raises StorageError where the folder cannot be written.
    """
    stored = {"feature_version": FEATURE_VERSION, **model}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if machine is not None:
            digest = hashlib.sha256(machine.encode()).hexdigest()
            stored["machine"] = {"file": f"svm-{digest[:12]}.txt", "sha256": digest}
            _replace(folder / f"svm-{digest[:12]}.txt", machine)
        stored["sha256"] = model_hash(stored)
        _replace(folder / MODEL_FILE, _json(stored) + "\n")
        if card is not None:
            _replace(folder / CARD_FILE, card)
        kept = stored.get("machine")
        for path in folder.glob("svm-*.txt"):
            if not (isinstance(kept, dict) and path.name == kept["file"]):
                path.unlink()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise StorageError(f"model folder {folder}: cannot be written ({reason})") from error


def read_model(folder: Path) -> dict[str, object]:
    """The checked content of a folder's model.json.

    Raises ModelError for a folder without one, for damage, and for another feature version.
    """
    text = _text(folder, MODEL_FILE)
    try:
        model = json.loads(text)
    except ValueError as error:
        raise ModelError(f"model {folder}: {MODEL_FILE} is not JSON ({error})") from error
    if not isinstance(model, dict):
        raise ModelError(f"model {folder}: {MODEL_FILE} does not hold a model")
    version = model.get("feature_version")
    if version != FEATURE_VERSION:
        raise ModelError(
            f"model {folder}: made with feature version {version}, this program has "
            f"{FEATURE_VERSION}; train it again"
        )
    stated = model.pop("sha256", None)
    if stated != model_hash(model):
        raise ModelError(f"model {folder}: {MODEL_FILE} is damaged (its hash does not match)")
    model["sha256"] = stated
    return model


def read_machine(folder: Path, model: Mapping[str, object]) -> str:
    """libsvm's text of a model. Raises ModelError where it is missing or another one."""
    stated = model.get("machine")
    if not isinstance(stated, dict) or not isinstance(stated.get("file"), str):
        raise ModelError(f"model {folder}: {MODEL_FILE} names no libsvm model")
    name = Path(stated["file"]).name
    text = _text(folder, name)
    if hashlib.sha256(text.encode()).hexdigest() != stated.get("sha256"):
        raise ModelError(f"model {folder}: {name} is damaged (its hash does not match)")
    return text


def refuse(folder: Path, error: Exception) -> NoReturn:
    """Raise the ModelError that a damaged field of a model amounts to."""
    detail = f"no {error}" if isinstance(error, KeyError) else str(error)
    raise ModelError(f"model {folder}: {MODEL_FILE} is damaged ({detail})") from error


def _text(folder: Path, name: str) -> str:
    path = folder / name
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ModelError(f"model {folder}: {name} is larger than {MAX_BYTES} bytes")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ModelError(f"model {folder}: {name} cannot be read ({reason})") from error
    except UnicodeDecodeError as error:
        raise ModelError(f"model {folder}: {name} is not UTF-8 text") from error


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False)


def _replace(path: Path, text: str) -> None:
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)
