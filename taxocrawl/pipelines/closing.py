"""The files that look back on a whole run: bibliography and report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taxocrawl.runs.bibliography import bibtex, ris
from taxocrawl.runs.folder import write_atomically
from taxocrawl.runs.report import ReportExtras, report_html
from taxocrawl.runs.versions import newest_versions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from taxocrawl.evaluate.truth import Truth
    from taxocrawl.frontier.base import Frontier
    from taxocrawl.runs.folder import RunFolder
    from taxocrawl.spiders.focused import FocusedSpider

_SNIPPET_CHARS = 300


def write_closing_files(
    spider: FocusedSpider,
    truth: Truth | None,
    iterations: Sequence[Mapping[str, str]],
    aspects: Sequence[Mapping[str, str]] = (),
) -> None:
    """Rebuild the line files from the frontier, then write bibliographies, report and run.json.

    Raises StorageError when the folder cannot be written.
    """
    folder, frontier = spider.folder, spider.scheduler.frontier
    folder.rebuild(frontier.fetches(), frontier.documents())
    write_atomically(folder.bibtex, bibtex(newest_versions(frontier)).encode("utf-8"))
    write_atomically(folder.ris, ris(newest_versions(frontier)).encode("utf-8"))
    run = {**folder.read_info(), "ended": spider.now(), "outcome": spider.outcome}
    if revisits := frontier.revisited().record():
        run["revisits"] = revisits
    seeds = frontier.get_meta("seed search") or {}
    extras = ReportExtras(
        seeds=seeds.get("by provider", {}),
        refused=frontier.refusals(),
        seed_failures=[": ".join(failure) for failure in seeds.get("failures", ())],
        is_relevant=truth.is_relevant if truth else None,
        aspects=aspects,
        details=lambda record: details(folder, frontier, record),
    )
    counts = {state.value: number for state, number in frontier.counts().items()}
    report = report_html(
        run, iterations, frontier.fetches(), newest_versions(frontier), counts, extras
    )
    write_atomically(folder.report, report.encode("utf-8"))
    folder.write_info(run)


def details(folder: RunFolder, frontier: Frontier, record: Mapping[str, Any]) -> dict[str, Any]:
    """Snippet and score parts of one listed document."""
    entry = frontier.find(str(record["url"]))
    text = folder.path / "documents" / f"{record['content_hash']}.text.txt"
    snippet = ""
    if text.is_file():
        with text.open(encoding="utf-8") as file:
            snippet = file.read(_SNIPPET_CHARS)
    return {"snippet": snippet, "evidence": dict(entry.evidence) if entry else {}}
