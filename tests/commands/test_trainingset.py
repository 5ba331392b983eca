from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from taxocrawl.classify.forest import Forest, cross_validated_accuracy
from taxocrawl.commands._training_pages import TrainingPages
from taxocrawl.commands.trainingset import OFF_TOPIC
from taxocrawl.exceptions import TrainingError
from taxocrawl.items import Category
from taxocrawl.text.files import read_entries
from tests.crawl.running import FAST, ROOT, crawl
from tests.site import Answer, Site

ON, OFF = Category.TAXONOMIC, Category.NON_TAXONOMIC
WORDS = {
    "bats": "bat wing roost fruit species echolocation cave colony insect night".split(),
    "cars": "car engine wheel road brake driver petrol gearbox tyre motor".split(),
    "chess": "chess board pawn queen rook opening master tournament move mate".split(),
}
COMMON = "the of and in with from about known found large small first".split()


class Pages(dict[str, Any]):
    """Twelve pages of each of `WORDS` that link to one another, and a search for them."""

    def __init__(self) -> None:
        rng = random.Random(0)
        for name, own in WORDS.items():
            for n in range(12):
                text = " ".join(rng.choices(own + COMMON, k=120))
                other = rng.choice(list(WORDS))
                links = "".join(
                    f'<p>{rng.choice(WORDS[to])} <a href="/{to}/{(n + 1) % 12}">{to}</a></p>'
                    for to in (name, other)
                )
                self[f"/{name}/{n}"] = Answer(f"<title>{name} {n}</title><p>{text}</p>{links}")

    def get(self, path: str, default: Any = None) -> Any:
        if not path.startswith("/works?"):
            return super().get(path, default)
        asked = parse_qs(path.partition("?")[2])
        name, rows = asked["query.bibliographic"][0], int(asked["rows"][0])
        found = [p for p in self if p.startswith(f"/{name}/")][:rows]
        items = [{"URL": self.url + p, "title": [p], "DOI": "10.5555" + p} for p in found]
        message = {"total-results": len(found), "items": items, "next-cursor": "end"}
        return Answer(json.dumps({"message": message}), headers={"Content-Type": "text/json"})

    url = ""


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site("127.0.0.1")
    site.pages = Pages()
    site.pages.url = site.url("")
    yield site
    site.close()


