"""The arguments of the spider `topic`, and what they make of the settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy.settings import Settings

from taxocrawl import settings as defaults
from taxocrawl.exceptions import ArgumentError, InputFileError, SettingError
from taxocrawl.score.nutch import NutchScorer
from taxocrawl.spiders.plan import ARGUMENTS, TOPIC_ARGUMENTS, CrawlPlan
from taxocrawl.spiders.topics import scoring_of, topic_of

NAMES = (*ARGUMENTS, *TOPIC_ARGUMENTS)


@pytest.fixture
def settings() -> Settings:
    settings = Settings()
    settings.setmodule(defaults)
    return settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "standards" / "bats"
    (folder / "aspects").mkdir(parents=True)
    (folder / "topic.txt").write_text("fruit bat", encoding="utf-8")
    (folder / "page.html").write_text(
        "<meta name=keywords content=holotype><title>Bats</title><p>Bats of Java", encoding="utf-8"
    )
    (folder / "aspects" / "diet.txt").write_text("fig", encoding="utf-8")
    return folder


def _plan(folder: Path, **arguments: str) -> CrawlPlan:
    given = {"query": "bats", **arguments}
    return CrawlPlan.parse(
        given, iterations=2, max_pages=0, names=NAMES, goldstandard_dir=folder.parent
    )


def test_a_topics_folder_is_found_by_path_or_by_name(folder: Path, settings: Settings) -> None:
    for value in (str(folder), "bats"):
        plan = _plan(folder, topic=value)
        assert (plan.topic, plan.goldstandards[0].resolve()) == ("bats", folder.resolve())
    texts = [gold.text for gold in topic_of(plan.goldstandards, "", settings).goldstandards]
    assert sorted(texts) == ["Bats of Java\nholotype", "fruit bat"]


def test_arguments_become_settings(folder: Path) -> None:
    plan = _plan(folder, topic="bats", scorer="bm25", selection="top", batch="50", min_score="0.25")
    made = plan.settings({}, Path("models"))
    assert made == {
        "CRAWL_ITERATIONS": 2,
        "CRAWL_MAX_PAGES": 0,
        "SELECTION_POLICY": "top",
        "SELECTION_PARAMS": {"size": 50},
        "SCORER_CLASS": "bm25",
        "LINKSCORE_MIN": 0.25,
    }


def test_a_filter_is_the_topics_own_model(folder: Path, tmp_path: Path) -> None:
    models = tmp_path / "models"
    none = _plan(folder, topic="bats", filter="none").settings({}, models)
    assert (none["CLASSIFIER_HTML"], none["CLASSIFIER_PDF"]) == ("", "")
    html = _plan(folder, topic="bats", filter="forest").settings({}, models)
    assert (html["CLASSIFIER_HTML"], html["CLASSIFIER_PDF"]) == ("bats/html-forest", "")
    (models / "bats" / "pdf-forest").mkdir(parents=True)
    both = _plan(folder, topic="bats", filter="forest").settings({}, models)
    assert both["CLASSIFIER_PDF"] == "bats/pdf-forest"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"topic": "birds"}, "topic=birds: no such folder"),
        ({"topic": ""}, "topic=: no such folder"),
        ({"topic": "bats", "goldstandard": "x"}, "only one of them"),
        ({"goldstandard": "no/such.txt"}, "no/such.txt"),
        ({"goldstandard": ""}, "no such file"),
        ({"truth": "."}, "truth=.: a folder; expected a file"),
        ({"filter": "bayes"}, "filter=bayes: expected one of none, rocchio, svm, forest"),
        ({"filter": "svm"}, "filter=svm: needs topic="),
        ({"min_score": "2"}, "min_score=2: expected a number in"),
        ({"min_score": "nan"}, "min_score=nan"),
        ({"batch": "ten"}, "batch=ten"),
    ],
)
def test_what_is_wrong_is_named(folder: Path, arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        _plan(folder, **arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"selection": "worst"}, "selection=worst.*expected one of all, top"),
        ({"selection": "all", "batch": "5"}, "selection=all.*unknown parameter size"),
    ],
)
def test_a_wrong_selection_is_named(folder: Path, arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        _plan(folder, **arguments).settings({}, Path("models"))


def test_taxonomic_has_no_topic(folder: Path) -> None:
    with pytest.raises(ArgumentError, match="topic=: no such argument"):
        CrawlPlan.parse({"query": "bats", "topic": "bats"}, iterations=2, max_pages=0)


def test_an_empty_folder_is_no_topic(tmp_path: Path, settings: Settings) -> None:
    with pytest.raises(InputFileError, match="found no file"):
        topic_of([tmp_path], "bats", settings)


def test_scorers_by_name_and_by_path(folder: Path, settings: Settings) -> None:
    topic = topic_of([folder / "topic.txt"], "", settings)
    settings.set("SCORER_CLASS", "cosine")
    scorer, _ = scoring_of(topic, settings)
    assert scorer.score("fruit bat") == 1
    settings.set("SCORER_CLASS", "tests.spiders.test_topic_arguments.Own")
    settings.set("SCORER_PARAMS", {"stemming": "porter"})
    assert isinstance(scoring_of(topic, settings)[0], Own)


class Own(NutchScorer):
    def __init__(self, topic: object, stemming: str) -> None:
        self.stemming = stemming


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("SCORER_CLASS", "nosuch", "scorer 'nosuch': expected one of"),
        ("SCORER_CLASS", "no.such.Scorer", "SCORER_CLASS=no.such.Scorer"),
        ("SCORER_PARAMS", {"k2": 1}, "unknown parameter k2"),
        ("SCORER_PAGE_FIELDS", "body", "page field 'body'"),
    ],
)
def test_a_wrong_scorer_is_named(
    folder: Path, settings: Settings, name: str, value: object, message: str
) -> None:
    topic = topic_of([folder / "topic.txt"], "", settings)
    settings.set(name, value)
    with pytest.raises(SettingError, match=message):
        scoring_of(topic, settings)
