from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from taxocrawl.classify import Rocchio, Svm, load_classifier
from taxocrawl.classify.features import FEATURE_VERSION
from taxocrawl.classify.model_folder import model_hash
from taxocrawl.exceptions import ModelError, StorageError
from tests.classify.corpus import LABELS, TEXTS


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    Rocchio("best").fit(TEXTS, LABELS).save(folder / "rocchio")
    Svm("best", costs=(1.0,)).fit(TEXTS, LABELS).save(folder / "svm")
    return folder


@pytest.fixture
def folder(saved: Path, tmp_path: Path) -> Path:
    shutil.copytree(saved, tmp_path / "models")
    return tmp_path / "models"


def changed(path: Path, *, rehash: bool = True, **fields: object) -> None:
    model = json.loads(path.read_text())
    model.update(fields)
    if rehash:
        model.pop("sha256")
        model["sha256"] = model_hash(model)
    path.write_text(json.dumps(model))


def refused(folder: Path, message: str) -> None:
    with pytest.raises(ModelError, match=message) as error:
        load_classifier(folder)
    assert str(folder) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_folder_and_one_without_a_model(tmp_path: Path) -> None:
    refused(tmp_path / "none", "cannot be read")
    refused(tmp_path, "model.json cannot be read")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\x00"])
def test_a_model_that_is_no_json_object(folder: Path, text: str) -> None:
    (folder / "rocchio" / "model.json").write_text(text)
    refused(folder / "rocchio", "JSON|does not hold")


def test_a_model_of_another_feature_version(folder: Path) -> None:
    changed(folder / "svm" / "model.json", feature_version=FEATURE_VERSION + 1)
    refused(folder / "svm", f"feature version {FEATURE_VERSION + 1}.*train it again")


def test_a_changed_number_is_noticed(folder: Path) -> None:
    changed(folder / "rocchio" / "model.json", rehash=False, threshold=0.7)
    refused(folder / "rocchio", "hash does not match")


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("rocchio", {"algorithm": "forest"}),
        ("rocchio", {"algorithm": None}),
        ("rocchio", {"prototypes": {}}),
        ("rocchio", {"prototypes": {"taxonomic": {"a": "x"}, "non-taxonomic": {}}}),
        ("rocchio", {"vectors": {"name": "best"}}),
        ("rocchio", {"slope": None}),
        ("rocchio", {"card": 5}),
        ("svm", {"machine": None}),
        ("svm", {"machine": {"file": "../svm/none.txt", "sha256": ""}}),
        ("svm", {"kernel": {"name": "poly", "cost": 1, "gamma": 1}}),
        ("svm", {"kernel": {"name": "rbf", "cost": 1, "gamma": 1}}),
        ("svm", {"scale": {"lower": {}}}),
        ("svm", {"slope": "steep"}),
    ],
)
def test_a_model_with_a_damaged_field(folder: Path, name: str, fields: dict[str, object]) -> None:
    changed(folder / name / "model.json", **fields)
    refused(folder / name, "damaged|expected|names no|cannot be read")


def test_libsvms_file_missing_changed_or_binary(folder: Path) -> None:
    machine = next((folder / "svm").glob("svm-*.txt"))
    text = machine.read_text()
    machine.write_text(text.replace("rho ", "rho 1"))
    refused(folder / "svm", "hash does not match")
    machine.write_bytes(b"\xff\xfe\x00")
    refused(folder / "svm", "not UTF-8")
    machine.unlink()
    refused(folder / "svm", "cannot be read")


def test_saving_replaces_the_model_and_leaves_nothing_of_the_old_one(folder: Path) -> None:
    before = {path.name for path in (folder / "svm").iterdir()}
    other = Svm("document", costs=(8.0,), folds=2).fit(TEXTS[2:], LABELS[2:])
    other.save(folder / "svm")
    after = {path.name for path in (folder / "svm").iterdir()}
    assert len(after) == 2
    assert after & before == {"model.json"}
    assert load_classifier(folder / "svm").sha256 == other.sha256
    Rocchio("best").fit(TEXTS, LABELS).save(folder / "svm")
    assert {path.name for path in (folder / "svm").iterdir()} == {"model.json"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_an_error_of_storage(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StorageError, match="cannot be written"):
        Rocchio("best").fit(TEXTS, LABELS).save(tmp_path / "model")


def test_a_file_in_the_folders_place_is_an_error_of_storage(tmp_path: Path) -> None:
    (tmp_path / "model").write_text("in the way")
    with pytest.raises(StorageError, match="cannot be written"):
        Rocchio("best").fit(TEXTS, LABELS).save(tmp_path / "model")
    assert (tmp_path / "model").read_text() == "in the way"
