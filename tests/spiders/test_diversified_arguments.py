"""The arguments of the spider `diversified`."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from scrapy.crawler import Crawler
from scrapy.settings import Settings

from taxocrawl import settings as defaults
from taxocrawl.exceptions import ArgumentError, SettingError, TaxocrawlError
from taxocrawl.spiders.diversified import DiversifiedSpider
from taxocrawl.spiders.plan import CrawlPlan


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    folder = tmp_path / "standards" / "flyers"
    (folder / "aspects").mkdir(parents=True)
    (folder / "topic.txt").write_text("bats", encoding="utf-8")
    (folder / "aspects" / "diet.txt").write_text("figs", encoding="utf-8")
    (folder / "aspects" / "range.txt").write_text("islands", encoding="utf-8")
    return folder


def _plan(folder: Path, settings: dict[str, Any] | None = None, **arguments: str) -> CrawlPlan:
    made = Settings()
    made.setmodule(defaults)
    made.setdict({"GOLDSTANDARD_DIR": folder.parent, **(settings or {})})
    crawler = Crawler(DiversifiedSpider, made)
    given = {"topic": folder.name, "query": "bats", **arguments}
    return DiversifiedSpider.plan_of(crawler, given)[0]


def test_defaults_are_those_of_figure_4_2(topic: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        plan = _plan(topic)
    assert (plan.selection, plan.filter, plan.aspects) == ("recent-half", "none", True)
    assert plan.seeds == "crossref,europepmc"
    assert "flyers/html-forest: not there, every page passes" in caplog.text


def test_the_folders_seeds_and_the_trained_forest_are_used(topic: Path, tmp_path: Path) -> None:
    (topic / "seeds.txt").write_text("http://a.example/\n", encoding="utf-8")
    (tmp_path / "models" / "flyers" / "html-forest").mkdir(parents=True)
    plan = _plan(topic, {"MODELS_DIR": tmp_path / "models"})
    assert (plan.seeds, plan.filter) == (str(topic / "seeds.txt"), "forest")
    assert _plan(topic, seeds="crossref", filter="none").seeds == "crossref"


def test_arguments_become_settings(topic: Path) -> None:
    plan = _plan(topic, **{"lambda": "0.8", "weights": "softmax", "aspects": "off"})
    made = plan.settings({}, Path())
    assert (made["DIVERSIFY_LAMBDA"], made["DIVERSIFY_WEIGHTS"]) == (0.8, "softmax")
    assert plan.aspects is False


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"lambda": "1.5"}, r"lambda=1.5: expected a number in \[0, 1\]"),
        ({"lambda": "-0.1"}, "lambda=-0.1: expected"),
        ({"lambda": "nan"}, "lambda=nan: expected"),
        ({"aspects": "maybe"}, "aspects=maybe: expected one of on, off"),
        ({"weights": "loud"}, "weights=loud: expected one of document, inverse, softmax"),
        ({"selection": "best-first"}, "selection=best-first: has no iterations"),
        ({"topic": "nobody"}, "topic=nobody: no such folder"),
        ({"topic": ""}, "topic=: no such folder"),
    ],
)
def test_wrong_arguments_are_named(topic: Path, arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        _plan(topic, **arguments)


def test_a_topic_is_needed(topic: Path) -> None:
    settings = Settings()
    settings.setmodule(defaults)
    with pytest.raises(ArgumentError, match="topic=: missing"):
        DiversifiedSpider.plan_of(Crawler(DiversifiedSpider, settings), {"query": "bats"})


def test_a_link_model_and_aspects_exclude_each_other(topic: Path) -> None:
    with pytest.raises(SettingError, match="LINKSCORE_MODEL=learned"):
        _plan(topic, {"LINKSCORE_MODEL": "learned"})
    assert not _plan(topic, {"LINKSCORE_MODEL": "learned"}, aspects="off").aspects


def test_wrong_settings_are_named_before_the_crawl(topic: Path, tmp_path: Path) -> None:
    for settings in (
        {"DIVERSIFY_LAMBDA": 2},
        {"ASPECT_RELEVANT_ABOVE": -1},
        {"DIVERSIFY_WEIGHTS": "loud"},
        {"DIVERSIFY_TOTALS": "words"},
        {"DIVERSIFY_TOTALS_ABOVE": 3},
        {"DIVERSIFY_SPECIFICITY": -1},
        {"DIVERSIFY_WEIGHTS": "softmax", "DIVERSIFY_WEIGHTS_PARAMS": {"temperature": 0}},
    ):
        made = Settings()
        made.setmodule(defaults)
        made.setdict(settings)
        out = tmp_path / "run"
        with pytest.raises(TaxocrawlError, match=r"LAMBDA|ABOVE|SPECIFICITY|TOTALS|weights"):
            DiversifiedSpider.from_crawler(
                Crawler(DiversifiedSpider, made), topic=str(topic), query="bats", out=str(out)
            )
        assert not out.exists()
