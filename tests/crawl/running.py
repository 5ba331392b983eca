"""Runs `scrapy crawl` as a user does, in a process of its own."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FAST = (
    "DOWNLOAD_DELAY=0",
    "AUTOTHROTTLE_ENABLED=False",
    "RETRY_TIMES=1",
    "HOST_BACKOFF_START=0.02",
)


@dataclass(frozen=True)
class Finished:
    """A crawl that ended."""

    code: int
    log: str
    folder: Path

    @property
    def fetches(self) -> list[dict[str, str]]:
        with (self.folder / "fetches.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    @property
    def documents(self) -> list[dict[str, Any]]:
        text = (self.folder / "documents.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    @property
    def info(self) -> dict[str, Any]:
        return dict(json.loads((self.folder / "run.json").read_text(encoding="utf-8")))

    @property
    def reasons(self) -> dict[str, str]:
        """Reason by path of the URL asked for."""
        return {f["url"].split("/", 3)[3]: f["reason"] for f in self.fetches}


def crawl_command(
    folder: Path, *arguments: str, settings: tuple[str, ...] = FAST, spider: str = "taxonomic"
) -> list[str]:
    """The command line; arguments are NAME=VALUE of the spider."""
    command = [sys.executable, "-m", "scrapy", "crawl", spider]
    for argument in (*arguments, f"out={folder}"):
        command += ["-a", argument]
    for setting in settings:
        command += ["-s", setting]
    return command


def crawl(
    folder: Path,
    *arguments: str,
    settings: tuple[str, ...] = FAST,
    timeout: float = 120,
    spider: str = "taxonomic",
) -> Finished:
    """Crawl to the end."""
    command = crawl_command(folder, *arguments, settings=settings, spider=spider)
    return crawl_by(command, folder, timeout=timeout)


def crawl_by(command: list[str], folder: Path, timeout: float = 120) -> Finished:
    """Crawl to the end by a command of `crawl_command`."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        stderr=subprocess.STDOUT,
        stdout=subprocess.PIPE,
        text=True,
        timeout=timeout,
        check=False,
    )
    return Finished(done.returncode, done.stdout, folder)


def crawl_seeds(
    folder: Path,
    urls: list[str],
    *arguments: str,
    settings: tuple[str, ...] = FAST,
    timeout: float = 120,
) -> Finished:
    """Crawl from a list of URLs."""
    seeds = folder.with_name(f"{folder.name}-seeds.txt")
    seeds.write_text("\n".join(urls) + "\n", encoding="utf-8")
    return crawl(folder, f"seeds={seeds}", *arguments, settings=settings, timeout=timeout)
