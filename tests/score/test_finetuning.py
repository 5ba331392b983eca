from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from taxocrawl.commands.finetune import Command
from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.score.finetuning import Pair, finetune, read_pairs

PAIRS = "# label\n1\ta bat\tone bat\n0.25\tfigs \tcars\n"


def run(*arguments: object) -> int:
    command = Command()
    command.settings = Settings()
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    options, rest = parser.parse_known_args([str(argument) for argument in arguments])
    command.run(rest, options)
    return command.exitcode


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS)
    return path


def test_pairs(pairs: Path) -> None:
    assert read_pairs(pairs) == [Pair(1.0, "a bat", "one bat"), Pair(0.25, "figs", "cars")]


@pytest.mark.parametrize("line", ["1\ta", "2\ta\tb", "x\ta\tb", "1\ta\t b\tc", "nan\ta\tb"])
def test_wrong_lines_are_refused(pairs: Path, line: str) -> None:
    pairs.write_text(PAIRS + line)
    with pytest.raises(InputFileError, match=r"with a label in \[0, 1\], got"):
        read_pairs(pairs)


def test_one_pair_is_too_few(pairs: Path) -> None:
    pairs.write_text("1\ta\tb\n")
    with pytest.raises(InputFileError, match="at least two pairs, got 1"):
        read_pairs(pairs)


@pytest.mark.parametrize("numbers", [{"epochs": 0}, {"batch": 0}, {"rate": 0.0}, {"rate": 5.0}])
def test_numbers_out_of_range_are_refused(tmp_path: Path, numbers: dict[str, float]) -> None:
    with pytest.raises(ArgumentError, match="fine-tuning needs"):
        finetune(tmp_path, [], tmp_path, **numbers)  # type: ignore[arg-type]


def test_a_folder_without_a_model_and_what_to_install(
    pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ("--sentence-model", tmp_path, "--out", tmp_path / "out")
    assert run(pairs, *given) == 2
    assert "expected the folder of a sentence-transformers model" in capsys.readouterr().err
    (tmp_path / "modules.json").write_text("[")
    assert run(pairs, *given) == 2
    installed = importlib.util.find_spec("sentence_transformers") is not None
    expected = str(tmp_path) if installed else "pip install taxocrawl[sbert]"
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_pairs_are_expected(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        run("--sentence-model", tmp_path, "--out", tmp_path)
