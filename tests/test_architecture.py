"""What must hold of the tree as a whole."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest
from scrapy.utils.misc import load_object

from taxocrawl import settings

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "taxocrawl").rglob("*.py"))
COMPONENTS = [
    path
    for name in (
        "SPIDER_MIDDLEWARES",
        "DOWNLOADER_MIDDLEWARES",
        "ITEM_PIPELINES",
        "EXTENSIONS",
    )
    for path, order in getattr(settings, name).items()
    if order is not None
] + [settings.SCHEDULER, settings.FRONTIER_CLASS, settings.LOG_FORMATTER]


@pytest.mark.parametrize("path", COMPONENTS)
def test_component_named_in_the_settings_can_be_loaded(path: str) -> None:
    assert callable(load_object(path))


def test_settings_are_documented() -> None:
    spec = importlib.util.spec_from_file_location("make_settings", ROOT / "docs/make_settings.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (ROOT / "docs/settings.md").read_text(encoding="utf-8") == module.made(), (
        "run: python docs/make_settings.py"
    )


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_nothing_is_unpickled_or_executed(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in (
            [ast.alias(node.module or "")] if isinstance(node, ast.ImportFrom) else node.names
        )
    }
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not imported & {"pickle", "joblib", "dill", "shelve", "marshal"}
    assert not called & {"eval", "exec"}


def test_no_file_is_over_five_megabytes() -> None:
    folders = ("taxocrawl", "models", "stopwords", "goldstandard", "tests", "docs", "benchmarks")
    files = [p for folder in folders for p in (ROOT / folder).rglob("*") if p.is_file()]
    assert files
    assert not [p for p in files if p.stat().st_size > 5_000_000]
