"""A run as one HTML page: self-contained, without scripts, readable without the network.

Everything in it that came from the web is escaped, and the page's own policy forbids it to load
anything or to run anything.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

from taxocrawl.items import is_passed
from taxocrawl.runs.aspect_section import aspect_section
from taxocrawl.runs.charts import bar_chart, line_chart
from taxocrawl.runs.document_list import document_list
from taxocrawl.runs.markup import section, shown, table
from taxocrawl.runs.run_header import run_header, run_revisits, run_settings
from taxocrawl.runs.stylesheet import STYLE
from taxocrawl.runs.tally import FetchTally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Record = Mapping[str, Any]

TOP_DOCUMENTS = 50
TOP_HOSTS = 30
FILES = (
    ("documents.jsonl", "the documents, one a line"),
    ("bibliography.bib", "the documents for BibTeX"),
    ("bibliography.ris", "the documents for reference managers"),
    ("fetches.csv", "every download, in order"),
    ("iterations.csv", "the figures of each iteration"),
    ("aspects.csv", "the figures of each iteration by aspect"),
    ("run.json", "arguments, settings, versions"),
)
_ITERATION_COLUMNS = (
    ("downloaded", "downloaded"),
    ("passed", "passed"),
    ("rejected", "rejected"),
    ("failed", "failed"),
    ("harvest_rate", "harvest rate %"),
)
_TRUTH_COLUMNS = (
    ("precision_before", "precision % before"),
    ("precision_after", "after"),
    ("recall", "recall %"),
    ("relative_recall_before", "relative recall % before"),
    ("relative_recall_after", "after"),
    ("cumulative_precision_before", "precision % so far, before"),
    ("cumulative_precision_after", "after"),
    ("cumulative_accuracy_after", "accuracy % so far, after"),
)


def _no_details(record: Record) -> Record:
    return {}


@dataclass(frozen=True, slots=True)
class ReportExtras:
    """What a report can say beyond the run's own files."""

    seeds: Mapping[str, int] = field(default_factory=dict)
    """Number of seeds by provider."""
    seed_failures: Sequence[str] = ()
    """What providers that failed said, one line each."""
    refused: Mapping[str, int] = field(default_factory=dict)
    """Number of links that were not followed, by reason."""
    is_relevant: Callable[[Record], bool] | None = None
    """Whether a fetch record's page is relevant by a truth; None without a truth."""
    aspects: Sequence[Mapping[str, str]] = ()
    """The rows of aspects.csv; none for a topic without aspects."""
    details: Callable[[Record], Record] = _no_details
    """For a listed document's record: `snippet` (text) and `evidence` (parts of its score)."""


def report_html(
    run: Record,
    iterations: Sequence[Mapping[str, str]],
    fetches: Iterable[Record],
    documents: Iterable[Record],
    frontier_counts: Mapping[str, int],
    extras: ReportExtras | None = None,
) -> str:
    """The report of a run, finished or not.

    Args:
        run: run.json.
        iterations: the rows of iterations.csv.
        fetches: fetch records in order; read once, summed up, never listed.
        documents: records of documents.jsonl; read once, the best `TOP_DOCUMENTS` are listed.
        frontier_counts: number of URLs by state.
    """
    extras = extras or ReportExtras()
    tally = FetchTally.of(fetches, extras.is_relevant or is_passed)
    counter = _Counter()
    best = nsmallest(TOP_DOCUMENTS, counter.each(documents), key=_rank)
    body = [
        run_header(run, tally, counter.number),
        _came_in(extras, frontier_counts),
        _iterations(iterations),
        _harvest(tally, judged=extras.is_relevant is not None),
        aspect_section(extras.aspects),
        run_revisits(run),
        document_list(best, counter.number, extras.details),
        _dropped(tally, extras.refused),
        _hosts(tally),
        _files(with_aspects=bool(extras.aspects)),
        run_settings(run),
    ]
    return _page(f"Crawl report: {', '.join(map(str, run.get('queries') or ['no query']))}", body)


class _Counter:
    """Counts what passes through, so that a stream is read only once."""

    def __init__(self) -> None:
        self.number = 0

    def each(self, records: Iterable[Record]) -> Iterable[Record]:
        for record in records:
            self.number += 1
            yield record


def _rank(record: Record) -> tuple[float, ...]:
    # nsmallest keeps the order of records that rank the same.
    return tuple(-float(record.get(name) or 0) for name in ("page_score", "score", "confidence"))


def _page(title: str, body: Sequence[str]) -> str:
    # Allowing this one style sheet by its hash, the policy needs no 'unsafe-inline'.
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="robots" content="noindex, nofollow">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{_without_bdi(shown(title))}</title>\n<style>{STYLE}</style>\n</head>\n"
        "<body>\n<main>\n" + "\n".join(body) + "\n</main>\n</body>\n</html>\n"
    )


def _without_bdi(text: str) -> str:
    """Text for an element that can hold no other element."""
    return text.removeprefix("<bdi>").removesuffix("</bdi>")


