"""The parts of a report about the run itself: what was asked, how long it took, with what."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from taxocrawl.runs.markup import section, shown, table

if TYPE_CHECKING:
    from taxocrawl.runs.tally import FetchTally

    Record = Mapping[str, Any]


def run_header(run: Record, tally: FetchTally, documents: int) -> str:
    """The page's heading: queries, outcome, times, and the numbers that matter most."""
    queries = [str(query) for query in run.get("queries") or ()]
    starts = [str(start) for start in run.get("starts") or ()]
    facts = [
        ("run", shown(run.get("id") or "")),
        ("outcome", shown(run.get("outcome") or "unknown")),
        ("started", shown(", then ".join(starts) or "unknown")),
        ("ended", shown(run.get("ended") or "not yet")),
        ("duration", _duration(starts, run.get("ended"))),
        ("requests", str(tally.fetched)),
        ("pages downloaded", str(tally.downloaded)),
        ("pages that passed the filter", str(tally.passed)),
        ("documents exported", str(documents)),
    ]
    heading = " · ".join(shown(query, 120) for query in queries[:5]) or "Crawl without a query"
    more = f'<p class="soft">and {len(queries) - 5} more queries</p>' if queries[5:] else ""
    return (
        f"<header>\n<h1>{heading}</h1>\n{more}"
        f'<div class="words">{table("The run", ("what", "value"), facts)}</div>\n</header>'
    )


def run_revisits(run: Record) -> str:
    """What second visits of pages found (docs/revisit.md); nothing when there were none."""
    figures = run.get("revisits")
    if not isinstance(figures, Mapping):
        return ""
    rows = [(name, "n/a" if value is None else value) for name, value in figures.items()]
    return section(
        "revisits", "Pages visited again", table("Visits", ("what", "value"), _rows(dict(rows)))
    )


def run_settings(run: Record) -> str:
    """Arguments, settings, versions and models' hashes, folded away."""
    parts = [
        f'<details><summary>{name.capitalize()}</summary><div class="words">'
        + table(name.capitalize(), ("name", "value"), _rows(run[name]))
        + "</div></details>"
        for name in ("arguments", "settings", "versions", "models")
        if isinstance(run.get(name), Mapping)
    ]
    return section("settings", "How it was run", *parts)


def _rows(values: Record) -> list[tuple[str, str]]:
    return [(shown(name, 80), shown(value)) for name, value in values.items()]


def _duration(starts: list[str], ended: object) -> str:
    try:
        passed = datetime.fromisoformat(str(ended)) - datetime.fromisoformat(starts[0])
    except (ValueError, IndexError, TypeError):
        return "unknown"
    return str(timedelta(seconds=round(passed.total_seconds())))
