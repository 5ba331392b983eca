"""Commands with subcommands: `scrapy experiment spider`, `scrapy evaluate crawl`.

A subcommand is a module with a one-line `SUMMARY`, `add_arguments(parser)` and
`run(options, settings) -> exit code`. Scrapy imports every module of this package for every
command, so a module loads heavy libraries inside `run`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Protocol, cast

from scrapy.exceptions import UsageError

from taxocrawl.commands.crawl import exit_code
from taxocrawl.exceptions import TaxocrawlError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from scrapy.commands import ScrapyCommand as _Command
    from scrapy.settings import BaseSettings
else:
    # Scrapy takes each subclass of ScrapyCommand that a module of this package defines for a
    # command of its own; this class is only mixed into some.
    _Command = object


class Subcommand(Protocol):
    """What a subcommand's module offers."""

    SUMMARY: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, options: argparse.Namespace, settings: BaseSettings) -> int:
        """Do the work and return the exit code; a TaxocrawlError becomes one line."""


class Subcommands(_Command):
    """Turns a Scrapy command into one that hands over to `modules`."""

    modules: ClassVar[Mapping[str, str]]
    """Dotted path of each subcommand's module by its name."""
    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "SUBCOMMAND [options]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """One parser per subcommand; Scrapy's global options are given after its name."""
        choices = parser.add_subparsers(
            dest="subcommand",
            required=True,
            metavar="SUBCOMMAND",
            prog=f"scrapy {type(self).__module__.rpartition('.')[2]}",
        )
        for name, path in self.modules.items():
            module = cast("Subcommand", import_module(path))
            subparser = choices.add_parser(name, help=module.SUMMARY, description=module.SUMMARY)
            module.add_arguments(subparser)
            super().add_options(subparser)
            subparser.set_defaults(run_subcommand=module.run)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run what was chosen; exit codes as those of `scrapy crawl`."""
        if args:
            raise UsageError(f"unrecognized arguments: {' '.join(args)}", print_help=False)
        try:
            self.exitcode = opts.run_subcommand(opts, self.settings)
        except TaxocrawlError as error:
            self.exitcode = exit_code_of(error)


def exit_code_of(error: TaxocrawlError) -> int:
    """Print an error as one line, and say with which code a command ends after it."""
    sys.stderr.write(f"taxocrawl: {error}\n")
    return exit_code(error)
