"""`scrapy rerank`: JSON Lines and TREC in and out."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from taxocrawl import settings as project
from taxocrawl.commands.rerank import Command
from taxocrawl.rerank import live
from taxocrawl.seeds.base import Answer, Fetch

TEXTS = ["new fruit bat", "new fruit bat!", "bat caves", "figs and bats"]


def run(*arguments: object) -> int:
    command = Command()
    command.settings = Settings(
        {"STOPWORDS_DIR": str(project.STOPWORDS_DIR), "USER_AGENT": "taxocrawl tests"}
    )
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    options, rest = parser.parse_known_args([str(argument) for argument in arguments])
    command.run(rest, options)
    return command.exitcode


@pytest.fixture
def posts(tmp_path: Path) -> Path:
    path = tmp_path / "posts.jsonl"
    lines = (json.dumps({"qid": "7", "id": f"d{n}", "text": text}) for n, text in enumerate(TEXTS))
    path.write_text("\n".join(lines), "utf-8")
    return path


def printed_ids(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()]


def test_mmr_is_the_default(posts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(posts, "--lambda", "0.4") == 0
    ids = printed_ids(capsys)
    assert sorted(ids) == ["d0", "d1", "d2", "d3"]
    assert ids[-1] == "d1"


def test_trec_out_and_in_again(
    posts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run.txt"
    assert run(posts, "--method", "sy", "--out-format", "trec", "--out", out) == 0
    assert out.read_text() == (
        "7 Q0 d0 1 3 taxocrawl-sy\n7 Q0 d2 2 2 taxocrawl-sy\n7 Q0 d3 3 1 taxocrawl-sy\n"
    )
    assert run(out, "--texts", posts, "--method", "none") == 0
    assert printed_ids(capsys) == ["d0", "d2", "d3"]


def test_duplicates_are_named_with_their_level(posts: Path, tmp_path: Path) -> None:
    out = tmp_path / "duplicates.jsonl"
    assert run(posts, "--method", "sy", "--duplicates", out) == 0
    assert [json.loads(line) for line in out.read_text().splitlines()] == [
        {"query_id": "7", "id": "d1", "repeats": "d0", "level": "strong near-duplicate"}
    ]


def test_a_query_orders_by_its_words(posts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(posts, "--query", "caves", "--first", "tf", "--method", "none") == 0
    assert printed_ids(capsys)[0] == "d2"


def test_aspects_of_a_file(posts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    aspects = tmp_path / "aspects.tsv"
    aspects.write_text("7\tfigs\n7\tcaves\n")
    assert run(posts, "--method", "xquad", "--lambda", "1", "--aspects", aspects) == 0
    assert set(printed_ids(capsys)[:2]) == {"d2", "d3"}
    aspects.write_text("figs\n")
    assert run(posts, "--method", "combsumdiv", "--lambda", "1", "--aspects", aspects) == 0
    assert printed_ids(capsys)[0] == "d3"


def test_subtopics_of_the_topics_are_aspects(
    posts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    topics = tmp_path / "topics.xml"
    topics.write_text(
        '<t><topic number="7"><query>bats</query><subtopic>figs</subtopic></topic></t>'
    )
    assert run(posts, "--method", "xquad", "--lambda", "1", "--topics", topics) == 0
    assert printed_ids(capsys)[0] == "d3"


def test_documents_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [
        {"url": f"http://127.0.0.1/{n}", "title": text, "content_hash": f"h{n}", "score": n}
        for n, text in enumerate(TEXTS)
    ]
    (tmp_path / "documents.jsonl").write_text("\n".join(map(json.dumps, records)))
    assert run(tmp_path, "--first", "score", "--method", "sy", "--lambda", "0.6") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["content_hash"] for line in lines] == ["h3", "h2", "h1"]
    assert [line["first_rank"] for line in lines] == [4, 3, 2]


def test_figures_by_qrels(posts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels = tmp_path / "qrels"
    qrels.write_text("7 1 d0 1\n7 2 d2 1\n8 1 d0 1\n")
    assert run(posts, "--method", "sy", "--qrels", qrels) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].split()[:3] == ["ranking", "alpha-nDCG@10", "alpha-nDCG@20"]
    assert [line.split()[0] for line in lines[1:3]] == ["first", "reranked"]
    assert float(lines[1].split()[1]) < float(lines[2].split()[1])
    assert lines[3] == "taxocrawl: 1 of 2 topics missing in the run, counted as 0: 8"


def test_candidates_without_a_query_are_of_the_only_one_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, qrels = tmp_path / "run.jsonl", tmp_path / "qrels"
    file.write_text('{"id": "a", "text": "one bat"}\n{"id": "b", "text": "two birds"}\n')
    qrels.write_text("1 1 b 1\n")
    assert run(file, "--method", "none", "--qrels", qrels) == 0
    lines = capsys.readouterr().err.splitlines()
    assert float(lines[1].split()[1]) > 0
    assert len(lines) == 3


def test_an_empty_list_gives_an_empty_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "none.jsonl").write_text("")
    assert run(tmp_path / "none.jsonl") == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--lambda", "1.6"], "lambda must lie in [0, 1], not 1.6"),
        (["--method", "xquad"], "query '7': xquad needs aspects"),
        (["--method", "best"], "unknown method 'best': expected one of none, mmr"),
        (["--first", "bm25"], "query '7': ranking by bm25 needs the text of the query"),
        (["--first", "score"], "query '7': the candidates have no scores"),
        (["--similarity", "wmd"], "give a file of them"),
        (["--query", " "], "--query is empty"),
        (["--topics", "absent"], "absent: expected topics"),
        (["--vectors", "absent"], "absent: cannot be read"),
        (["--sentence-model", "absent"], "absent: expected a folder with a sentence model"),
        (["--stopwords", "absent"], "absent: "),
        (["--length", "-1"], "0 or more"),
    ],
)
def test_wrong_arguments_cost_one_line_and_exit_code_two(
    posts: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run(posts, *arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("taxocrawl: ")
    assert message in printed.err
    assert printed.err.count("\n") == 1


def test_aspects_of_another_query_are_none(
    posts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    aspects = tmp_path / "aspects.tsv"
    aspects.write_text("8\tfigs\n")
    assert run(posts, "--method", "xquad", "--aspects", aspects) == 2
    assert "query '7': xquad needs aspects" in capsys.readouterr().err


def test_a_folder_without_documents_and_an_unwritable_out(
    posts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path) == 2
    assert "documents.jsonl" in capsys.readouterr().err
    assert run(posts, "--out", tmp_path / "absent" / "out") == 4
    assert capsys.readouterr().err.count("\n") == 1


def test_a_live_search(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, str] = {}

    def fake(headers: dict[str, str]) -> Fetch:
        seen.update(headers)

        async def fetch(url: str) -> Answer:
            rows = [{"id": str(n), "text": text} for n, text in enumerate(TEXTS)]
            return Answer(200, json.dumps({"data": rows}).encode())

        return fetch

    monkeypatch.setattr(live, "simple_fetch", fake)
    monkeypatch.setenv("X_BEARER_TOKEN", "secret")
    assert run("--source", "x", "--query", "bats", "--method", "sy") == 0
    assert printed_ids(capsys) == ["0", "2", "3"]
    assert seen["Authorization"] == "Bearer secret"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--source", "x", "--query", "bats"], "X_BEARER_TOKEN"),
        (["--source", "friendster", "--query", "bats"], "expected one of x, mastodon, bluesky"),
        (["--source", "bluesky"], "--source needs --query"),
        (
            ["--source", "bluesky", "--query", "a", "--source-url", "file:///etc"],
            "expected a http or https URL",
        ),
    ],
)
def test_a_live_search_that_cannot_be(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.delenv("X_BEARER_TOKEN", raising=False)
    assert run(*arguments) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1


def test_one_file_is_expected() -> None:
    with pytest.raises(UsageError):
        run()
