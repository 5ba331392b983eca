"""`scrapy aspects` against a suggestion service on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.crawl.running import ROOT


class Suggestions(ThreadingHTTPServer):
    """Answers with ten suggestions a question; after `left` of them as a service that blocks."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []
        self.left = 10_000
        self.blocks: tuple[int, bytes] = (403, b"")

    @property
    def template(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/complete?client=test&q={{searchTerms}}"


class _Handler(BaseHTTPRequestHandler):
    server: Suggestions

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query)["q"][0]
        self.server.asked.append(query)
        status, body = 200, json.dumps([query, [f"{query}word{n}" for n in range(10)], []]).encode()
        if self.server.left < 1:
            status, body = self.server.blocks
        self.server.left -= 1
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[Suggestions]:
    with Suggestions() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def run(folder: Path, url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrapy", "aspects", *arguments, "-s", "SUGGEST_PAUSE=0"]
    command += ["-s", f"GOLDSTANDARD_DIR={folder}", "-s", f"SUGGEST_URL={url}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_words_of_all_questions_go_to_the_aspects_file(
    tmp_path: Path, service: Suggestions
) -> None:
    done = run(tmp_path, service.template, "bats", "habitat loss", "diet")
    assert done.returncode == 0, done.stderr
    assert service.asked[:2] == ["bats habitat loss", "bats habitat loss a"]
    assert len(service.asked) == 54
    words = (tmp_path / "bats" / "aspects" / "habitat-loss.txt").read_text(encoding="utf-8")
    assert "From 270 suggestions for 'bats habitat loss'" in words.splitlines()[0]
    assert words.splitlines()[1:3] == ["bats", "habitat"]
    assert (tmp_path / "bats" / "aspects" / "diet.txt").exists()
    assert "diet: " in done.stdout


def test_a_service_that_blocks_is_named_and_asked_on_later(
    tmp_path: Path, service: Suggestions
) -> None:
    service.left = 5
    done = run(tmp_path, service.template, "bats", "diet")
    assert done.returncode == 3
    assert done.stderr == (
        "taxocrawl: suggestions: HTTP 403, the service blocks or is not there; 5 of 27 questions "
        "for 'bats diet' are answered, the same command goes on from there\n"
    )
    assert not (tmp_path / "bats" / "aspects" / "diet.txt").exists()
    service.left, service.blocks = 3, (200, b"<html>unusual traffic</html>")
    done = run(tmp_path, service.template, "bats", "diet")
    assert "expected suggestions as JSON, got HTML; 8 of 27 questions" in done.stderr
    service.left = 10_000
    assert run(tmp_path, service.template, "bats", "diet").returncode == 0
    assert len(service.asked) == 27 + 2
    assert (tmp_path / "bats" / "aspects" / "diet.txt").exists()


def test_files_without_phrases_are_filled(tmp_path: Path, service: Suggestions) -> None:
    folder = tmp_path / "bats" / "aspects"
    folder.mkdir(parents=True)
    (folder / "range.txt").write_text("# to do\n", encoding="utf-8")
    (folder / "diet.txt").write_text("figs\n", encoding="utf-8")
    assert run(tmp_path, service.template, "bats", "--query", "flying foxes").returncode == 0
    assert service.asked[0] == "flying foxes range"
    assert (folder / "diet.txt").read_text(encoding="utf-8") == "figs\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["bats"], "no aspect without phrases; name aspects"),
        (["a/b", "diet"], "'a/b': expected a topic's name, which is no path"),
        (["bats", "?"], "'?': expected the words of an aspect"),
    ],
)
def test_wrong_arguments_are_named(tmp_path: Path, arguments: list[str], line: str) -> None:
    done = run(tmp_path, "http://127.0.0.1:9/{searchTerms}", *arguments)
    assert done.returncode == 2
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_service_that_is_down(tmp_path: Path) -> None:
    url = "http://127.0.0.1:9/{searchTerms}"
    done = run(tmp_path, url, "bats", "diet", "-s", "SEED_MAX_RETRIES=0")
    assert done.returncode == 3
    assert done.stderr.startswith("taxocrawl: suggestions: no answer (")
    assert "0 of 27 questions for 'bats diet' are answered" in done.stderr
