"""A copy of the source tree without tests, in which wheels and eggs can be built."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.crawl.running import ROOT

FOLDERS = ("taxocrawl", "models", "stopwords", "goldstandard")
FILES = ("setup.py", "pyproject.toml", "scrapy.cfg", "README.md", "LICENSE", "requirements.txt")


def copy_tree(target: Path) -> Path:
    """Copy what a release holds to `target`, and return it."""
    target.mkdir(parents=True)
    for name in FOLDERS:
        shutil.copytree(
            ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc")
        )
    for name in FILES:
        shutil.copy(ROOT / name, target / name)
    return target