def trainingset(site: Site, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    off_topic = folder / "off-topic.txt"
    off_topic.write_text("cars\nchess\n")
    command = [sys.executable, "-m", "scrapy", "trainingset", "--topic", "bats", "--query", "bats"]
    command += ["--off-topic", str(off_topic), "--seeds", "crossref", "--out", str(folder / "set")]
    for setting in (*FAST, f"CROSSREF_URL={site.url('/works')}", f"MODELS_DIR={folder / 'models'}"):
        command += ["-s", setting]
    return subprocess.run(
        [*command, *options], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )


def test_pages_are_gathered_once_and_the_forest_filters_a_crawl(site: Site, tmp_path: Path) -> None:
    done = trainingset(site, tmp_path, "--positives", "6", "--negatives", "6")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("6 non-taxonomic, 6 taxonomic: cross-validated accuracy ")
    rows = TrainingPages(tmp_path / "set").rows()
    names = [row["url"].removeprefix(site.url("/")).partition("/")[0] for row in rows]
    assert sorted(names) == ["bats"] * 6 + ["cars"] * 3 + ["chess"] * 3
    assert {(row["query"], row["label"]) for row in rows} == {
        ("bats", ON.value),
        ("cars", OFF.value),
        ("chess", OFF.value),
    }
    model = tmp_path / "models" / "bats" / "html-forest"
    card = (model / "MODEL.md").read_text()
    assert "cross-validated accuracy 1.000" in card
    assert "out-of-bag accuracy" in card

    # Asked for more, it fetches what is missing alone.
    site.asked.clear()
    done = trainingset(site, tmp_path, "--positives", "8", "--negatives", "8")
    assert done.returncode == 0, done.stderr
    assert sorted(p for p in site.paths if "works" not in p and "robots" not in p) == [
        "/bats/6",
        "/bats/7",
        "/cars/3",
        "/chess/3",
    ]

    def fetched(name: str) -> list[str]:
        run = crawl(
            tmp_path / name,
            f"topic={topic}",
            f"seeds={seeds}",
            f"filter={name}",
            "max_pages=12",
            settings=(*FAST, f"MODELS_DIR={tmp_path / 'models'}", "CONCURRENT_REQUESTS=1"),
            spider="topic",
        )
        assert run.code == 0, run.log
        return [fetch["url"].removeprefix(site.url("/")).partition("/")[0] for fetch in run.fetches]

    topic, seeds = tmp_path / "bats", tmp_path / "seeds.txt"
    topic.mkdir()
    (topic / "topic.txt").write_text("night")  # so that the scores tell little
    seeds.write_text("\n".join(site.url(f"/{name}/0") for name in WORDS))
    assert fetched("forest").count("bats") > fetched("none").count("bats")


def test_pages_are_there_again_after_an_interruption(tmp_path: Path) -> None:
    pages = TrainingPages(tmp_path / "set")
    pages.add("http://h/1", "bats", ON, b"<title>Bats</title><p>fruit bats")
    pages.add("http://h/2", "cars", OFF, b'<p>cars, "fast"')
    pages.add("http://h/3", "cars", OFF, b"")
    again = TrainingPages(tmp_path / "set")
    assert (again.count(ON), again.count(OFF)) == (1, 2)
    assert [row["url"] for row in again.rows()] == ["http://h/1", "http://h/2", "http://h/3"]
    texts, labels = again.samples()
    assert texts == ["Bats\nfruit bats", 'cars, "fast"']  # a page without text is no example
    assert labels == [ON, OFF]


def test_services_out_of_reach_end_it_with_one_line(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/works"
        done = subprocess.run(
            [sys.executable, "-m", "scrapy", "trainingset", "--topic", "bats", "--query", "bats"]
            + ["--seeds", "crossref", "--out", str(tmp_path / "set")]
            + ["-s", f"CROSSREF_URL={address}", "-s", "SEED_MAX_RETRIES=0"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 2, done.stderr
    *searches, last = done.stderr.strip().splitlines()
    assert len(searches) == 3, done.stderr
    assert searches[0].startswith("bats: no seed provider answered: crossref")
    assert last.startswith("taxocrawl: no seed provider answered: crossref")
    assert last.endswith("the same call goes on from 0 pages")


def test_seeds_that_cannot_be_used_are_told_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "trainingset", "--topic", "bats", "--query", "bats"]
        + ["--seeds", str(tmp_path / "empty.txt"), "--out", str(tmp_path / "set")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert "empty.txt" in done.stderr
    assert not (tmp_path / "set").exists()


def test_off_topic_queries_are_many_and_differ() -> None:
    queries = read_entries(OFF_TOPIC, "queries")
    assert len(set(queries)) == len(queries) >= 25


def test_cross_validation_judges_texts_that_were_held_out() -> None:
    texts = [f"train station number{n} common" for n in range(15)]
    texts += [f"bird nest number{n} common" for n in range(15, 30)]
    labels = [ON] * 15 + [OFF] * 15
    assert cross_validated_accuracy(lambda: Forest(trees=40), texts, labels) == 1.0
    # Labels that the words say nothing about: held-out texts are guessed at, seen ones known.
    random = [ON if n % 2 else OFF for n in range(30)]
    guessed = cross_validated_accuracy(lambda: Forest(trees=40), texts, random)
    assert guessed < 0.8
    with pytest.raises(TrainingError):
        cross_validated_accuracy(Forest, texts[:2], [ON, ON])
