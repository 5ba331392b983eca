from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from scrapy.settings import Settings

from taxocrawl import settings as project
from taxocrawl.commands.experiment import Command
from tests.evaluate.test_shorttext import folder

__all__ = ["folder"]


def run(*arguments: object) -> int:
    command = Command()
    command.settings = Settings({"STOPWORDS_DIR": str(project.STOPWORDS_DIR)})
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    options = parser.parse_args(["shorttext", *map(str, arguments)])
    command.run([], options)
    return command.exitcode


def test_tables_on_the_terminal_and_in_a_report(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.md"
    assert run("--corpus", folder, "--report", report, "--not-english", folder.name) == 0
    printed = capsys.readouterr().out
    assert "sy: similarities" in printed
    text = report.read_text("utf-8")
    assert text.startswith("# Diversified ranking of short texts")
    assert "2 queries, 10 candidates, plain ranking as they came." in text
    assert "### Against the plain ranking" in text
    assert str(tmp_path) not in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--report", "absent/report.md"], "the folder does not exist"),
        (["--vectors", "absent"], "absent: cannot be read"),
    ],
)
def test_wrong_arguments_cost_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run("--corpus", folder, *arguments) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1


def test_an_empty_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--corpus", tmp_path) == 2
    assert "expected a file candidates.jsonl" in capsys.readouterr().err
