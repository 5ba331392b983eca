from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from taxocrawl.classify.forest import Forest, cross_validated_accuracy
from taxocrawl.commands._training_pages import TrainingPages
from taxocrawl.commands.trainingset import OFF_TOPIC
from taxocrawl.exceptions import TrainingError
from taxocrawl.items import Category
from taxocrawl.text.files import read_entries
from tests.crawl.running import ROOT

ON, OFF = Category.TAXONOMIC, Category.NON_TAXONOMIC


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
