"""What `scrapy experiment diversified` makes of its arguments and of finished runs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from scrapy.settings import Settings

from taxocrawl.commands import _experiment_diversified as experiment
from taxocrawl.commands._diversified_report import write_report
from taxocrawl.evaluate.aspects import AspectFigures, aspect_fields, aspect_rows
from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.runs.folder import RunFolder
from tests.crawl.running import ROOT

TOPIC = {
    "name": "bats",
    "query": "bats",
    "topic": "bats chiroptera",
    "aspects": {
        "diet": {"categories": ["Diet"], "phrases": "figs"},
        "range": {"categories": ["Islands", "Caves"], "phrases": "island cave"},
    },
}


def options(folder: Path, *more: str) -> argparse.Namespace:
    (folder / "topics.json").write_text(json.dumps([TOPIC]), encoding="utf-8")
    parser = argparse.ArgumentParser()
    experiment.add_arguments(parser)
    parser.add_argument("--set", "-s", action="append", default=[])
    return parser.parse_args(["--out", str(folder / "runs"), *more])


def test_topics_become_folders(tmp_path: Path) -> None:
    options(tmp_path)
    (topic,) = experiment.read_topics(tmp_path / "topics.json", tmp_path / "runs")
    assert topic.aspects == ["diet", "range"]
    assert topic.categories == {"diet": ["Diet"], "range": ["Islands", "Caves"]}
    assert (topic.folder / "topic.txt").read_text(encoding="utf-8") == "bats chiroptera"


@pytest.mark.parametrize("name", ["diversified-topics", "diversified-tuning-topics"])
def test_shipped_topics_can_be_read_and_do_not_share_categories(tmp_path: Path, name: str) -> None:
    topics = experiment.read_topics(ROOT / f"docs/experiments/{name}.json", tmp_path)
    assert len(topics) >= 3
    for topic in topics:
        used = [category for each in topic.categories.values() for category in each]
        assert len(set(used)) == len(used) >= len(topic.aspects) >= 3


def test_topics_reported_are_not_those_tuned_on(tmp_path: Path) -> None:
    def categories(name: str) -> set[str]:
        topics = experiment.read_topics(ROOT / f"docs/experiments/{name}.json", tmp_path)
        return {c for t in topics for each in t.categories.values() for c in each}

    assert not categories("diversified-topics") & categories("diversified-tuning-topics")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--crawlers", "NoDiv;Loud"], "--crawlers Loud: expected some of NoDiv; DivAware"),
        ([], "--topic: expected the name of a topic's folder"),
        (["--topic", "nobody"], "--topic nobody: no .*seeds.txt"),
        (["--web", "serve.py"], "--web and --topics: expected both or none"),
    ],
)
def test_wrong_arguments_are_named(tmp_path: Path, arguments: list[str], message: str) -> None:
    settings = Settings({"GOLDSTANDARD_DIR": str(tmp_path)})
    with pytest.raises(ArgumentError, match=message):
        experiment.run(options(tmp_path, *arguments), settings)


def test_a_file_of_another_form_is_named(tmp_path: Path) -> None:
    path = tmp_path / "topics.json"
    path.write_text('[{"name": "bats"}]', encoding="utf-8")
    with pytest.raises(InputFileError, match=r"topics\.json: expected a JSON list of topics"):
        experiment.read_topics(path, tmp_path)


def _finished(folder: RunFolder, *slugs: str) -> None:
    folder.create()
    for name in slugs:
        url = f"http://a.example/{name}"
        fetch = {"url": url, "final_url": url, "status": 200, "kind": "html", "iteration": 0}
        folder.append_fetch(fetch)
    rows = aspect_rows(["diet", "range"], [AspectFigures(len(slugs), (1, 0), (0, 1))])
    folder.write_aspects(aspect_fields(["diet", "range"]), rows)
    folder.report.write_text("", encoding="utf-8")


def _truth(out: Path) -> None:
    out.mkdir()
    for category, pages in {"Diet": "figs", "Islands": "java", "Caves": "bracken"}.items():
        listed = "".join(
            f"http://a.example/{page},{'relevant' if page == pages else 'other'}\n"
            for page in ("figs", "java", "bracken", "rail")
        )
        (out / f"{category}.csv").write_text(f"url,label\n{listed}", encoding="utf-8")


def test_finished_runs_are_read_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = options(
        tmp_path,
        *("--web", "serve.py", "--topics", str(tmp_path / "topics.json"), "--reuse"),
        *("--seed-sets", "1", "--crawlers", "NoDiv;DivAware"),
    )
    _truth(given.out)
    _finished(RunFolder(given.out / "bats-0-nodiv"), "figs", "rail")
    _finished(RunFolder(given.out / "bats-0-divaware"), "figs", "java", "rail", "bracken")
    monkeypatch.setattr(experiment, "served", lambda options: experiment.contextlib.nullcontext())
    monkeypatch.setattr(experiment, "search", lambda *_: ["http://a.example/figs"])

    assert experiment.run(given, Settings({"GOLDSTANDARD_DIR": str(tmp_path)})) == 0
    report = (given.out / "diversified.md").read_text(encoding="utf-8")
    assert report in capsys.readouterr().out
    assert "without a page filter" in report
    assert "| bats | NoDiv | 0.250 |" in report
    assert "| bats | DivAware | 0.375 |" in report
    assert "diet 1.0, range 2.0" in report
    plot = (given.out / "diversified-bats-precision.svg").read_text(encoding="utf-8")
    assert plot.count("<polyline") == 2
    assert "diversified-bats-deviation.svg" in report


def _stored(path: str, text: str, *links: str) -> str:
    url = f"http://a.example/{path}"
    found = [[f"http://a.example/{link}", link, link] for link in links]
    fields = dict.fromkeys(("title", "keywords", "description", "image_text"), "")
    return json.dumps({"url": url, "found": True, **fields, "text": text, "links": found})


def test_crawls_are_replayed_over_stored_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = options(
        tmp_path,
        *("--web", "serve.py", "--topics", str(tmp_path / "topics.json"), "--batch", "1"),
        *("--seed-sets", "1", "--crawlers", "NoDiv;DivAware", "--pages", "3"),
        *("--replay", str(tmp_path / "web.jsonl")),
    )
    given.out.mkdir()
    for category, page in {"Diet": "figs", "Islands": "island", "Caves": "cave"}.items():
        listed = f"url,label\nhttp://a.example/{page},relevant\n"
        (given.out / f"{category}.csv").write_text(listed, encoding="utf-8")
    pages = [
        _stored("bats", "bats of the chiroptera", "bats-chiroptera", "figs", "island", "cave"),
        _stored("bats-chiroptera", "bats chiroptera chiroptera"),
        _stored("figs", "bats eat figs"),
        _stored("island", "an island and its bats"),
        _stored("cave", "a cave"),
    ]
    (tmp_path / "web.jsonl").write_text("\n".join([*pages, ""]), encoding="utf-8")
    monkeypatch.setattr(experiment, "served", lambda options: experiment.contextlib.nullcontext())
    monkeypatch.setattr(experiment, "search", lambda *_: ["http://a.example/bats"])
    settings = Settings()
    settings.setmodule("taxocrawl.settings")

    assert experiment.run(given, settings) == 0
    report = (given.out / "diversified.md").read_text(encoding="utf-8")
    assert "| bats | NoDiv |" in report
    lines = [line for line in report.splitlines() if line.startswith("| bats | ")]
    relevant = {line.split(" | ")[1]: line.split(" | ")[-1] for line in lines}
    # By the topic alone the page of the topic's own words comes first; the aspects leave it out.
    assert relevant["NoDiv"] == "diet 1.0, range 0.0 |"
    assert relevant["DivAware"] == "diet 1.0, range 1.0 |"
    assert "without a page filter, replayed over stored pages" in report


def test_a_replay_needs_a_web(tmp_path: Path) -> None:
    folder = tmp_path / "gold" / "bats"
    folder.mkdir(parents=True)
    (folder / "seeds.txt").write_text("http://a.example/\n", encoding="utf-8")
    given = options(tmp_path, "--topic", "bats", "--replay", str(tmp_path / "web.jsonl"))
    with pytest.raises(ArgumentError, match="--replay: expected --web and --topics with it"):
        experiment.run(given, Settings({"GOLDSTANDARD_DIR": str(tmp_path / "gold")}))


def test_the_report_says_that_pages_were_filtered(tmp_path: Path) -> None:
    given = options(tmp_path, "--web", "serve.py", "-s", "MODELS_DIR=models")
    write_report(tmp_path / "report.md", [], [], given)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "with the topic's random forest as page filter" in text
    assert "without a page filter" not in text


class _Replays:
    """Replays that fetch one page, whatever they are asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def fetches(
        self, way: dict[str, str], folder: Path, query: str, seeds: list[str], pages: int
    ) -> list[dict[str, object]]:
        self.asked.append(way.get("aspects", "on"))
        url = "http://a.example/java"
        aspects = {"diet": 0.0, "range": 0.9}
        return [{"url": url, "final_url": url, "status": 200, "iteration": 0, "aspects": aspects}]


@pytest.mark.parametrize("reuse", [True, False])
def test_with_reuse_only_crawls_that_are_not_there_are_replayed(
    tmp_path: Path, reuse: bool
) -> None:
    given = options(tmp_path, *(["--reuse"] if reuse else []))
    _truth(given.out)
    (topic,) = experiment.read_topics(tmp_path / "topics.json", given.out)
    _finished(RunFolder(given.out / "bats-0-nodiv"), "figs", "rail")
    seeds, replays = tmp_path / "seeds.txt", _Replays()
    seeds.write_text("http://a.example/\n", encoding="utf-8")

    found = [
        experiment.crawl(crawler, topic, 0, seeds, given, replays)
        for crawler in ("NoDiv", "DivAware")
    ]
    counted = [result.coverage and result.coverage.counts.relevant for result in found]
    assert replays.asked == (["on"] if reuse else ["off", "on"])
    assert counted == ([(1, 0), (0, 1)] if reuse else [(0, 1), (0, 1)])

    again = experiment.crawl("DivAware", topic, 0, seeds, given, replays)
    assert replays.asked.count("on") == (1 if reuse else 2)
    assert again.aspects == found[1].aspects
    assert again.coverage == found[1].coverage
