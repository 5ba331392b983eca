from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from scrapy.settings import Settings

from taxocrawl.commands import _experiment_linkweb as linkweb
from taxocrawl.commands._linkweb import truth_file
from taxocrawl.commands._linkweb_results import Results
from taxocrawl.commands.experiment import Command
from taxocrawl.evaluate.linkweb import OrderFigures
from taxocrawl.exceptions import ArgumentError, InputFileError

FIGURES = OrderFigures(0.5, 0.25, 0.125)


def run(*arguments: object) -> int:
    command = Command()
    command.settings = Settings()
    command.settings.setmodule("taxocrawl.settings")
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    command.run([], parser.parse_args(["linkweb", *map(str, arguments)]))
    return command.exitcode


@pytest.fixture
def topics(tmp_path: Path) -> Path:
    path = tmp_path / "topics.json"
    topic = {"category": "A.Bats", "query": "bats", "goldstandard": "fruit bats fly"}
    path.write_text(json.dumps([topic]))
    return path


def test_finished_cells_are_not_run_again(
    tmp_path: Path,
    topics: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With all cells kept, nothing is served, searched or crawled but the server's start."""
    from contextlib import nullcontext

    monkeypatch.setattr(linkweb, "served", lambda options: nullcontext())
    out = tmp_path / "out"
    out.mkdir()
    key = "crawl tfidf-best-first-a-bats pages=300 seeds=5 batch=20"
    Results(out / "results.jsonl").add(key, FIGURES)
    given = ("--web", "x.py", "--topics", topics, "--out", out, "--scorers", "tfidf")
    assert run(*given) == 0
    assert "0.500 / 0.250 / 0.125" in capsys.readouterr().out
    assert "| tfidf | best-first | 0.500 | 0.250 | 0.125 |" in (out / "linkweb.md").read_text()


def test_wrong_arguments_are_one_line(
    tmp_path: Path, topics: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ("--web", "x.py", "--out", tmp_path / "out", "--topics")
    assert run(*given, topics, "--scorers", "no such") == 2
    assert "--scorers no such: expected some of breadth-first; " in capsys.readouterr().err
    assert run(*given, topics, "--policies", "worst") == 2
    assert "--policies worst: expected some of best-first; " in capsys.readouterr().err
    topics.write_text("{}")
    topics.write_text('[{"category": "x"}]')
    assert run(*given, topics) == 2
    assert "expected a JSON list of objects with category, query" in capsys.readouterr().err


def test_results_outlive_a_cut_line_but_no_other_file(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    Results(path).add("one", FIGURES)
    whole = path.read_text()
    path.write_text(whole + whole[:20])
    assert Results(path).get("one") == FIGURES
    assert path.read_text() == whole
    assert Results(path).get("two") is None
    path.write_text("x\n" + whole)
    with pytest.raises(InputFileError, match="line 1: expected a cell"):
        Results(path)


def test_every_way_has_results_of_its_own() -> None:
    ways = [linkweb.Way(s, p) for s in linkweb.VARIANTS for p in linkweb.POLICIES]
    assert len({way.slug for way in ways}) == len(ways)


def test_truth_of_a_web_at_another_port_is_refused(tmp_path: Path) -> None:
    (tmp_path / "A.csv").write_text("url,label\nhttp://127.0.1.1:8947/a,true\n")
    options = argparse.Namespace(out=tmp_path, port=8947, web=Path("x.py"))
    assert truth_file("A", options) == tmp_path / "A.csv"
    options.port = 8765
    with pytest.raises(ArgumentError, match="lists pages at port 8947: give --port 8947, or"):
        truth_file("A", options)
