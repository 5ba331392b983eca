"""The spider `diversified` on the small web."""

from __future__ import annotations

import csv
import random
import subprocess
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from taxocrawl.diversify.weights import make_weights
from taxocrawl.frontier.base import State
from taxocrawl.frontier.reading import open_reader
from taxocrawl.frontier.redis.store import RedisFrontier
from tests.crawl.killing import kill_again_and_again
from tests.crawl.running import FAST, ROOT, Finished, crawl_by, crawl_command
from tests.redisserver import RedisServer
from tests.sites.server import SmallWeb

ASPECTS = {
    "conservation": "threatened endangered conservation hunting habitat loss protection",
    "ecology": "diet fruit roost colony feeding forest behaviour",
    "taxonomy": "holotype new species description genus synonym diagnosis",
}


def topic_folder(folder: Path, aspects: dict[str, str] = ASPECTS) -> Path:
    (folder / "aspects").mkdir(parents=True)
    (folder / "topic.txt").write_text("bats flying foxes Pteropus", encoding="utf-8")
    for name, phrases in aspects.items():
        (folder / "aspects" / f"{name}.txt").write_text(f"# ours\n{phrases}\n", encoding="utf-8")
    return folder


BATCHES = ("batch=6", "iterations=4")


def command(folder: Path, topic: Path, web: SmallWeb, *arguments: str) -> list[str]:
    return crawl_command(
        folder,
        f"topic={topic}",
        "query=Pteropus vampyrus",
        "seeds=crossref",
        *(() if "selection=all" in arguments else BATCHES),
        *arguments,
        settings=(*FAST, "CONCURRENT_REQUESTS=1", f"CROSSREF_URL={web.url('search', '/works')}"),
        spider="diversified",
    )


def run(folder: Path, topic: Path, web: SmallWeb, *arguments: str) -> Finished:
    return crawl_by(command(folder, topic, web, *arguments), folder)


def aspects_csv(done: Finished) -> list[dict[str, str]]:
    with (done.folder / "aspects.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def web() -> Iterator[SmallWeb]:
    with SmallWeb() as web:
        yield web


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory, web: SmallWeb) -> Finished:
    folder = tmp_path_factory.mktemp("diversified")
    done = run(folder / "run", topic_folder(folder / "bats"), web, "weights=inverse")
    assert done.code == 0, done.log
    return done


def test_weights_follow_from_the_totals_of_the_batches_before(crawled: Finished) -> None:
    rows = aspects_csv(crawled)
    assert [row["batch"] for row in rows] == ["0", "1", "2", "3", "4"]
    weights = [[float(row[f"weight {name}"]) for name in ASPECTS] for row in rows]
    assert weights[0] == pytest.approx([1 / 3] * 3)
    assert len({tuple(of_batch) for of_batch in weights}) == 5
    assert [sum(of_batch) for of_batch in weights] == pytest.approx([1] * 5, abs=3e-6)
    frontier = open_reader(crawled.folder / "frontier.sqlite")
    totals = frontier.totals("aspects")
    kept = frontier.get_meta("aspect weights")
    assert len(kept) == 6
    # The last weights, for a batch that was not asked for, come from the totals as they stand.
    assert kept[-1] == pytest.approx(make_weights("inverse")(totals).tolist())


def test_waiting_links_have_the_scores_of_the_last_weights(crawled: Finished) -> None:
    frontier = open_reader(crawled.folder / "frontier.sqlite")
    weights = frontier.get_meta("aspect weights")[-1]
    waiting = [e for e in frontier.entries(State.KNOWN) if "by_aspect" in e.evidence]
    assert len(waiting) > 5
    for entry in waiting:
        topic, *aspects = entry.evidence["by_aspect"]
        mixed = sum(w * score for w, score in zip(weights, aspects, strict=True))
        assert entry.score == pytest.approx(0.5 * topic + 0.5 * mixed, abs=1e-6)
        assert entry.evidence["score"] == entry.score


def test_figures_are_of_the_pages_fetched(crawled: Finished) -> None:
    last = aspects_csv(crawled)[-1]
    downloaded = [f for f in crawled.fetches if f["status"] == "200"]
    assert int(last["pages"]) == len(downloaded)
    relevant = [int(last[f"relevant {name}"]) for name in ASPECTS]
    assert any(relevant)
    assert float(last["precision_ia"]) == pytest.approx(
        sum(relevant) / 3 / len(downloaded), abs=1e-6
    )


def test_the_report_shows_the_aspects(crawled: Finished) -> None:
    report = (crawled.folder / "report.html").read_text(encoding="utf-8")
    assert '<h2 id="aspects">Aspects</h2>' in report
    assert "Weights of the aspects by batch" in report
    assert "aspects.csv" in report
    assert crawled.info["aspects"] == list(ASPECTS)
    assert crawled.info["settings"]["DIVERSIFY_WEIGHTS"] == "inverse"
    assert crawled.info["settings"]["SELECTION_POLICY"] == "recent-half"


