"""`scrapy crawl`: as Scrapy's, with arguments checked first and exit codes that mean something.

Exit codes: 0 the crawl ended by itself; 1 an error of the program; 2 a wrong argument, setting or
input file; 3 no seeds were found; 4 the run's folder cannot be written; 130 interrupted (continue
with ``-a resume=RUN``).
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

from scrapy.commands import ScrapyHelpFormatter
from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.exceptions import UsageError
from scrapy.utils.log import DEFAULT_LOGGING

from taxocrawl.exceptions import SettingError, StorageError, TaxocrawlError
from taxocrawl.spiders.failures import PROGRAM_ERROR
from taxocrawl.spiders.focused import EXIT_INTERRUPTED, EXIT_STORAGE, FocusedSpider
from taxocrawl.spiders.plan import ARGUMENTS, ASPECT_ARGUMENTS, TOPIC_ARGUMENTS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

_CHATTY = ("scrapy.addons", "scrapy.crawler", "scrapy.middleware", "scrapy.utils.log")

EXIT_ERROR = 1
EXIT_USAGE = 2


class _LineByLine(ScrapyHelpFormatter):
    """Keeps the lines of the description: they are a list."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(f"{indent}{line}" for line in text.splitlines())


class Command(ScrapyCrawl):
    """Runs a spider; `-a query=` may be repeated."""

    def long_desc(self) -> str:
        return (
            "Run a spider. Arguments of the focused spiders (-a NAME=VALUE):\n"
            f"{_listed(ARGUMENTS)}\nArguments of the spider `topic` besides:\n"
            f"{_listed(TOPIC_ARGUMENTS)}\nArguments of the spider `diversified` besides:\n"
            f"{_listed(ASPECT_ARGUMENTS)}"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.formatter_class = _LineByLine

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Join repeated queries, which Scrapy would let the last one win, to one JSON list."""
        opts.spargs = joined_queries(opts.spargs)
        super().process_options(args, opts)
        assert self.settings is not None
        try:
            check_log(self.settings)
        except TaxocrawlError as error:
            sys.stderr.write(f"taxocrawl: {error}\n")
            sys.exit(exit_code(error))

        # Scrapy's lists of components and settings are for those who debug it.
        if self.settings["LOG_LEVEL"] != "DEBUG":
            for name in _CHATTY:
                cast("dict[str, object]", DEFAULT_LOGGING["loggers"])[name] = {"level": "WARNING"}

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.crawler_process is not None
        known = sorted(self.crawler_process.spider_loader.list())
        if len(args) != 1 or args[0] not in known:
            got = f", got {' '.join(args)}" if args else ""
            raise UsageError(f"expected one of the spiders {', '.join(known)}{got}")
        crawler = self.crawler_process.create_crawler(args[0])
        task = self.crawler_process.crawl(crawler, **opts.spargs)
        problems: list[BaseException] = []
        assert isinstance(task, asyncio.Task)
        task.add_done_callback(lambda done: _keep_problem(done, problems))
        self.crawler_process.start()
        spider = crawler.spider if isinstance(crawler.spider, FocusedSpider) else None
        if problems:
            self.exitcode = self._report(problems[0])
            if spider is not None:
                spider.forsake()
        elif self.crawler_process.bootstrap_failed:
            self.exitcode = EXIT_ERROR
        elif spider is not None and spider.has_closed:
            self.exitcode = spider.exit_code
        else:
            # Stopped while it started, or told twice to stop: nothing was closed in good order.
            self.exitcode = EXIT_INTERRUPTED
            hint = f"; go on with -a resume={spider.folder.path}" if spider is not None else ""
            sys.stderr.write(f"taxocrawl: interrupted{hint}\n")

    def _report(self, problem: BaseException) -> int:
        """Say in one line why the crawl did not go on; return the exit code.

        What nobody raised on purpose is told with its traceback.
        """
        meant = isinstance(problem, TaxocrawlError)
        text = str(problem) if meant else f"{PROGRAM_ERROR}: {type(problem).__name__}: {problem}"
        if not meant:
            logger.critical("%s", text, exc_info=problem)
        elif self.settings and self.settings["LOG_FILE"]:
            # Who reads a scheduled job's log does not see standard error.
            logger.critical("%s", text)
        sys.stderr.write(f"taxocrawl: {text}\n")
        return exit_code(problem) if isinstance(problem, TaxocrawlError) else EXIT_ERROR


def exit_code(error: TaxocrawlError) -> int:
    """With which code a command ends after an error."""
    return EXIT_STORAGE if isinstance(error, StorageError) else EXIT_USAGE


def check_log(settings: BaseSettings) -> None:
    """Raise for log settings with which Scrapy could not start.

    SettingError for a LOG_LEVEL that there is not, StorageError for a LOG_FILE that cannot be
    written.
    """
    level = settings["LOG_LEVEL"]
    if not isinstance(level, int) and level not in logging.getLevelNamesMapping():
        expected = "DEBUG, INFO, WARNING, ERROR or CRITICAL"
        raise SettingError(f"LOG_LEVEL={level}: expected {expected}")
    if name := settings["LOG_FILE"]:
        try:
            Path(name).open("a").close()
        except OSError as error:
            raise StorageError(f"LOG_FILE={name}: cannot be written: {error.strerror}") from error


def _listed(arguments: Mapping[str, str]) -> str:
    return "\n".join(f"  {name:<14} {meaning}" for name, meaning in arguments.items())


def _keep_problem(task: asyncio.Task[None], problems: list[BaseException]) -> None:
    """Keep what ended a crawl: asked for here, it is not told by asyncio any more."""
    if not task.cancelled() and (problem := task.exception()) is not None:
        problems.append(problem)


def joined_queries(arguments: Sequence[str]) -> list[str]:
    """Spider arguments with several ``query=`` made one whose value is a JSON list."""
    queries = [a.partition("=")[2] for a in arguments if a.startswith("query=")]
    if len(queries) < 2:
        return list(arguments)
    rest = [a for a in arguments if not a.startswith("query=")]
    return [*rest, f"query={json.dumps(queries, ensure_ascii=False)}"]
