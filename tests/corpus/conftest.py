"""Finds the shared corpora: TAXOCRAWL_SHARED, default ``../shared`` beside the checkout."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def shared_folder() -> Path:
    return Path(os.environ.get("TAXOCRAWL_SHARED") or ROOT.parent / "shared")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.corpus)


@pytest.fixture(scope="session")
def shared() -> Path:
    folder = shared_folder()
    if not (folder / "corpora" / "index.csv").is_file():
        reason = f"no shared corpora in {folder} (set TAXOCRAWL_SHARED)"
        if os.environ.get("TAXOCRAWL_REQUIRE_ALL") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@pytest.fixture(scope="session")
def corpora(shared: Path) -> Path:
    return shared / "corpora"


@pytest.fixture(scope="session")
def cases(shared: Path) -> Path:
    return shared / "cases"
