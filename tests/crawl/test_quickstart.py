"""`make crawl`: the main job on the small web exports the right documents."""

from __future__ import annotations

import csv
import subprocess
import time
from contextlib import closing
from itertools import pairwise

import pytest

from taxocrawl.frontier.reading import open_reader
from tests.crawl.running import ROOT, Finished
from tests.sites.content import absolute
from tests.sites.expected import COUNT, EXPORTED, compare, write_truth
from tests.sites.quickstart import crawl_command
from tests.sites.server import SmallWeb


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("quickstart") / "run"
    truth = folder.with_name("truth.csv")
    with SmallWeb() as web:
        write_truth(truth, web.port)
        done = subprocess.run(
            crawl_command(web, truth, "-a", f"out={folder}"),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        yield Finished(done.returncode, done.stdout, folder), web


def test_it_ends_well_and_exports_the_right_documents(crawled) -> None:
    run, web = crawled
    assert run.code == 0, run.log
    found = compare([document["final_url"] for document in run.documents], web.port)
    assert found.right, found
    assert len(run.documents) >= COUNT


def test_each_document_came_in_the_iteration_that_links_to_it(crawled) -> None:
    run, web = crawled
    iteration = {document["final_url"]: document["iteration"] for document in run.documents}
    wrong = {
        address: iteration[absolute(address, web.port)]
        for address, expected in EXPORTED.items()
        if absolute(address, web.port) in iteration
        and iteration[absolute(address, web.port)] != expected
    }
    assert not wrong


def test_the_iteration_table_is_printed_and_written(crawled) -> None:
    run, _ = crawled
    assert "against the truth" in run.log
    with (run.folder / "iterations.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["iteration"] for row in rows] == ["0", "1", "2"]
    for row in rows:
        assert float(row["precision_after"]) > float(row["precision_before"])


def test_the_run_folder_is_whole(crawled) -> None:
    run, _ = crawled
    for document in run.documents:
        assert (run.folder / document["path"]).is_file()
        text = run.folder / "documents" / f"{document['content_hash']}.text.txt"
        assert text.read_text(encoding="utf-8").strip()
    assert run.info["outcome"] == "iterations done"
    assert run.info["ended"]
    report = (run.folder / "report.html").read_text(encoding="utf-8")
    assert "Pteropus vampyrus" in report
    assert "<script" not in report
    assert (run.folder / "bibliography.bib").read_text().count("@") >= len(run.documents)
    exported = sum(f["reason"] == "" for f in run.fetches)
    assert exported >= len(run.documents)


def test_the_frontier_tells_why_a_link_was_followed(crawled) -> None:
    run, _ = crawled
    document = next(d for d in run.documents if d["iteration"] == 1)
    with closing(open_reader(run.folder / "frontier.sqlite")) as reader:
        evidence = reader.why(document["url"])["evidence"]
    assert evidence["anchor text"].strip()
    assert 0 <= evidence["anchor"] <= 1
    assert evidence["score"] == pytest.approx(document["score"], abs=1e-5)


def test_robots_txt_and_crawl_delay_are_obeyed(crawled) -> None:
    _, web = crawled
    asked = web.requests()
    agents = {line.agent for line in asked}
    assert all(agent.startswith("taxocrawl/") for agent in agents)
    assert not [line for line in asked if line.path == "/article/109" and "127.0.0.2" in line.host]
    times = sorted(line.time for line in asked if line.host.startswith("127.0.0.2"))
    gaps = [later - earlier for earlier, later in pairwise(times[1:])]
    assert gaps
    assert min(gaps) > 0.15  # annals asks for 0.2 s; clocks of two processes


def test_nothing_of_the_crawl_was_asked_after_its_end(crawled) -> None:
    _, web = crawled
    assert max(line.time for line in web.requests()) <= time.time()