def test_without_aspects_in_the_scores_they_are_measured_all_the_same(
    tmp_path: Path, web: SmallWeb
) -> None:
    topic = topic_folder(tmp_path / "bats")
    done = run(tmp_path / "off", topic, web, "aspects=off", "iterations=1")
    assert done.code == 0, done.log
    last = aspects_csv(done)[-1]
    assert any(int(last[f"relevant {name}"]) for name in ASPECTS)
    assert last["weight ecology"] == "n/a"
    frontier = open_reader(done.folder / "frontier.sqlite")
    assert frontier.totals("aspects") == []
    assert not any("by_aspect" in entry.evidence for entry in frontier.entries())


def test_without_any_aspect_it_says_so_and_crawls(tmp_path: Path, web: SmallWeb) -> None:
    topic = topic_folder(tmp_path / "bats", {})
    done = run(tmp_path / "run", topic, web, "iterations=1", "max_pages=8")
    assert done.code == 0, done.log
    assert "no aspects (expected files <aspect>.txt)" in done.log
    assert "crawling without aspects" in done.log
    assert len(done.fetches) == 8
    assert not (done.folder / "aspects.csv").exists()


def test_odd_aspects_are_named_and_the_crawl_goes_on(tmp_path: Path, web: SmallWeb) -> None:
    aspects = {"empty": "", "rails": "locomotivqx", "ships": "steamshipqx", "boats": "steamshipqx"}
    topic = topic_folder(tmp_path / "bats", aspects)
    done = run(tmp_path / "run", topic, web, "iterations=2", "max_pages=12")
    assert done.code == 0, done.log
    assert "empty.txt: no phrases, the aspect is left out" in done.log
    assert "ships.txt: the same phrases as of boats: the two cannot be told apart" in done.log
    assert "Traceback" not in done.log
    assert len(done.fetches) == 12
    # No page has any word of an aspect: totals stay zero, and weights equal.
    assert {row["weight rails"] for row in aspects_csv(done)} == {"0.333333"}
    assert {row["share_stdev"] for row in aspects_csv(done)} == {"n/a"}


def test_an_interrupted_run_goes_on_with_the_weights_of_an_undisturbed_one(
    tmp_path: Path, crawled: Finished, web: SmallWeb
) -> None:
    topic = crawled.folder.parent / "bats"
    folder = tmp_path / "killed"
    kills = kill_again_and_again(
        lambda again: command(
            folder, topic, web, "weights=inverse", *([f"resume={folder}"] if again else [])
        ),
        folder,
        kills=4,
        longest=_seconds(crawled) / 2,
        dice=random.Random(20261128),
    )
    resumed = run(folder, topic, web, "weights=inverse", f"resume={folder}")
    assert resumed.code == 0, resumed.log
    assert kills >= 2
    before, after = (open_reader(done.folder / "frontier.sqlite") for done in (crawled, resumed))
    assert after.get_meta("aspect weights") == before.get_meta("aspect weights")
    assert after.totals("aspects") == before.totals("aspects")
    assert aspects_csv(resumed) == aspects_csv(crawled)


def _seconds(run: Finished) -> float:
    times = [datetime.fromisoformat(fetch["time"]) for fetch in run.fetches]
    return (times[-1] - times[0]).total_seconds()


def test_a_resumed_run_must_have_the_same_aspects(crawled: Finished, web: SmallWeb) -> None:
    topic = crawled.folder.parent / "bats"
    (topic / "aspects" / "flight.txt").write_text("wings", encoding="utf-8")
    again = run(crawled.folder, topic, web, "weights=inverse", f"resume={crawled.folder}")
    (topic / "aspects" / "flight.txt").unlink()
    assert again.code == 2
    assert (
        "has the aspects conservation, ecology, flight, taxonomy, the resumed run began with "
        "conservation, ecology, taxonomy"
    ) in again.log


@pytest.mark.redis
def test_two_workers_share_the_totals_and_weights(tmp_path: Path, web: SmallWeb) -> None:
    """Every page of two iterations, by one process and by two: the same totals and weights."""
    topic = topic_folder(tmp_path / "bats")
    whole = ("selection=all", "iterations=1", "weights=inverse")
    alone = run(tmp_path / "alone", topic, web, *whole)
    assert alone.code == 0, alone.log
    before = open_reader(alone.folder / "frontier.sqlite")
    server = RedisServer(tmp_path / "redis")
    server.start()
    try:
        shared = [
            *command(tmp_path / "shared", topic, web, *whole),
            "-s",
            f"REDIS_URL={server.url}",
        ]
        shared += ["-s", "FRONTIER_BACKEND=redis"]
        workers = [subprocess.Popen(shared, cwd=ROOT, stdout=subprocess.DEVNULL) for _ in range(2)]
        assert [worker.wait(timeout=200) for worker in workers] == [0, 0]
        after = RedisFrontier(server.client(), "shared", patience=5.0)
        found = Counter(str(fetch["url"]) for fetch in after.fetches())
        assert found == Counter(str(fetch["url"]) for fetch in before.fetches())
        assert after.totals("aspects") == before.totals("aspects")
        assert after.get_meta("aspect weights") == before.get_meta("aspect weights")
        after.close()
    finally:
        server.stop()
    assert len(before.get_meta("aspect weights")) == 3
    assert aspects_csv(Finished(0, "", tmp_path / "shared")) == aspects_csv(alone)
