from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from scrapy.settings import Settings

from taxocrawl.commands import _evaluate_crawl as command
from taxocrawl.exceptions import InputFileError
from taxocrawl.runs.folder import RunFolder

TRUTH = "url,label\nhttp://a.example/good,taxonomic\nhttp://a.example/missed,relevant\n"


def options(folder: Path, *more: str) -> argparse.Namespace:
    (folder / "truth.csv").write_text(TRUTH, encoding="utf-8")
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return parser.parse_args([str(folder / "run"), "--truth", str(folder / "truth.csv"), *more])


def a_run(folder: Path) -> None:
    run = RunFolder(folder / "run")
    run.create()
    for name, category in (
        ("good", "taxonomic"),
        ("missed", "non-taxonomic"),
        ("unlisted", "taxonomic"),
    ):
        url = f"http://a.example/{name}"
        fetch = {"url": url, "final_url": url, "status": 200, "kind": "pdf", "iteration": 0}
        run.append_fetch(fetch | {"category": category})


def test_the_table_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a_run(tmp_path)

    assert command.run(options(tmp_path), Settings()) == 0

    printed = capsys.readouterr().out
    assert "precision % before" in printed
    assert "borderline, left out: 0; not in the truth: 1" in printed
    assert "relevant URLs in the truth: 2" in printed


@pytest.mark.parametrize(("unlisted", "fp"), [("other", 1), ("leave-out", 0)])
def test_json_holds_the_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], unlisted: str, fp: int
) -> None:
    a_run(tmp_path)

    command.run(options(tmp_path, "--json", "--unlisted", unlisted), Settings())

    [row] = json.loads(capsys.readouterr().out)
    assert {name: row[name] for name in ("tp", "fp", "tn", "fn")} == {
        "tp": 1,
        "fp": fp,
        "tn": 0,
        "fn": 1,
    }
    assert row["relative_recall_after"] == 1.0


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"fetches\.csv: cannot be read"):
        command.run(options(tmp_path), Settings())
