"""What a crawl that did not end by itself tells: its exit code, and what a resumed one refuses."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

from tests.crawl.oddserver import Asked, OddServer, answer
from tests.crawl.running import FAST, ROOT, crawl, crawl_command
from tests.crawl.test_http_cases import TREATMENT


def pages(asked: Asked) -> bytes | None:
    if asked.path.startswith("/slow"):
        time.sleep(30)
    if asked.path == "/page":
        return answer(TREATMENT.format(links='<a href="/slow">A new species, in full</a>'))
    return None


def seeds_of(tmp_path: Path, server: OddServer, path: str = "/page") -> str:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text(server.url(path) + "\n")
    return f"seeds={seeds}"


def test_told_twice_to_stop_it_is_interrupted(tmp_path: Path) -> None:
    with OddServer(pages) as server:
        command = crawl_command(tmp_path / "run", seeds_of(tmp_path, server))
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        until = time.monotonic() + 60
        while "/slow" not in server.paths() and time.monotonic() < until:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        log, _ = process.communicate(timeout=60)
    assert process.returncode == 130, log
    assert f"interrupted; go on with -a resume={tmp_path / 'run'}" in log


def test_stopped_while_it_starts_it_is_interrupted(tmp_path: Path) -> None:
    with OddServer(pages) as server:
        folder = tmp_path / "run"
        command = crawl_command(folder, seeds_of(tmp_path, server, "/slow"))
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        until = time.monotonic() + 60
        while not (folder / "run.json").exists() and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        log, _ = process.communicate(timeout=60)
    assert process.returncode == 130, log
    assert "interrupted" in log


def test_an_error_nobody_raised_on_purpose_is_told(tmp_path: Path) -> None:
    with OddServer(pages) as server:
        run = crawl(
            tmp_path / "run",
            seeds_of(tmp_path, server),
            settings=(*FAST, "STATS_CLASS=tests.no.such.Class"),
        )
    assert run.code == 1, run.log
    assert "Traceback" in run.log
    assert run.log.splitlines()[-1].startswith("taxocrawl: program error: ModuleNotFoundError")


def test_what_a_resumed_run_refuses_and_notes(tmp_path: Path) -> None:
    with OddServer(pages) as server:
        folder, seeds = tmp_path / "run", seeds_of(tmp_path, server)
        first = crawl(folder, seeds, "iterations=0", "scorer=tfidf")
        assert first.code == 0, first.log
        lines = (folder / "documents.jsonl").read_bytes()
        assert lines

        other_spider = crawl(folder, seeds, f"resume={folder}", spider="topic")
        elsewhere = crawl(tmp_path / "elsewhere", f"resume={folder}")
        changed = crawl(folder, f"resume={folder}", settings=(*FAST, "LINKSCORE_PAGE_WEIGHT=0.125"))
        (folder / "frontier.sqlite").unlink()
        without = crawl(folder, f"resume={folder}")
        (folder / "frontier.sqlite").write_bytes(b"")
        empty = crawl(folder, f"resume={folder}")

    assert other_spider.code == 2
    assert "begun by the spider taxonomic; resume it with that one, not with topic" in (
        other_spider.log
    )
    assert elsewhere.code == 2
    assert "out=" in elsewhere.log
    assert changed.code == 0, changed.log
    assert "than before (LINKSCORE_PAGE_WEIGHT)" in changed.log
    (change,) = changed.info["changes"]
    assert float(change["before"]["LINKSCORE_PAGE_WEIGHT"]) == 0.5
    for lost in (without, empty):
        assert lost.code == 2, lost.log
        assert lost.log.count("\n") == 1
        assert "frontier.sqlite: missing or empty; without it" in lost.log
    assert (folder / "documents.jsonl").read_bytes() == lines


def test_a_cut_off_frontier_is_one_line(tmp_path: Path) -> None:
    with OddServer(pages) as server:
        folder = tmp_path / "run"
        crawl(folder, seeds_of(tmp_path, server), "iterations=0")
        frontier = folder / "frontier.sqlite"
        frontier.write_bytes(frontier.read_bytes()[:20_000])
        again = crawl(folder, f"resume={folder}")
    assert again.code == 2, again.log
    assert again.log.count("\n") == 1
    assert str(frontier) in again.log
