from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from taxocrawl import settings
from taxocrawl.exceptions import InputFileError
from taxocrawl.shipped import own_path, shipped_path

ROOT = Path(__file__).parents[1]


def test_the_folders_of_the_source_tree() -> None:
    assert shipped_path("models") == ROOT / "models" == settings.MODELS_DIR
    assert shipped_path("stopwords") == ROOT / "stopwords"
    assert shipped_path("queries/data/generic_terms.txt").is_file()
    assert own_path("resources") == ROOT / "resources" == settings.RESOURCES_DIR


def test_a_name_that_is_nowhere() -> None:
    with pytest.raises(InputFileError, match="no-such-folder: not among the files"):
        shipped_path("no-such-folder")


def test_what_is_in_a_zip_file_is_unpacked_for_the_process_alone(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "taxocrawl.egg", "w") as egg:
        for name in ("__init__.py", "exceptions.py", "shipped.py"):
            egg.write(ROOT / "taxocrawl" / name, f"taxocrawl/{name}")
        egg.writestr("taxocrawl/models/bats/model.json", "{}")
        egg.writestr("taxocrawl/models/MODEL.md", "one")
    code = """
from taxocrawl.shipped import own_path, shipped_path
assert str(own_path("resources")) == "resources"
folder = shipped_path("models")
assert shipped_path("models") is folder
assert (folder / "bats" / "model.json").read_text() == "{}"
assert shipped_path("models/MODEL.md").read_text() == "one"
print(folder)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "taxocrawl.egg"), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    unpacked = Path(done.stdout.strip())
    assert tmp_path in unpacked.parents
    assert not unpacked.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["taxocrawl.egg"]
