"""Starting, cancelling and resuming crawls, and what state each is in."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from django.db import transaction

from taxocrawl.exceptions import ArgumentError, StorageError
from taxocrawl.spiders.runinfo import slug
from taxocrawl.web.folders import info_of, run_folder, tail
from taxocrawl.web.jobs import child
from taxocrawl.web.jobs.scrapyd import Scrapyd
from taxocrawl.web.models import Account, Backend, Run

if TYPE_CHECKING:
    from pathlib import Path

    from taxocrawl.web.options import DeskOptions

FINISHED = frozenset({"iterations done", "frontier empty", "page limit", "limits reached"})
"""Outcomes of a crawl that ended by itself (docs/frontier.md)."""
_UNFINISHED = frozenset({"", "running", "interrupted"})


class State(StrEnum):
    """What a crawl is doing."""

    WAITING = "starting"
    RUNNING = "running"
    ENDING = "ending"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    FAILED = "failed"

    @property
    def under_way(self) -> bool:
        return self in (State.WAITING, State.RUNNING, State.ENDING)


def start(run: Run, options: DeskOptions) -> None:
    """Start the crawl of a run that was entered, or go on with one that was interrupted.

    Raises ArgumentError when the account has as many crawls under way as it may, and StorageError
    when the crawl cannot be started.
    """
    with transaction.atomic():
        _check_number(run.owner, options)
        again = bool(info_of(run_folder(options.runs, run.folder)))
        arguments = dict(run.arguments)
        path = str((options.runs / run.folder).absolute())
        arguments |= {"resume": path} if again else {"out": path}
        run.cancelled = False
        if options.scrapyd_url:
            run.backend = Backend.SCRAPYD
            scrapyd = Scrapyd(options.scrapyd_url, options.scrapyd_project)
            run.job = scrapyd.schedule(run.spider, arguments, crawl_settings(options))
        else:
            run.backend = Backend.CHILD
            log = log_of(run, options)
            run.pid, run.pid_started = child.start(
                run.spider, arguments, crawl_settings(options), log, options
            )
        run.save()


def cancel(run: Run, options: DeskOptions) -> bool:
    """Ask a crawl to end; False when it had ended already. Raises StorageError."""
    if run.backend == Backend.SCRAPYD:
        asked = Scrapyd(options.scrapyd_url, options.scrapyd_project).cancel(run.job)
    else:
        asked = run.pid is not None and child.interrupt(run.pid, run.pid_started)
    if asked:
        run.cancelled = True
        run.save(update_fields=["cancelled"])
    return asked


def state_of(run: Run, options: DeskOptions) -> State:
    """What a run's crawl is doing."""
    info = info_of(run_folder(options.runs, run.folder))
    outcome = str(info.get("outcome") or "")
    if run.backend == Backend.NONE:
        # Made by the command line: its process is not known here.
        return State.RUNNING if outcome == "running" else _ended(outcome)
    if is_alive(run, options):
        if run.cancelled:
            return State.ENDING
        return State.RUNNING if info else State.WAITING
    return _ended(outcome) if info else State.FAILED


def is_alive(run: Run, options: DeskOptions) -> bool:
    """Whether the process of a run's crawl lives, or waits in scrapyd's queue."""
    if run.backend == Backend.SCRAPYD:
        try:
            return Scrapyd(options.scrapyd_url, options.scrapyd_project).alive(run.job)
        except StorageError:
            return False
    return run.pid is not None and child.alive(run.pid, run.pid_started)


def problem_of(run: Run, options: DeskOptions) -> str:
    """Why a crawl failed, in its own words; '' when it says nothing."""
    info = info_of(run_folder(options.runs, run.folder))
    outcome = str(info.get("outcome") or "")
    if outcome not in _UNFINISHED | FINISHED:
        return outcome
    lines = [line for line in tail(log_of(run, options)) if line.startswith("taxocrawl: ")]
    return lines[-1].removeprefix("taxocrawl: ") if lines else ""


def may_resume(run: Run, state: State, options: DeskOptions) -> bool:
    """Whether an interrupted crawl that was started here can go on."""
    has_begun = bool(info_of(run_folder(options.runs, run.folder)))
    stopped = state in (State.INTERRUPTED, State.FAILED)
    return run.backend != Backend.NONE and has_begun and stopped


def log_of(run: Run, options: DeskOptions) -> Path:
    """Where a child process's messages go."""
    return options.logs / f"{run.pk}.log"


def crawl_settings(options: DeskOptions) -> dict[str, str]:
    """The settings of every crawl that is started here."""
    return {
        **options.crawl_settings,
        "PRIVATE_HOSTS_ALLOWED": str(options.private_hosts_allowed),
        "PROGRESS_ENABLED": "False",
    }


def folder_name(subject: str) -> str:
    """A name for a new run's folder: the moment and the beginning of its query."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{slug(subject)}"


def _check_number(owner: Account | None, options: DeskOptions) -> None:
    if owner is None:
        return
    others = [
        run
        for run in Run.objects.filter(owner=owner).exclude(backend=Backend.NONE)[:50]
        if is_alive(run, options)
    ]
    if len(others) >= options.crawls_per_account:
        raise ArgumentError(
            f"{len(others)} of your crawls is under way ({others[0].title}); "
            f"an account may have {options.crawls_per_account} at a time"
        )


def _ended(outcome: str) -> State:
    if outcome in FINISHED:
        return State.FINISHED
    return State.INTERRUPTED if outcome in _UNFINISHED else State.FAILED
