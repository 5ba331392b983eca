"""Crawls as child processes, which go on when the desk is stopped or started anew."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.exceptions import StorageError
from taxocrawl.web.jobs.command import crawl_arguments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from taxocrawl.web.options import DeskOptions

ENVIRONMENT_PREFIX = "TAXOCRAWL_DESK_"
"""Variables of the desk's own, such as its first password: no crawl is to see them."""


def start(
    spider: str,
    arguments: Mapping[str, str],
    settings: Mapping[str, str],
    log: Path,
    options: DeskOptions,
) -> tuple[int, str]:
    """Start a crawl; return its process id and when that process began.

    Raises StorageError when it cannot be started, or its log cannot be written.
    """
    command = [sys.executable, "-m", "scrapy", "crawl", spider]
    command += crawl_arguments(arguments, settings)
    hidden = {n: v for n, v in os.environ.items() if not n.startswith(ENVIRONMENT_PREFIX)}
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as file:
            process = subprocess.Popen(
                command,
                cwd=options.project,
                env=hidden,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C at the desk's terminal stops the desk alone
            )
    except OSError as error:
        raise StorageError(f"{log}: the crawl cannot be started: {error.strerror}") from error
    # It is waited for by its id: after a restart of the desk there is no such object.
    process.returncode = 0
    return process.pid, began(process.pid)


def alive(pid: int, started: str) -> bool:
    """Whether the process that began then still runs; another one of its id does not count."""
    with suppress(ChildProcessError, OSError):
        if os.waitpid(pid, os.WNOHANG)[0] == pid:
            return False
    return bool(started) and began(pid) == started


def interrupt(pid: int, started: str) -> bool:
    """Ask a crawl to end as Ctrl-C does; False when it has ended already."""
    if not alive(pid, started):
        return False
    try:
        os.kill(pid, signal.SIGINT)
    except OSError:
        return False
    return True


def began(pid: int) -> str:
    """When a process began, as the system tells it; '' for one that has ended."""
    stat = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        try:
            # The name, in brackets, may hold anything.
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            return ""
        return "" if fields[0] in ("Z", "X") else f"{_boot()} {fields[19]}"
    found = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return found.stdout.strip()


def _boot() -> str:
    """What tells this run of the system from others; ticks are counted from its start."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""
