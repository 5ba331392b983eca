"""A wheel works from any folder: what ships with taxocrawl is inside the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.crawl.running import FAST
from tests.packing import copy_tree
from tests.sites.content import hosts
from tests.sites.server import SmallWeb


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which taxocrawl is installed from a wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    tree = copy_tree(folder / "tree")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    subprocess.run(
        [*pip, "--no-build-isolation", "--no-deps", "--target", str(folder / "site"), str(tree)],
        check=True,
        timeout=300,
    )
    return folder / "site"


def _run(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "taxocrawl", *arguments],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "PYTHONPATH": str(site)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )


def test_what_ships_is_found_in_the_package(site: Path, tmp_path: Path) -> None:
    for setting, folder in (
        ("MODELS_DIR", "models"),
        ("STOPWORDS_DIR", "stopwords"),
        ("GOLDSTANDARD_DIR", "goldstandard"),
    ):
        done = _run(site, tmp_path, "settings", "--get", setting)
        assert done.stdout.strip() == str(site / "taxocrawl" / folder)
    # A folder of that name beside the package is somebody else's.
    (site / "models").mkdir()
    done = _run(site, tmp_path, "settings", "--get", "MODELS_DIR")
    assert done.stdout.strip() == str(site / "taxocrawl" / "models")


def test_a_crawl_from_an_empty_folder(site: Path, tmp_path: Path) -> None:
    addresses = ",".join(host.address for host in hosts().values())
    with SmallWeb() as web:
        options = [f"-s{setting}" for setting in FAST]
        options += [f"-sCROSSREF_URL={web.url('search', '/works')}"]
        options += [f"-aallowed_hosts={addresses}", "-aseeds=crossref", "-aiterations=0"]
        done = _run(site, tmp_path, "crawl", "taxonomic", "-aquery=Pteropus vampyrus", *options)
    assert done.returncode == 0, done.stdout
    (folder,) = (tmp_path / "runs").iterdir()
    kinds = {path.suffix for path in (folder / "documents").iterdir()}
    assert {".html", ".pdf", ".txt"} <= kinds


def test_queries_are_expanded_from_the_tables_that_ship(site: Path, tmp_path: Path) -> None:
    done = _run(site, tmp_path, "expand", "Pteropus vampyrus", "--style", "taxonomic")
    assert done.returncode == 0, done.stdout
    assert "Pteropodidae" in done.stdout
