from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from taxocrawl.exceptions import InputFileError, StorageError, TaxocrawlError
from taxocrawl.runs.folder import RunFolder


def test_runs_that_begin_at_once_have_folders_of_their_own(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(
            pool.map(lambda _: RunFolder.claim_below(tmp_path / "runs", "bats").path, range(20))
        )
    assert len(set(made)) == 20
    names = {"bats", *(f"bats-{number}" for number in range(2, 21))}
    assert {path.name for path in made} == names
    assert all(RunFolder(path).create() for path in made)


def test_of_runs_that_are_given_one_folder_at_once_one_gets_it(tmp_path: Path) -> None:
    def create(_: int) -> TaxocrawlError | None:
        try:
            RunFolder(tmp_path / "mine").create()
        except TaxocrawlError as error:
            return error
        return None

    for number in range(20):
        with ThreadPoolExecutor(8) as pool:
            told = list(pool.map(create, range(8)))
        refused = [error for error in told if error is not None]
        assert len(refused) == (7 if number == 0 else 8)
        assert all(isinstance(error, InputFileError) for error in refused)
        assert "run.json" in str(refused[0])


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StorageError, match="file/bats: cannot be made the run's folder"):
        RunFolder.claim_below(tmp_path / "file", "bats")
