"""Runs that are resumed to see what has become of their pages."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from tests.crawl.oddserver import Asked, OddServer, answer
from tests.crawl.running import FAST, Finished, crawl, crawl_seeds

# So short that all pages are due when a run is resumed.
SOON = (*FAST, "REVISIT_INTERVAL=0.001", "REVISIT_MIN=0.001")
TREATMENT = (
    "sp. nov. Holotype: adult male, skin and skull. Paratypes: two adult females from the type"
    " locality. Etymology: the name is an adjective. Diagnosis: a species of Pteropus distinguished"
    " from Pteropus vampyrus by its forearm length and narrow rostrum. Material examined: five"
    " specimens deposited in the museum. Distribution: known only from the type locality."
)
MODIFIED = "Wed, 01 Jan 2025 00:00:00 GMT"


def page(title: str, text: str = "", links: tuple[str, ...] = (), comment: str = "") -> str:
    dice = random.Random(title)
    words = " ".join("".join(dice.choices("aeioulmnrst", k=7)) for _ in range(250))
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>{title}</title></head><body>'
        f"<!-- {comment} --><article><h1>{title}</h1><p><i>Pteropus {title}us</i> {TREATMENT}"
        f" {text}</p><p>{words}</p>"
        f"<ul>{items}</ul></article></body></html>"
    )


class Site:
    """Pages of which some have changed when `visit` is 2."""

    visit = 1

    def __call__(self, asked: Asked) -> bytes | None:
        second = self.visit > 1
        if asked.path == "/":
            links = ("/kept", "/dated", "/bytes", "/text", "/gone", "/fails", "/left", "/fresh")
            return answer(page("start", links=links if second else links[:-1]))
        if asked.path == "/kept":
            if asked.headers.get("if-none-match") == '"v1"':
                return answer("", status="304 Not Modified", length=None)
            return answer(page("kept"), headers=('ETag: "v1"',))
        if asked.path == "/dated":
            if asked.headers.get("if-modified-since") == MODIFIED.lower():
                return answer("", status="304 Not Modified", length=None)
            return answer(page("dated"), headers=(f"Last-Modified: {MODIFIED}",))
        if asked.path == "/bytes":
            return answer(page("bytes", comment=f"made for visit {self.visit}"))
        if asked.path == "/text":
            return answer(page("text", text=f"Revision {self.visit}."))
        if asked.path == "/gone" and second:
            return None
        if asked.path == "/fails" and second:
            return answer("no", status="500 Internal Server Error")
        if asked.path in ("/gone", "/fails", "/fresh"):
            return answer(page(asked.path[1:], links=("/deeper",)))
        if asked.path == "/left":
            return answer(page("left", links=("/beyond",)))
        return None


@pytest.fixture(scope="module")
def site() -> Site:
    return Site()


@pytest.fixture(scope="module")
def runs(
    site: Site, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Finished, Finished, list[str]]:
    """A first crawl, read whole, and its re-visit, with what the second asked for."""
    folder = tmp_path_factory.mktemp("revisit") / "run"
    with OddServer(site) as server:
        first = crawl_seeds(folder, [server.url("/")], "iterations=1", settings=SOON)
        assert first.code == 0, first.log
        assert "revisits" not in first.info
        site.visit = 2
        asked_before = len(server.paths())
        second = crawl(folder, f"resume={folder}", "revisit=uniform", settings=SOON)
        return first, second, server.paths()[asked_before:]


def test_due_pages_then_the_links_that_are_new(
    runs: tuple[Finished, Finished, list[str]],
) -> None:
    _, second, asked = runs
    assert second.code == 0, second.log
    # /fails is retried once; /deeper and /beyond lie beyond the last iteration.
    assert Counter(asked) == Counter(
        ["/", "/kept", "/dated", "/bytes", "/text", "/gone", "/fails", "/fails", "/left", "/fresh"]
    )
    again = [f for f in second.fetches if int(f["iteration"]) > 1]
    assert {f["url"].rsplit("/", 1)[1]: (f["iteration"], f["reason"]) for f in again} == {
        "": ("2", "unchanged"),
        "kept": ("2", "not modified"),
        "dated": ("2", "not modified"),
        "bytes": ("2", "unchanged"),
        "text": ("2", ""),
        "gone": ("2", "http 404"),
        "fails": ("2", "http 500"),
        "left": ("2", "unchanged"),
        "fresh": ("3", ""),
    }


def test_only_changed_text_is_exported_again(runs: tuple[Finished, Finished, list[str]]) -> None:
    _, second, _ = runs
    versions: dict[str, list[tuple[int, str, str]]] = {}
    for d in second.documents:
        name = d["url"].rsplit("/", 1)[1]
        versions.setdefault(name, []).append((d["version"], d["previous"], d["content_hash"]))
        assert (second.folder / d["path"]).is_file()
    assert {name: len(found) for name, found in versions.items()} == {
        **dict.fromkeys(("", "kept", "dated", "bytes", "gone", "fails", "left", "fresh"), 1),
        "text": 2,
    }
    (one, nothing, old), (two, previous, new) = versions["text"]
    assert (one, nothing, two, previous) == (1, "", 2, old)
    assert old != new
    files = {path.name.partition(".")[0] for path in (second.folder / "documents").iterdir()}
    assert files == {d["content_hash"] for d in second.documents}


def test_the_bibliography_has_each_page_once(runs: tuple[Finished, Finished, list[str]]) -> None:
    _, second, _ = runs
    bibliography = (second.folder / "bibliography.bib").read_text(encoding="utf-8")
    assert bibliography.count("@misc{") == 9


def test_freshness_and_age_are_told(runs: tuple[Finished, Finished, list[str]]) -> None:
    _, second, _ = runs
    figures = second.info["revisits"]
    counts = ("visits", "unchanged", "changed", "gone", "failed")
    assert {name: figures[name] for name in counts} == {
        "visits": 8,
        "unchanged": 5,
        "changed": 1,
        "gone": 1,
        "failed": 1,
    }
    assert figures["freshness"] == round(5 / 7, 6)
    assert figures["mean age in seconds"] > 0
    report = (second.folder / "report.html").read_text(encoding="utf-8")
    assert "Pages visited again" in report
    with sqlite3.connect(second.folder / "frontier.sqlite") as db:
        ages = [row[0] for row in db.execute("SELECT age FROM revisits WHERE age IS NOT NULL")]
    assert min(ages) == 0


def test_unchanged_pages_are_neither_failures_nor_new_downloads(
    runs: tuple[Finished, Finished, list[str]],
) -> None:
    _, second, _ = runs
    lines = (second.folder / "iterations.csv").read_text(encoding="utf-8").splitlines()
    names, third = lines[0].split(","), lines[3].split(",")
    row = dict(zip(names, third, strict=False))
    assert (row["downloaded"], row["failed"]) == ("1", "2")


@pytest.mark.parametrize(
    ("more", "settings", "named"),
    [
        (("revisit=often",), FAST, "revisit=often: expected one of none, uniform, proportional"),
        (("revisit=uniform",), (*FAST, "REVISIT_INTERVAL=0"), "REVISIT_INTERVAL=0"),
        (("revisit=proportional",), (*FAST, "REVISIT_MIN=9e9"), "REVISIT_MIN=9e+09"),
    ],
)
def test_wrong_values_end_at_once_with_one_line(
    more: tuple[str, ...], settings: tuple[str, ...], named: str, tmp_path: Path
) -> None:
    run = crawl_seeds(tmp_path / "run", ["http://127.0.0.1:9/"], *more, settings=settings)
    assert run.code == 2
    assert named in run.log
    assert "Traceback" not in run.log
    assert not (tmp_path / "run").exists()


def test_a_304_that_was_not_asked_for_is_a_failure(tmp_path: Path) -> None:
    with OddServer(lambda asked: answer("", status="304 Not Modified", length=None)) as server:
        run = crawl_seeds(tmp_path / "run", [server.url("/")])
    assert [(f["status"], f["reason"]) for f in run.fetches] == [("304", "http 304")]
    assert json.loads((tmp_path / "run" / "run.json").read_text())["ended"]
