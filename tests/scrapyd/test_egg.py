"""An egg that scrapyd-deploy built runs on a scrapyd that knows nothing of the source tree."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.running import ROOT, crawl
from tests.packing import FOLDERS, copy_tree
from tests.scrapyd.daemon import Scrapyd, environment

THREE = ["Pteropus vampyrus", "Đặng Vũ Tùng", "測試"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_tree(tmp_path_factory.mktemp("tree") / "taxocrawl")


def _deploy(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).with_name("scrapyd-deploy")), *arguments],
        cwd=tree,
        env=environment(tree.parent),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def deployed(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scrapyd]:
    with Scrapyd(tmp_path_factory.mktemp("elsewhere"), in_tree=False) as daemon:
        text = (tree / "scrapy.cfg").read_text(encoding="utf-8")
        (tree / "scrapy.cfg").write_text(text.replace("6800", str(daemon.port)), encoding="utf-8")
        done = _deploy(tree, "--version", "1")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["spiders"] >= 2
        yield daemon


def test_every_file_that_ships_is_in_the_egg(tree: Path, tmp_path: Path) -> None:
    done = _deploy(tree, "--build-egg", str(tmp_path / "taxocrawl.egg"))
    assert done.returncode == 0, done.stderr
    packed = set(zipfile.ZipFile(tmp_path / "taxocrawl.egg").namelist())
    shipped = {
        (path.relative_to(ROOT) if name == "taxocrawl" else "taxocrawl" / path.relative_to(ROOT))
        for name in FOLDERS
        for path in (ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {path.as_posix() for path in shipped} <= packed
    assert not [name for name in packed if name.startswith(("models", "stopwords", "tests"))]


def test_round_trip(deployed: Scrapyd, settings, arguments, tmp_path: Path) -> None:
    asked = {**arguments, "query": "Pteropus vampyrus", "iterations": "1"}
    job = deployed.schedule({**asked, "expand": "generic"}, settings)
    ended = deployed.wait(job)

    run = deployed.run(job)
    in_tree = crawl(
        tmp_path / "in-tree",
        *(f"{name}={value}" for name, value in asked.items()),
        "expand=generic",
        settings=settings,
    )
    assert run.info["outcome"] == "iterations done", run.log
    hashes = {document["content_hash"] for document in run.documents}
    # PDFs too: they are read by processes that import taxocrawl from the egg.
    assert {document["kind"] for document in run.documents} == {"html", "pdf"}
    assert hashes == {document["content_hash"] for document in in_tree.documents}
    assert run.info["models"] == in_tree.info["models"]
    assert hashes <= {item["content_hash"] for item in deployed.items(ended)}
    assert "Traceback" not in run.log


def test_of_a_repeated_argument_scrapyd_drops_the_run_shows_what_was_used(
    deployed: Scrapyd, settings, arguments
) -> None:
    """A scrapyd with its own schedule.json hands on the first value alone."""
    short = {**arguments, "iterations": "0", "max_pages": "1"}
    job = deployed.schedule({**short, "query": THREE}, settings)
    deployed.wait(job)
    run = deployed.run(job)
    assert run.info["queries"] == THREE[:1]
    assert f"query: {THREE[0]}" in run.log
    report = (run.folder / "report.html").read_text(encoding="utf-8")
    assert THREE[0] in report
    assert THREE[2] not in report
