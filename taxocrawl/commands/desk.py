"""`scrapy desk`: the review desk, a page for people over the runs (docs/desk.md).

Exit codes: 0 stopped; 2 a wrong argument or setting, or Django is not installed; 4 its folder or
port cannot be used.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from taxocrawl.commands._subcommands import exit_code_of
from taxocrawl.exceptions import ArgumentError, SettingError, TaxocrawlError

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

    from taxocrawl.web.options import DeskOptions

_OWN = "DESK_"


class Command(ScrapyCommand):
    """Serves the desk, or hands over to Django's own commands."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "[--host HOST] [--port N] | manage COMMAND ..."

    def short_desc(self) -> str:
        return "Serve the review desk: crawls, results and judgments in a browser"

    def long_desc(self) -> str:
        return (
            "Prints its address. Settings given with -s are those of the crawls that are started "
            "there, too. manage: Django's commands, such as changepassword NAME."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--host", help="address to listen on (default DESK_HOST)")
        parser.add_argument("--port", type=int, help="port (default DESK_PORT; 0 for a free one)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args and args[0] != "manage":
            raise UsageError(f"expected nothing or 'manage', got {args[0]!r}")
        try:
            options = self._options(opts)
            if args:
                manage(options, args[1:])
            else:
                serve_desk(options)
        except TaxocrawlError as error:
            self.exitcode = exit_code_of(error)

    def _options(self, opts: argparse.Namespace) -> DeskOptions:
        settings = cast("BaseSettings", self.settings)
        given = dict(pair.partition("=")[::2] for pair in opts.set)
        crawls = {name: value for name, value in given.items() if not name.startswith(_OWN)}
        for name in ("host", "port"):
            if (value := getattr(opts, name)) is not None:
                settings.set(f"DESK_{name.upper()}", value, priority="cmdline")
        return desk_options(settings, crawls)


def serve_desk(options: DeskOptions) -> None:
    """Serve until Ctrl-C. Raises ArgumentError when Django is not installed."""
    try:
        from taxocrawl.web.server import serve

        serve(options, lambda line: print(line, flush=True))
    except ImportError as error:
        raise _missing(error) from error
    except KeyboardInterrupt:
        return


def manage(options: DeskOptions, args: list[str]) -> None:
    """Run one of Django's commands on the desk."""
    try:
        from django.core.management import execute_from_command_line

        from taxocrawl.web.configuration import configure
    except ImportError as error:
        raise _missing(error) from error
    configure(options)
    execute_from_command_line(["scrapy desk manage", *args])


def judged_index(settings: BaseSettings) -> Path:
    """The training index of what was judged at the desk. Raises ArgumentError for none."""
    try:
        from taxocrawl.web.server import training_index

        return training_index(desk_options(settings, {}))
    except ImportError as error:
        raise _missing(error) from error


def desk_options(settings: BaseSettings, crawl_settings: dict[str, str]) -> DeskOptions:
    """What the settings DESK_* say. Raises SettingError for one out of its range."""
    from taxocrawl.web.options import DeskOptions

    for name, lowest in (("DESK_PORT", 0), ("DESK_CRAWLS_PER_ACCOUNT", 1), ("DESK_UPLOAD_MAX", 1)):
        if settings.getint(name) < lowest:
            raise SettingError(f"{name}={settings[name]}: expected a number of at least {lowest}")
    return DeskOptions(
        folder=Path(settings["DESK_DIR"]).absolute(),
        runs=Path(settings["RUNS_DIR"]).absolute(),
        project=Path.cwd(),
        goldstandards=Path(settings["GOLDSTANDARD_DIR"]),
        models=Path(settings["MODELS_DIR"]),
        stopwords=Path(settings["STOPWORDS_DIR"]),
        host=settings["DESK_HOST"],
        port=settings.getint("DESK_PORT"),
        allowed_hosts=tuple(settings.getlist("DESK_ALLOWED_HOSTS")),
        https=settings.getbool("DESK_HTTPS"),
        hsts_seconds=settings.getint("DESK_HSTS_SECONDS"),
        crawls_per_account=settings.getint("DESK_CRAWLS_PER_ACCOUNT"),
        private_hosts_allowed=settings.getbool("DESK_PRIVATE_HOSTS_ALLOWED"),
        scrapyd_url=settings["DESK_SCRAPYD_URL"],
        scrapyd_project=settings["DESK_SCRAPYD_PROJECT"],
        upload_max=settings.getint("DESK_UPLOAD_MAX"),
        crawl_settings=crawl_settings,
        selection_params=settings.getdict("SELECTION_PARAMS"),
        iterations=settings.getint("CRAWL_ITERATIONS"),
        max_pages=settings.getint("CRAWL_MAX_PAGES"),
        post_sources=settings.getdict("DESK_POST_SOURCES"),
        user_agent=settings["USER_AGENT"],
    )


def _missing(error: ImportError) -> ArgumentError:
    return ArgumentError(
        f"the desk needs Django and waitress ({error}): pip install -r requirements-desk.txt, "
        "or taxocrawl[desk]"
    )
