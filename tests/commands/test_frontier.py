"""`scrapy frontier` looks into a run's frontier and changes it."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from taxocrawl.commands.frontier import Command
from taxocrawl.frontier.base import Candidate, Outcome, State
from taxocrawl.frontier.redis.store import RedisFrontier
from taxocrawl.frontier.selection import Top
from taxocrawl.frontier.sqlite import SqliteFrontier
from tests.redisserver import RedisServer

SEED, BEST, WORSE, DEEP = (f"http://a.example/{name}" for name in ("seed", "best", "worse", "deep"))
OTHER = "http://b.example/x"


REDIS: dict[str, str] = {}
"""Settings by which a run's frontier in Redis is found."""


def run(*arguments: object) -> int:
    command = Command()
    command.settings = Settings()
    command.settings.setmodule("taxocrawl.settings", priority="project")
    command.settings.setdict(REDIS)
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    options, rest = parser.parse_known_args([str(argument) for argument in arguments])
    command.run(rest, options)
    return command.exitcode


Open = Callable[[], "SqliteFrontier | RedisFrontier"]


@pytest.fixture(params=["sqlite", pytest.param("redis", marks=pytest.mark.redis)])
def stored(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, Open]:
    """A run that ended after its seeds, on each store; and what opens its frontier."""
    folder = tmp_path / "run"
    folder.mkdir()
    settings: dict[str, Any] = {}

    def opens() -> SqliteFrontier | RedisFrontier:
        if request.param == "sqlite":
            return SqliteFrontier(folder / "frontier.sqlite")
        return RedisFrontier(server.client(), "run")

    if request.param == "redis":
        server: RedisServer = request.getfixturevalue("redis_server")
        server.client().flushall()
        monkeypatch.setitem(REDIS, "REDIS_URL", server.url)
        settings["FRONTIER_BACKEND"] = "redis"
    frontier = opens()
    _crawl_seeds(frontier)
    if isinstance(frontier, RedisFrontier):
        frontier.rest("a.example", 1000.0)
        frontier.rest("b.example", 0.0)
    else:
        frontier.set_meta("host rests", {"a.example": time.time() + 1000, "b.example": 1.0})
    frontier.close()
    _write_info(folder, settings)
    return folder, opens


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The same run, its frontier in a file."""
    folder = tmp_path / "run"
    folder.mkdir(exist_ok=True)
    frontier = SqliteFrontier(folder / "frontier.sqlite")
    _crawl_seeds(frontier)
    frontier.close()
    _write_info(folder, {})
    return folder


def _crawl_seeds(frontier: SqliteFrontier | RedisFrontier) -> None:
    frontier.push([Candidate(SEED, 1.0, source="seed:file", evidence={"rank": 1})], -1)
    frontier.push([Candidate(OTHER, 0.9, source="seed:file")], -1)
    frontier.select(Top(2), 0)
    links = [
        Candidate(
            BEST, 0.8, depth=1, referrer=SEED, evidence={"anchor": "A key\x1b[2J", "page": 0.7}
        ),
        Candidate(WORSE, 0.2, depth=1, referrer=SEED),
        Candidate(DEEP, 0.1, depth=5, referrer=SEED),
    ]
    for found, state in ((links, State.DONE), ([], State.FAILED)):
        entry = frontier.pop()
        assert entry is not None
        fetch = {"url": entry.url, "status": 200, "time": "2026-01-01", "reason": ""}
        frontier.settle(Outcome(entry.id, state, fetch=fetch, links=found))


def _write_info(folder: Path, settings: dict[str, Any]) -> None:
    info = {
        "arguments": {"allowed_hosts": "a.example,b.example"},
        "settings": {
            "CRAWL_ITERATIONS": 0,
            "CRAWL_MAX_PAGES": 2,
            "SELECTION_PARAMS": {"max_depth": 4, "max_pages_per_host": 1},
            **settings,
        },
        "outcome": "page limit",
    }
    (folder / "run.json").write_text(json.dumps(info), encoding="utf-8")


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_show(stored: tuple[Path, Open], capsys: pytest.CaptureFixture[str]) -> None:
    folder, _ = stored
    assert run(folder, "show", "--json") == 0
    found = printed(capsys)
    assert found["states"] == {
        "known": 3,
        "selected": 0,
        "in flight": 0,
        "done": 1,
        "failed": 1,
        "gone": 0,
    }
    assert [entry["url"] for entry in found["best known"]] == [BEST, WORSE, DEEP]
    assert run(folder, "show") == 0
    text = capsys.readouterr().out
    assert "known         3\n" in text
    assert f"0.8000        {BEST}\n" in text


def test_hosts(stored: tuple[Path, Open], capsys: pytest.CaptureFixture[str]) -> None:
    folder, _ = stored
    assert run(folder, "hosts", "--json") == 0
    [one, two] = printed(capsys)
    assert (one["host"], one["selected so far"], one["known"], one["done"]) == (
        "a.example",
        1,
        3,
        1,
    )
    assert (two["host"], two["failed"], two["known"]) == ("b.example", 1, 0)
    assert run(folder, "hosts") == 0
    assert "a.example  rests until 2" in capsys.readouterr().out


def test_why_it_was_fetched(stored: tuple[Path, Open], capsys: pytest.CaptureFixture[str]) -> None:
    folder, _ = stored
    assert run(folder, "why", SEED, "--json") == 0
    found = printed(capsys)
    assert (found["state"], found["score"], found["evidence"]) == ("done", 1.0, {"rank": 1})
    assert found["fetches"][0]["status"] == 200
    assert found["kept back by"] == []
    assert run(folder, "why", SEED) == 0
    text = capsys.readouterr().out
    assert "found         as a seed (seed:file), depth 0\n" in text
    assert "asked for     2026-01-01 200\n" in text


def test_why_it_is_kept_back(stored: tuple[Path, Open], capsys: pytest.CaptureFixture[str]) -> None:
    folder, _ = stored
    assert run(folder, "why", DEEP, "--json") == 0
    found = printed(capsys)
    assert found["referrers"] == [SEED]
    *reasons, rest, better = found["kept back by"]
    assert reasons == [
        "its depth 5 is over max_depth 4",
        "1 pages of a.example were taken; max_pages_per_host is its limit",
        "iteration 0 is the last one (iterations=0)",
        "the run has ended: page limit",
        "2 pages were downloaded (max_pages=2)",
    ]
    assert rest.startswith("its host a.example rests until ")
    assert better == "2 URLs that are known go before it"


def test_what_pages_say_does_not_steer_the_terminal(
    stored: tuple[Path, Open], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = stored
    assert run(folder, "why", BEST) == 0
    text = capsys.readouterr().out
    assert "\x1b" not in text
    assert "A key" in text


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://a.example/never-seen", "no page whose links are followed was seen to link to it"),
        ("http://c.example/", "its host c.example is not among allowed_hosts"),
        ("mailto:a@b.example", "it is never asked for: scheme mailto"),
        ("http://a.example/a/b/a/b/a/b/a/b", "links to it are refused: repeated segments"),
    ],
)
def test_why_it_is_unknown(
    url: str, reason: str, stored: tuple[Path, Open], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = stored
    assert run(folder, "why", url, "--json") == 1
    assert reason in printed(capsys)["kept back by"]
    assert run(folder, "why", url) == 1
    assert f"kept back     {reason}" in capsys.readouterr().out


def test_a_run_that_is_being_written_can_be_read_but_not_changed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frontier = SqliteFrontier(folder / "frontier.sqlite")
    assert run(folder, "why", BEST) == 0
    assert run(folder, "export", folder / "out.jsonl") == 0
    frontier.close()


@pytest.mark.parametrize(
    ("wanted", "selected", "code"),
    [
        ("failed", {OTHER}, 0),
        ("http://a.example/*", {SEED}, 0),
        ("*", {SEED, OTHER}, 0),
        ("gone", set(), 1),
        ("http://nowhere.example/*", set(), 1),
    ],
)
def test_requeue(
    wanted: str,
    selected: set[str],
    code: int,
    stored: tuple[Path, Open],
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, opens = stored
    assert run(folder, "requeue", wanted, "--json") == code
    assert printed(capsys) == {"selected again": len(selected)}
    frontier = opens()
    assert {entry.url for entry in frontier.entries(State.SELECTED)} == selected
    assert frontier.counts()[State.SELECTED] == len(selected)
    frontier.close()


def test_export_and_import(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, target = tmp_path / "f.jsonl", tmp_path / "target"
    assert run(folder, "export", file) == 0
    assert not list(tmp_path.glob("*.new"))
    target.mkdir()
    assert run(target, "import", file) == 0
    assert capsys.readouterr().out == "imported: 5\n"
    assert run(target, "export", "-") == 0
    assert capsys.readouterr().out == file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere", "show"), "nowhere/frontier.sqlite: no readable frontier"),
        (("nowhere", "export", "x"), "nowhere/frontier.sqlite: no readable frontier"),
        (("nowhere", "requeue", "failed"), "nowhere/frontier.sqlite: no such file"),
        (("nowhere", "import", "x"), "nowhere: no such folder"),
        (("run", "import", "missing"), "missing: cannot be read"),
        (("run", "requeue", "known"), "requeue known: expected done, failed, gone"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_code_2(
    arguments: tuple[str, ...],
    message: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder.parent)
    assert run(*arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (folder.parent / "nowhere").exists()


@pytest.mark.redis
@pytest.mark.parametrize("action", ["export", "import"])
def test_a_frontier_in_redis_is_no_file(
    action: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _write_info(tmp_path, {"FRONTIER_BACKEND": "redis"})
    assert run(tmp_path, action, "-") == 2
    assert f"{tmp_path}: its frontier is in Redis" in capsys.readouterr().err


@pytest.mark.redis
def test_a_redis_that_does_not_answer_is_one_line_and_code_4(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REDIS, "REDIS_URL", "redis://127.0.0.1:1/0")
    _write_info(folder, {"FRONTIER_BACKEND": "redis"})
    for action in (("show",), ("hosts",), ("why", SEED), ("requeue", "failed")):
        assert run(folder, *action) == 4
        error = capsys.readouterr().err
        assert "Redis at 127.0.0.1:1: no answer" in error
        assert error.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [(), ("run",), ("run", "what"), ("run", "why"), ("run", "show", "x")]
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        run(*arguments)
