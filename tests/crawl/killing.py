"""Kills a crawl at random moments and has it go on."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.crawl.running import ROOT

_STARTUP_SECONDS = 120.0


def kill_again_and_again(
    command_of: Callable[[bool], list[str]],
    folder: Path,
    *,
    kills: int,
    longest: float,
    dice: random.Random,
) -> int:
    """Run a crawl and kill it (SIGKILL) so many times; return how often it was.

    Less often when it comes to its end before.

    Args:
        command_of: the command, given whether the run's folder is there to be resumed.
        folder: the run's folder.
        kills: number of kills.
        longest: seconds at most between the opening of the frontier and a kill.
        dice: gives the seconds.
    """
    for done in range(kills):
        process = subprocess.Popen(
            command_of((folder / "run.json").exists()),
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if _is_under_way(process, folder):
            try:
                process.wait(timeout=dice.random() * longest)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                continue
        if process.returncode:
            raise AssertionError(f"{process.args}: exit code {process.returncode}")
        return done
    return kills


def _is_under_way(process: subprocess.Popen[bytes], folder: Path) -> bool:
    """Wait until a process holds the frontier; False when it ended before."""
    lock = folder / "frontier.sqlite.lock"
    give_up = time.monotonic() + _STARTUP_SECONDS
    while process.poll() is None:
        if lock.exists() and lock.read_text(encoding="ascii") == f"process {process.pid}":
            return True
        if time.monotonic() > give_up:
            process.kill()
            raise AssertionError(f"{process.args}: no frontier after {_STARTUP_SECONDS:g} s")
        time.sleep(0.01)
    return False