def _came_in(extras: ReportExtras, frontier_counts: Mapping[str, int]) -> str:
    seeds = _most_first(extras.seeds)
    failures = "".join(f"<li>{shown(line)}</li>" for line in extras.seed_failures)
    return section(
        "came-in",
        "What came in",
        table("Seeds by provider", ("provider", "seeds"), [(shown(p), str(n)) for p, n in seeds])
        if seeds
        else "",
        f"<p>Providers that failed:</p><ul>{failures}</ul>" if failures else "",
        table(
            "URLs in the frontier by state",
            ("state", "URLs"),
            [(shown(state), str(count)) for state, count in frontier_counts.items()],
        ),
    )


def _iterations(rows: Sequence[Mapping[str, str]]) -> str:
    if not rows:
        return section("iterations", "Iterations", "<p>No iteration has been finished.</p>")
    judged = any(row.get("tp") for row in rows)
    names = [row["iteration"] for row in rows]
    counts = {name: [float(row[name]) for row in rows] for name in ("downloaded", "passed")}
    return section(
        "iterations",
        "Iterations",
        _columns("Figures by iteration", rows, _ITERATION_COLUMNS),
        _columns("Against the truth, before and after the page filter", rows, _TRUTH_COLUMNS)
        if judged
        else "",
        bar_chart("Downloaded and passed by iteration", names, counts, "iteration"),
        _precision_chart(rows) if judged else "",
    )


def _columns(
    caption: str, rows: Sequence[Mapping[str, str]], columns: Sequence[tuple[str, str]]
) -> str:
    header = ("iteration", *(heading for _, heading in columns))
    cells = [[row["iteration"], *(_cell(row, name) for name, _ in columns)] for row in rows]
    return table(caption, header, cells)


def _cell(row: Mapping[str, str], name: str) -> str:
    value = row.get(name) or "n/a"
    try:
        return f"{100 * float(value):.2f}" if "." in value else shown(value)
    except ValueError:
        return shown(value)


def _precision_chart(rows: Sequence[Mapping[str, str]]) -> str:
    def percentages(name: str) -> list[float]:
        return [0.0 if row[name] == "n/a" else round(100 * float(row[name]), 1) for row in rows]

    return bar_chart(
        "Precision up to each iteration in percent, before and after the page filter",
        [row["iteration"] for row in rows],
        {
            "before filtering": percentages("cumulative_precision_before"),
            "after filtering": percentages("cumulative_precision_after"),
        },
        "iteration",
    )


def _harvest(tally: FetchTally, *, judged: bool) -> str:
    total = tally.downloaded
    if not total:
        return section("harvest", "Harvest", "<p>Nothing was downloaded.</p>")
    series = {"passed the filter": tally.passed_curve.ending_at(total, tally.passed)}
    if judged:
        series["relevant by the truth"] = tally.relevant_curve.ending_at(total, tally.relevant)
    found = tally.relevant if judged else tally.passed
    what = "were relevant" if judged else "passed the page filter"
    return section(
        "harvest",
        "Harvest",
        f"<p>{found} of {total} pages downloaded {what} ({100 * found / total:.2f} %).</p>",
        line_chart("Pages found against pages downloaded", series, "pages downloaded"),
    )


def _dropped(tally: FetchTally, refused: Mapping[str, int]) -> str:
    reasons = sorted(tally.reasons.items(), key=lambda item: (-item[1], item[0]))
    kinds = _most_first(tally.kinds)
    return section(
        "dropped",
        "What was dropped and why",
        table(
            "By reason",
            ("reason", "what became of it", "pages", "% of requests"),
            [
                (shown(reason), fate, str(count), f"{100 * count / tally.fetched:.2f}")
                for (fate, reason), count in reasons
            ],
        ),
        table("Dropped pages by kind", ("kind", "pages"), [(shown(k), str(n)) for k, n in kinds]),
        table(
            "Links not followed",
            ("reason", "links"),
            [(shown(reason), str(n)) for reason, n in _most_first(refused)],
        )
        if refused
        else "",
    )


def _most_first(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _hosts(tally: FetchTally) -> str:
    hosts = nsmallest(
        TOP_HOSTS,
        tally.hosts.items(),
        key=lambda item: (-item[1].passed, -item[1].fetched, item[0]),
    )
    rows = [
        (shown(name, 80), str(n.fetched), str(n.passed), str(n.dropped), str(n.failed))
        for name, n in hosts
    ]
    more = len(tally.hosts) - len(rows)
    return section(
        "hosts",
        "Hosts",
        table("Pages by host", ("host", "requests", "passed", "dropped", "failed"), rows),
        f"<p>{more} more hosts are in fetches.csv.</p>" if more else "",
    )


def _files(*, with_aspects: bool) -> str:
    there = [file for file in FILES if with_aspects or file[0] != "aspects.csv"]
    items = "".join(f'<li><a href="{name}">{name}</a>: {what}</li>' for name, what in there)
    return section("files", "Files", f"<ul>{items}</ul>")
