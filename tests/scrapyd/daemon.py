"""A real scrapyd in a folder of its own, and its API."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import requests

from tests.crawl.running import ROOT, Finished

START_SECONDS = 60.0
JOB_SECONDS = 200.0
TREE = ("taxocrawl", "models", "stopwords", "goldstandard")
Parameters = Mapping[str, str | list[str]]


class Scrapyd:
    """scrapyd, served from `folder` for the time of a ``with`` block.

    With `in_tree` the folder is made to look like the source tree, with our scrapy.cfg at another
    port; else it has nothing but a configuration of scrapyd's own.
    """

    def __init__(self, folder: Path, *, in_tree: bool) -> None:
        self.folder = folder
        self.in_tree = in_tree

    def __enter__(self) -> Self:
        for _ in range(5):
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.port = probe.getsockname()[1]
            self.url = f"http://127.0.0.1:{self.port}/"
            self._configure()
            self._output = (self.folder / "scrapyd.log").open("ab")
            self._process = subprocess.Popen(
                [sys.executable, "-m", "scrapyd", "--pidfile="],
                cwd=self.folder,
                stdout=self._output,
                stderr=subprocess.STDOUT,
                env=environment(self.folder),
                start_new_session=True,
                # Of a test run in the background the shell has it ignored.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
            if self._answers():
                return self
            self._stop()
        raise AssertionError(f"scrapyd does not start: {self.output}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            for job in self.get("listjobs.json")["running"]:
                self.post("cancel.json", project=job["project"], job=job["id"], signal="KILL")
        self._stop()

    def interrupt_all(self) -> None:
        """Interrupt scrapyd and its jobs, as systemd does when it stops the service."""
        os.killpg(self._process.pid, signal.SIGINT)
        self._process.wait(timeout=60)

    def _stop(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=30)
        self._output.close()

    def _configure(self) -> None:
        if not self.in_tree:
            text = f"[scrapyd]\nhttp_port = {self.port}\npoll_interval = 0.5\nitems_dir = items\n"
            (self.folder / "scrapyd.conf").write_text(text, encoding="utf-8")
            return
        text = (ROOT / "scrapy.cfg").read_text(encoding="utf-8")
        assert text.count("6800") == 2
        text = text.replace("6800", str(self.port))
        (self.folder / "scrapy.cfg").write_text(text, encoding="utf-8")
        for name in TREE:
            link = self.folder / name
            if not link.exists():
                link.symlink_to(ROOT / name)

    def _answers(self) -> bool:
        until = time.monotonic() + START_SECONDS
        while self._process.poll() is None and time.monotonic() < until:
            try:
                return bool(self.get("daemonstatus.json")["status"] == "ok")
            except requests.ConnectionError:
                time.sleep(0.1)
        return False

    @property
    def output(self) -> str:
        """What scrapyd itself wrote."""
        return (self.folder / "scrapyd.log").read_text(encoding="utf-8", errors="replace")

    def get(self, name: str, **parameters: str) -> dict[str, Any]:
        """A call of the API that changes nothing."""
        return dict(requests.get(self.url + name, params=parameters, timeout=30).json())

    def post(self, name: str, **parameters: str | list[str]) -> dict[str, Any]:
        """A call of the API."""
        return dict(requests.post(self.url + name, data=parameters, timeout=60).json())

    def schedule(
        self, arguments: Parameters, settings: Iterable[str] = (), **parameters: str
    ) -> str:
        """The id of a new job of the spider `taxonomic`."""
        answer = self.post(
            "schedule.json",
            project="taxocrawl",
            spider="taxonomic",
            setting=list(settings),
            **parameters,
            **arguments,
        )
        assert answer["status"] == "ok", answer
        return str(answer["jobid"])

    def state(self, job: str) -> str:
        """pending, running or finished."""
        return str(self.get("status.json", job=job)["currstate"])

    def wait(self, job: str) -> dict[str, Any]:
        """The finished job, as listjobs.json has it."""
        until = time.monotonic() + JOB_SECONDS
        while time.monotonic() < until:
            for found in self.get("listjobs.json", project="taxocrawl")["finished"]:
                if found["id"] == job:
                    return dict(found)
            time.sleep(0.2)
        raise AssertionError(f"job {job} does not end: {self.output}")

    def log(self, job: str) -> str:
        """The job's log, as scrapyd hands it out."""
        address = f"{self.url}logs/taxocrawl/taxonomic/{job}.log"
        answer = requests.get(address, timeout=30)
        assert answer.status_code == 200, self.output
        return answer.content.decode("utf-8")

    def items(self, job: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The items of a finished job, as scrapyd hands them out."""
        answer = requests.get(self.url + job["items_url"].lstrip("/"), timeout=30)
        return [json.loads(line) for line in answer.content.decode("utf-8").splitlines()]

    def runs(self, job: str) -> list[Finished]:
        """The run folders that name a job."""
        folders = sorted((self.folder / "runs").glob(f"*-{job}*"))
        return [Finished(0, self.log(job), folder) for folder in folders]

    def run(self, job: str) -> Finished:
        """The only run folder that names a job."""
        (found,) = self.runs(job)
        return found


def environment(home: Path) -> dict[str, str]:
    """That of a user without configuration files and without this source tree on the path."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    kept.pop("SCRAPY_SETTINGS_MODULE", None)
    return {**kept, "HOME": str(home)}
