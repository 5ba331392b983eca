"""scrapyd started in the source tree serves it without an egg."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
import requests

from tests.scrapyd.daemon import Scrapyd

THREE = ["Pteropus vampyrus", "Đặng Vũ Tùng", "測試"]
ODD = "a=b & c=\"d\" 'e'\nnew line; 50 % + ü"
SHORT = {"iterations": "0", "max_pages": "3"}


def test_the_project_and_its_spiders_are_listed(scrapyd: Scrapyd) -> None:
    assert "taxocrawl" in scrapyd.get("listprojects.json")["projects"]
    assert {"taxonomic", "topic"} <= set(
        scrapyd.get("listspiders.json", project="taxocrawl")["spiders"]
    )


def test_round_trip(scrapyd: Scrapyd, settings, arguments) -> None:
    job = scrapyd.schedule({**arguments, "query": "Pteropus vampyrus", "iterations": "1"}, settings)
    ended = scrapyd.wait(job)

    run = scrapyd.run(job)
    assert run.info["outcome"] == "iterations done", run.log
    assert run.info["job"] == job
    assert run.info["arguments"]["query"] == "Pteropus vampyrus"
    assert "_job" not in run.info["arguments"]
    assert len(run.documents) > 3
    fed = {item["content_hash"]: item for item in scrapyd.items(ended)}
    assert {d["content_hash"] for d in run.documents} <= set(fed)
    for document in run.documents:
        assert fed[document["content_hash"]] == document
    assert f"{len(run.documents)} documents exported to" in run.log
    assert "Traceback" not in run.log


@pytest.mark.parametrize(
    "queries",
    [
        pytest.param(json.dumps(THREE, ensure_ascii=False), id="JSON list"),
        pytest.param(json.dumps(THREE), id="JSON list with escapes"),
        pytest.param(THREE, id="repeated"),
        pytest.param("@queries.txt", id="file"),
    ],
)
def test_several_queries_reach_the_spider(
    queries: str | list[str], scrapyd: Scrapyd, settings, arguments
) -> None:
    (scrapyd.folder / "queries.txt").write_text("\n".join(THREE), encoding="utf-8")
    job = scrapyd.schedule({**arguments, **SHORT, "query": queries}, settings)
    scrapyd.wait(job)
    run = scrapyd.run(job)
    assert run.info["queries"] == THREE
    assert len(run.fetches) == 3
    report = (run.folder / "report.html").read_text(encoding="utf-8")
    assert all(query in report for query in THREE)


def test_odd_characters_arrive_as_they_were_sent(scrapyd: Scrapyd, settings, arguments) -> None:
    job = scrapyd.schedule({**arguments, **SHORT, "query": ODD}, settings)
    scrapyd.wait(job)
    assert scrapyd.run(job).info["queries"] == [ODD]


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ({"seeds": " ".join(f"http://a.example/{n}" for n in range(50_000))}, "seeds=FILE"),
        # Fewer characters than the limit on a command line, more bytes than the system hands over.
        ({"query": json.dumps(["測試" * 200] * 150, ensure_ascii=False)}, "query=@FILE"),
        ({"query": ["bat " * 100 + str(n) for n in range(500)]}, "query=@FILE"),
        ({"query": "bats", "iterations": ["1", "2"]}, "iterations: given 2 times"),
    ],
    ids=["50 000 seeds", "not ASCII", "many queries", "repeated"],
)
def test_what_cannot_run_is_refused_at_once(wrong, hint: str, scrapyd: Scrapyd, arguments) -> None:
    before = scrapyd.get("daemonstatus.json")
    answer = scrapyd.post(
        "schedule.json", project="taxocrawl", spider="taxonomic", **{**arguments, **wrong}
    )
    assert answer["status"] == "error"
    assert hint in answer["message"]
    assert "\n" not in answer["message"]
    assert len(answer["message"]) < 300
    after = scrapyd.get("daemonstatus.json")
    assert (after["pending"], after["finished"]) == (before["pending"], before["finished"])


def test_what_is_not_utf_8_is_refused_at_once(scrapyd: Scrapyd) -> None:
    data = b"project=taxocrawl&spider=taxonomic&query=%D0%90%F0"
    head = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = requests.post(f"{scrapyd.url}schedule.json", data=data, headers=head, timeout=30)
    assert answer.json()["message"] == "query: expected UTF-8"


def test_the_longest_argument_accepted_can_be_started(scrapyd: Scrapyd, arguments) -> None:
    long = json.dumps(["ü" * 499] * 95, ensure_ascii=False)
    assert 95_000 < len(long.encode()) < 100_000
    job = scrapyd.schedule({**arguments, "query": long, "expand": "wild"})
    scrapyd.wait(job)
    assert "expand=wild: expected one of" in scrapyd.log(job)


@pytest.mark.parametrize(
    ("arguments", "settings", "line"),
    [
        ({"query": "bats", "selection": "worst"}, (), "selection=worst"),
        ({"query": "bats", "seeds": "no/such/file.txt"}, (), "no/such/file.txt"),
        ({"query": "bats", "colour": "red"}, (), "colour=: no such argument"),
        ({"query": "bats", "resume": "no-such-run"}, (), "no-such-run"),
        ({"query": "bats"}, ("DOWNLOAD_DELAY=-1",), "DOWNLOAD_DELAY"),
    ],
)
def test_a_failed_start_is_one_clear_line_of_the_job_log(
    arguments, settings, line: str, scrapyd: Scrapyd
) -> None:
    job = scrapyd.schedule(arguments, settings)
    scrapyd.wait(job)
    log = scrapyd.log(job)
    (told,) = [entry for entry in log.splitlines() if "CRITICAL" in entry]
    assert line in told
    assert "Traceback" not in log


def test_two_jobs_at_once_have_folders_of_their_own(scrapyd: Scrapyd, settings, arguments) -> None:
    asked = {**arguments, **SHORT, "query": "Pteropus vampyrus"}
    jobs = [scrapyd.schedule(asked, settings, jobid=f"twin-{n}") for n in (1, 2)]
    # A job may be given the id of an earlier one.
    scrapyd.wait(jobs[0])
    jobs += [scrapyd.schedule(asked, settings, jobid="twin-1")]
    for job in jobs:
        scrapyd.wait(job)
    until = time.monotonic() + 60
    while len(scrapyd.runs("twin-1")) < 2 and time.monotonic() < until:
        time.sleep(0.2)
    folders = {run.folder for job in jobs for run in scrapyd.runs(job)}
    assert len(folders) == 3


def test_two_jobs_told_to_share_a_folder_do_not_mix(
    scrapyd: Scrapyd, settings, arguments, tmp_path: Path
) -> None:
    folder = tmp_path / "shared"
    asked = {**arguments, **SHORT, "query": "Pteropus vampyrus", "out": str(folder)}
    jobs = [scrapyd.schedule(asked, settings) for _ in range(2)]
    for job in jobs:
        scrapyd.wait(job)
    refused = [job for job in jobs if "has files in it (run.json)" in scrapyd.log(job)]
    assert len(refused) == 1
    assert json.loads((folder / "run.json").read_text(encoding="utf-8"))["job"] not in refused
