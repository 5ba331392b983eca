"""scrapyd's schedule.json, which also sees what scrapyd would lose without a word.

Named in scrapy.cfg (``[services]``). scrapyd itself hands on only the first value of a repeated
argument, and starts a job whose arguments are too long for the system, which ends at once and
leaves no log (docs/scheduled.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from scrapyd.webservice import Schedule as ScrapydSchedule
from twisted.web.error import Error
from twisted.web.http import OK

from taxocrawl.commands.crawl import joined_queries

if TYPE_CHECKING:
    from twisted.web.server import Request

MAX_BYTES = 100_000
"""Bytes of all arguments and settings of a job; Linux hands over 131,071 in one argument."""
_PARAMETERS = frozenset({b"project", b"spider", b"_version", b"jobid", b"priority", b"setting"})
"""What scrapyd reads itself; every other parameter is an argument of the spider."""


class Schedule(ScrapydSchedule):  # type: ignore[misc]
    """Joins repeated queries to a JSON list, as `scrapy crawl` does, and refuses what cannot run.

    Refused with status ``error`` and one line: another argument given twice, arguments and settings
    of more than `MAX_BYTES` together, and text that is not UTF-8.
    """

    def render_POST(self, txrequest: Request) -> dict[str, Any]:  # noqa: N802
        """Check the request's arguments, then schedule as scrapyd does."""
        arguments = cast("dict[bytes, list[bytes]]", txrequest.args)
        problem = problem_of(arguments)
        if problem:
            raise Error(code=OK, message=problem.encode())
        if len(arguments.get(b"query", ())) > 1:
            queries = [f"query={value.decode()}" for value in arguments[b"query"]]
            arguments[b"query"] = [joined_queries(queries)[0].partition("=")[2].encode()]
        return cast("dict[str, Any]", super().render_POST(txrequest))


def problem_of(arguments: dict[bytes, list[bytes]]) -> str:
    """Why a job with these parameters cannot be run as meant; empty when it can."""
    for name, values in arguments.items():
        try:
            shown = name.decode()
            for value in values:
                value.decode()
        except UnicodeDecodeError:
            return f"{name.decode('utf-8', 'replace')}: expected UTF-8"
        if len(values) > 1 and name not in (b"query", b"setting"):
            return f"{shown}: given {len(values)} times; expected once"
    length = sum(
        len(name) + len(value)
        for name, values in arguments.items()
        if name not in _PARAMETERS or name == b"setting"
        for value in values
    )
    if length > MAX_BYTES:
        return (
            f"arguments and settings of {length} bytes are too long for a job (at most {MAX_BYTES})"
            "; write seeds or queries to a file and give its path (seeds=FILE, query=@FILE)"
        )
    return ""
