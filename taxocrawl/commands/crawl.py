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

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.exceptions import UsageError
from scrapy.utils.log import DEFAULT_LOGGING

from taxocrawl.exceptions import SettingError, StorageError, TaxocrawlError
from taxocrawl.spiders.focused import EXIT_STORAGE, FocusedSpider
from taxocrawl.spiders.plan import ARGUMENTS, ASPECT_ARGUMENTS, TOPIC_ARGUMENTS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

_CHATTY = ("scrapy.addons", "scrapy.crawler", "scrapy.middleware", "scrapy.utils.log")

EXIT_ERROR = 1
EXIT_USAGE = 2


class Command(ScrapyCrawl):
    """Runs a spider; `-a query=` may be repeated."""

    def long_desc(self) -> str:
        return (
            "Run a spider. Arguments of the focused spiders (-a NAME=VALUE):\n"
            f"{_listed(ARGUMENTS)}\nArguments of the spider `topic` besides:\n"
            f"{_listed(TOPIC_ARGUMENTS)}\nArguments of the spider `diversified` besides:\n"
            f"{_listed(ASPECT_ARGUMENTS)}"
        )

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
        problems: list[TaxocrawlError] = []
        assert isinstance(task, asyncio.Task)
        task.add_done_callback(lambda done: _keep_problem(done, problems))
        self.crawler_process.start()
        if problems:
            sys.stderr.write(f"taxocrawl: {problems[0]}\n")
            if self.settings and self.settings["LOG_FILE"]:
                # Who reads a scheduled job's log does not see standard error.
                logger.critical("%s", problems[0])
            self.exitcode = exit_code(problems[0])
            if isinstance(spider := crawler.spider, FocusedSpider):
                spider.forsake()
        elif self.crawler_process.bootstrap_failed:
            self.exitcode = EXIT_ERROR
        else:
            self.exitcode = getattr(crawler.spider, "exit_code", 0)


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


def _keep_problem(task: asyncio.Task[None], problems: list[TaxocrawlError]) -> None:
    """Keep what we raised on purpose for one line; leave the rest to asyncio's traceback."""
    if not task.cancelled() and isinstance(task.exception(), TaxocrawlError):
        problems.append(cast("TaxocrawlError", task.exception()))


def joined_queries(arguments: Sequence[str]) -> list[str]:
    """Spider arguments with several ``query=`` made one whose value is a JSON list."""
    queries = [a.partition("=")[2] for a in arguments if a.startswith("query=")]
    if len(queries) < 2:
        return list(arguments)
    rest = [a for a in arguments if not a.startswith("query=")]
    return [*rest, f"query={json.dumps(queries, ensure_ascii=False)}"]
