"""A cancelled job can be gone on with, and a finished one visited again."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from collections import Counter
from configparser import ConfigParser
from pathlib import Path

import pytest

from tests.crawl.running import ROOT, Finished, crawl
from tests.scrapyd.daemon import Scrapyd, environment

QUERY = {"query": "Pteropus vampyrus", "iterations": "1"}


def _finished(scrapyd: Scrapyd, job: str, folder: Path) -> Finished:
    return Finished(0, scrapyd.log(job), folder)


def _wait_for_pages(run: Finished, number: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if (run.folder / "fetches.csv").exists() and len(run.fetches) >= number:
            return
        time.sleep(0.05)
    raise AssertionError(f"no {number} pages: {run.log}")


@pytest.fixture(scope="module")
def cancelled(
    scrapyd: Scrapyd, settings, arguments, tmp_path_factory: pytest.TempPathFactory
) -> Finished:
    """The run of a job that was cancelled after its first pages."""
    folder = tmp_path_factory.mktemp("cancelled") / "run"
    job = scrapyd.schedule(
        {**arguments, **QUERY, "out": str(folder)}, (*settings, "DOWNLOAD_DELAY=0.5")
    )
    run = Finished(0, "", folder)
    _wait_for_pages(run, 3)

    other = scrapyd.schedule({"resume": str(folder)}, settings)
    scrapyd.wait(other)
    log = scrapyd.log(other)
    assert "in use by another process" in log, log
    assert "Traceback" not in log
    assert run.info["job"] == job

    answer = scrapyd.post("cancel.json", project="taxocrawl", job=job)
    assert answer["prevstate"] == "running"
    scrapyd.wait(job)
    return _finished(scrapyd, job, folder)


def test_cancelling_ends_a_run_in_good_order(cancelled: Finished) -> None:
    assert cancelled.info["outcome"] == "interrupted"
    assert cancelled.info["ended"]
    assert f"go on with -a resume={cancelled.folder}" in cancelled.log
    assert "Traceback" not in cancelled.log
    assert (cancelled.folder / "report.html").is_file()


def test_a_cancelled_run_goes_on_to_the_end_of_an_undisturbed_one(
    cancelled: Finished, scrapyd: Scrapyd, settings, arguments, tmp_path: Path
) -> None:
    asked = [f"{name}={value}" for name, value in {**arguments, **QUERY}.items()]
    undisturbed = crawl(tmp_path / "undisturbed", *asked, settings=settings)
    before = len(cancelled.fetches)
    assert before < len(undisturbed.fetches)

    job = scrapyd.schedule({"resume": str(cancelled.folder)}, settings)
    scrapyd.wait(job)

    resumed = _finished(scrapyd, job, cancelled.folder)
    assert resumed.info["outcome"] == "iterations done", resumed.log
    assert resumed.info["job"] == job
    assert Counter(d["content_hash"] for d in resumed.documents) == Counter(
        d["content_hash"] for d in undisturbed.documents
    )


def test_stopping_the_service_interrupts_its_jobs_in_good_order(
    settings, arguments, tmp_path: Path
) -> None:
    run = Finished(0, "", tmp_path / "run")
    with Scrapyd(tmp_path, in_tree=True) as daemon:
        daemon.schedule(
            {**arguments, **QUERY, "out": str(run.folder)}, (*settings, "DOWNLOAD_DELAY=0.5")
        )
        _wait_for_pages(run, 2)
        daemon.interrupt_all()
        until = time.monotonic() + 60
        while not run.info["ended"] and time.monotonic() < until:
            time.sleep(0.1)
    assert run.info["outcome"] == "interrupted"
    assert not [fetch for fetch in run.fetches if fetch["reason"] == "worker died"]


def test_a_waiting_job_is_cancelled_before_it_starts(scrapyd: Scrapyd, arguments) -> None:
    # Jobs start at the next poll at the earliest; the answer says which case it was.
    job = scrapyd.schedule({**arguments, **QUERY, "selection": "worst"})
    state = scrapyd.post("cancel.json", project="taxocrawl", job=job)["prevstate"]
    if state == "pending":
        assert scrapyd.state(job) == "None"
    else:
        scrapyd.wait(job)


def test_the_nightly_recipe_visits_a_run_again(scrapyd: Scrapyd, settings, arguments, web) -> None:
    """The command of deploy/taxocrawl-revisit.service, as it stands, for a run of that name."""
    folder = scrapyd.folder / "runs" / "bats"
    first = scrapyd.schedule(
        {**arguments, **QUERY, "iterations": "0", "out": "runs/bats"}, settings
    )
    scrapyd.wait(first)
    before = len(_finished(scrapyd, first, folder).fetches)

    done = subprocess.run(
        [
            *_recipe(),
            *("--arg", "setting=REVISIT_INTERVAL=0.001", "--arg", "setting=DOWNLOAD_DELAY=0"),
            *("--arg", "setting=AUTOTHROTTLE_ENABLED=False"),
        ],
        cwd=scrapyd.folder,
        env=environment(scrapyd.folder),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    job = done.stdout.split("=>")[1].strip()
    scrapyd.wait(job)

    run = _finished(scrapyd, job, folder)
    assert run.info["job"] == job
    assert len(run.fetches) > before
    assert run.info["arguments"]["revisit"] == "uniform"


def _recipe() -> list[str]:
    unit = ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment]
    unit.read(ROOT / "deploy" / "taxocrawl-revisit.service", encoding="utf-8")
    assert unit["Service"]["WorkingDirectory"] == "/opt/taxocrawl"
    command = shlex.split(unit["Service"]["ExecStart"])
    assert command[0] == "/opt/taxocrawl/.venv/bin/scrapyd-client"
    return [str(Path(sys.executable).with_name("scrapyd-client")), *command[1:]]
