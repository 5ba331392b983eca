"""`scrapy score` and `scrapy phrases` as a user runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.documents import pdfs
from tests.site import Answer, Site

ROOT = Path(__file__).resolve().parents[2]
GOLD = "fruit bats roost in caves; the flying fox is a bat; holotype of Pteropus vampyrus"


def scrapy(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "scrapy", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site("127.0.0.1")
    links = "".join(f'<a href="/wiki/{word}">{word} bat</a> ' for word in ("fruit", "vampire"))
    body = f"<title>Bat</title><p>Bats are mammals. The bat flies at night. {links}</p>"
    site.pages["/wiki/Bat"] = Answer(f"<html><body>{body * 3}</body></html>")
    yield site
    site.close()


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.txt"
    path.write_text(GOLD)
    return path


def test_scores_of_every_kind_of_source(tmp_path: Path, gold: Path, site: Site) -> None:
    """A text, an HTML page, a PDF, a folder and a URL, with terms whose shares add up."""
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "bat.html").write_text("<title>x</title><p>The fruit bat roosts in a cave.</p>")
    (folder / "bat.pdf").write_bytes(pdfs.bat())
    (tmp_path / "car.txt").write_text("engine wheel brake")
    given = ("--goldstandard", gold, "--scorer", "tfidf", "--json")
    ended = scrapy("score", *given, folder, tmp_path / "car.txt", site.url("/wiki/Bat"))
    assert ended.returncode == 0, ended.stderr
    rows: list[dict[str, Any]] = [json.loads(line) for line in ended.stdout.splitlines()]
    scores = {Path(row["document"]).name: row["score"] for row in rows}
    assert list(scores) == ["bat.html", "bat.pdf", "car.txt", "Bat"]
    assert scores["car.txt"] == 0
    assert all(0 < scores[name] <= 1 for name in ("bat.html", "bat.pdf", "Bat"))
    for row in rows:
        assert sum(term["share"] for term in row["terms"]) == pytest.approx(row["score"])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--goldstandard", "{empty}"), "the gold standard is empty, expected text or phrases"),
        (("--goldstandard", "{gold}", "--scorer", "nosuch"), "scorer 'nosuch': expected one of"),
        (
            ("--goldstandard", "{gold}", "--scorer", "glove", "-s", "VECTORS_FILE={absent}"),
            "make them with `scrapy resources glove`",
        ),
        (
            ("--goldstandard", "{gold}", "--scorer", "glove", "-s", "VECTORS_FILE={ragged}"),
            "line 2 has 1 numbers, not 2",
        ),
        (
            ("--goldstandard", "{gold}", "--scorer", "sbert", "-s", "SENTENCE_MODEL_DIR={absent}"),
            "make it with `scrapy resources minilm`",
        ),
        (("--goldstandard", "{stop}"), "stop words"),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path, gold: Path, arguments: tuple[str, ...], expected: str
) -> None:
    files = {"gold": gold, "absent": tmp_path / "absent"}
    for name, content in (("empty", " \n"), ("ragged", "bat 1 2\nfig 1\n"), ("stop", "the of a")):
        files[name] = tmp_path / name
        files[name].write_text(content)
    given = [argument.format(**files) for argument in arguments]
    ended = scrapy("score", *given, gold)
    assert ended.returncode == 2
    assert expected in ended.stderr
    assert ended.stderr.startswith("taxocrawl: ")
    assert ended.stderr.count("\n") == 1


def test_unknown_words_alone_score_nothing(tmp_path: Path, gold: Path) -> None:
    vectors = tmp_path / "v.npz"
    np.savez(vectors, words=np.array(["bat", "fruit"]), vectors=np.eye(2) + 0.1)
    (tmp_path / "page.txt").write_text("zzqx qqzz")
    given = ("--goldstandard", gold, "--scorer", "glove", "-s", f"VECTORS_FILE={vectors}")
    ended = scrapy("score", *given, "--json", tmp_path / "page.txt", tmp_path / "absent.txt")
    page, absent = map(json.loads, ended.stdout.splitlines())
    assert (page["score"], absent["score"]) == (0, 0)
    assert "absent.txt" in absent["reason"]
    assert ended.returncode == 2


def test_phrases_of_an_article_wait_to_be_accepted(tmp_path: Path, site: Site) -> None:
    given = ("--from", site.url("/wiki/Bat"), "-s", f"GOLDSTANDARD_DIR={tmp_path}")
    ended = scrapy("phrases", "bats", *given)
    assert ended.returncode == 0, ended.stderr
    lines = (tmp_path / "bats" / "topic.txt").read_text().splitlines()
    assert any("vampire" in line for line in lines)
    assert all(line.startswith("#") for line in lines if "vampire" in line)
