"""`scrapy frontier RUN ACTION`: what a run's frontier holds, why, and how to change it.

Exit codes: 0 done; 1 nothing of that kind was found; 2 a wrong argument or file, or a frontier that
a crawl holds; 4 a disk that cannot be written.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from taxocrawl.commands._frontier_text import host_table, reason_lines, state_table
from taxocrawl.commands._frontiers import file_of, opened, reader_of
from taxocrawl.commands._subcommands import exit_code_of
from taxocrawl.exceptions import ArgumentError, InputFileError, StorageError, TaxocrawlError
from taxocrawl.frontier.base import State
from taxocrawl.frontier.obstacles import Bounds, obstacles
from taxocrawl.frontier.policy import Limits
from taxocrawl.frontier.requeue import requeue
from taxocrawl.frontier.transfer import export_lines, import_lines
from taxocrawl.runs.folder import RunFolder
from taxocrawl.spiders.plan import CrawlPlan

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from scrapy.settings import BaseSettings

EXIT_NOTHING = 1
_BEST = 10


class Command(ScrapyCommand):
    """One action each call; `show`, `hosts`, `why` and `export` also while a crawl runs."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "RUN show|hosts|why URL|export FILE|import FILE|requeue PATTERN|STATE [--json]"

    def short_desc(self) -> str:
        return "Look into a run's frontier, or change it"

    def long_desc(self) -> str:
        return (
            "show: URLs by state, and the best that wait. hosts: what was taken of each host. "
            "why URL: when, from where and with which score it was fetched, or what keeps it back. "
            "export FILE, import FILE: JSON Lines (- is standard output or input); only an empty "
            "frontier is filled. requeue: ask again for what is done, failed or gone: all of that "
            "state, or what a pattern with * and ? matches, when the run is resumed."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print JSON")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) < 2 or args[1] not in _ACTIONS:
            got = f", got {args[1]!r}" if args[1:] else ""
            raise UsageError(f"expected a run's folder and one of {', '.join(_ACTIONS)}{got}")
        action, operands = _ACTIONS[args[1]]
        if len(args) != 2 + operands:
            raise UsageError(f"{args[1]}: expected {_OPERANDS[operands]} after it")
        try:
            run = RunFolder(Path(args[0]))
            self.exitcode = action(run, *args[2:], settings=self.settings, as_json=opts.json)
        except TaxocrawlError as error:
            self.exitcode = exit_code_of(error)


def show(run: RunFolder, *, settings: BaseSettings, as_json: bool) -> int:
    """Print the URLs by state, the iteration, what was refused, and the best that wait."""
    with closing(reader_of(run, settings)) as reader:
        found = {
            "states": {state.value: number for state, number in reader.counts().items()},
            "downloads": reader.downloaded(),
            "documents": reader.exported(),
            "iteration": reader.get_meta("iteration"),
            "refused links": reader.refusals(),
            "re-visits": reader.revisited().record(),
            "best known": [
                {"url": entry.url, "score": entry.score, "depth": entry.depth}
                for entry in reader.best_known(_BEST)
            ],
        }
    _print(found, state_table, as_json=as_json)
    return 0


def hosts(run: RunFolder, *, settings: BaseSettings, as_json: bool) -> int:
    """Print, for each host, the URLs that were selected and those in each state."""
    with closing(reader_of(run, settings)) as reader:
        rests = reader.rests()
        found = [
            {
                "host": host,
                "selected so far": taken,
                **{state.value: states.get(state, 0) for state in State},
                "rests until": rests.get(host),
            }
            for host, taken, states in reader.host_states()
        ]
    _print(found, host_table, as_json=as_json)
    return 0


def why(run: RunFolder, url: str, *, settings: BaseSettings, as_json: bool) -> int:
    """Print all that is known of a URL, or what keeps it back."""
    with closing(reader_of(run, settings)) as reader:
        known = reader.why(url)
        found = {**(known or {"url": url, "state": "unknown"})}
        found["kept back by"] = obstacles(reader, url, bounds_of(run))
    _print(found, reason_lines, as_json=as_json)
    return 0 if known else EXIT_NOTHING


def export(run: RunFolder, file: str, *, settings: BaseSettings, as_json: bool) -> int:
    """Write the frontier as JSON Lines."""
    lines = export_lines(file_of(run))
    if file == "-":
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return 0
    new = Path(f"{file}.new")
    try:
        with new.open("w", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in lines)
        new.replace(file)
    except OSError as error:
        raise StorageError(f"{file}: cannot be written: {error.strerror}") from error
    finally:
        new.unlink(missing_ok=True)
    return 0


def import_(run: RunFolder, file: str, *, settings: BaseSettings, as_json: bool) -> int:
    """Fill an empty frontier from JSON Lines."""
    if not run.path.is_dir():
        raise ArgumentError(f"{run.path}: no such folder; expected one of a run")
    try:
        frontier = file_of(run)
        if file == "-":
            number = import_lines(frontier, sys.stdin, "standard input")
        else:
            with Path(file).open(encoding="utf-8") as lines:
                number = import_lines(frontier, lines, file)
    except (OSError, UnicodeDecodeError) as error:
        raise InputFileError(f"{file}: cannot be read: {error}") from error
    _print({"imported": number}, _summary, as_json=as_json)
    return 0


def requeue_(run: RunFolder, wanted: str, *, settings: BaseSettings, as_json: bool) -> int:
    """Select settled URLs again."""
    with closing(opened(run, settings)) as frontier:
        number = requeue(frontier, wanted)
    _print({"selected again": number}, _summary, as_json=as_json)
    return 0 if number else EXIT_NOTHING


def bounds_of(run: RunFolder) -> Bounds:
    """What run.json says that a run may do; no bounds when there is none."""
    try:
        info = run.read_info()
    except InputFileError:
        return Bounds()
    arguments: Mapping[str, str] = info["arguments"]
    settings: Mapping[str, Any] = info.get("settings") or {}
    names = (name.strip().lower() for name in arguments.get("allowed_hosts", "").split(","))
    params = settings.get("SELECTION_PARAMS")
    limits = params if isinstance(params, dict) else {}
    return Bounds(
        allows=CrawlPlan(allowed_hosts=frozenset(filter(None, names))).allows,
        limits=Limits(**{f.name: limits[f.name] for f in fields(Limits) if f.name in limits}),
        last=settings.get("CRAWL_ITERATIONS"),
        max_pages=int(settings.get("CRAWL_MAX_PAGES") or 0),
        outcome=str(info.get("outcome") or ""),
    )


def _summary(found: Mapping[str, Any]) -> str:
    return "\n".join(f"{what}: {number}" for what, number in found.items())


def _print(found: Any, as_text: Callable[[Any], str], *, as_json: bool) -> None:
    print(json.dumps(found, indent=2, ensure_ascii=False) if as_json else as_text(found))


_ACTIONS: dict[str, tuple[Callable[..., int], int]] = {
    "show": (show, 0),
    "hosts": (hosts, 0),
    "why": (why, 1),
    "export": (export, 1),
    "import": (import_, 1),
    "requeue": (requeue_, 1),
}
"""Each action with the number of its operands."""
_OPERANDS = ("nothing", "one word")
