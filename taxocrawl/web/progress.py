"""How far a crawl has come, read from its frontier while it writes."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from taxocrawl.evaluate.aspects import AspectTally
from taxocrawl.evaluate.crawl import CrawlTally
from taxocrawl.evaluate.iterations import iteration_records
from taxocrawl.items import is_passed
from taxocrawl.runs.charts import bar_chart, line_chart
from taxocrawl.runs.folder import RunFolder
from taxocrawl.runs.tally import FetchTally
from taxocrawl.web.aspects import nearest_aspects
from taxocrawl.web.folders import documents_of, info_of, reader_of
from taxocrawl.web.results import compared_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from taxocrawl.evaluate.aspects import AspectFigures
    from taxocrawl.frontier.reading import FrontierReader
    from taxocrawl.rerank.representations import TextModel
    from taxocrawl.topic import Aspect

    Sums = tuple[FetchTally, "Clock", list[dict[str, Any]], AspectTally]

TOP_HOSTS = 15
_LABEL = 16
_BALANCED = 1000
"""Documents, the best ones, whose aspects are counted."""


@dataclass(slots=True)
class Clock:
    """Downloads by the minute in which they were made."""

    minutes: Counter[int] = field(default_factory=Counter)

    def add(self, record: Mapping[str, Any]) -> None:
        try:
            moment = datetime.fromisoformat(str(record.get("time")))
        except ValueError:
            return
        self.minutes[int(moment.timestamp() // 60)] += 1

    def curve(self) -> list[tuple[float, float]]:
        """Requests of each minute from the first one to the last."""
        if not self.minutes:
            return []
        first, last = min(self.minutes), max(self.minutes)
        stride = (last - first) // 240 + 1
        return [
            (float(at - first), sum(self.minutes[at + n] for n in range(stride)) / stride)
            for at in range(first, last + 1, stride)
        ]

    @property
    def rate(self) -> float:
        """Requests a minute, over the minutes in which there were any."""
        return sum(self.minutes.values()) / len(self.minutes) if self.minutes else 0.0


@dataclass(frozen=True, slots=True)
class Progress:
    """What a crawl has done so far."""

    states: Mapping[str, int]
    """Number of URLs by state."""
    iteration: int | None
    documents: int
    refused: Mapping[str, int]
    """Links not followed, by reason."""
    tally: FetchTally
    clock: Clock
    iterations: Sequence[Mapping[str, Any]]
    """The rows of iterations.csv, made from what was fetched so far."""

    aspects: AspectTally
    """Pages by aspect as the crawl itself measures them; of none in a run without aspects."""

    @property
    def coverage(self) -> AspectFigures | None:
        """What it measured so far; None in a run without aspects."""
        figures = self.aspects.figures
        return figures[-1] if self.aspects.names and figures else None

    @property
    def waiting(self) -> int:
        return self.states.get("known", 0) + self.states.get("selected", 0)

    @property
    def hosts(self) -> list[tuple[str, Any]]:
        """The hosts with the most documents, each with its counts."""
        ordered = sorted(
            self.tally.hosts.items(), key=lambda item: (-item[1].passed, -item[1].fetched, item[0])
        )
        return ordered[:TOP_HOSTS]

    @property
    def reasons(self) -> list[tuple[str, str, int]]:
        """What became of pages that were not exported, why, and how many; most first."""
        ordered = sorted(self.tally.reasons.items(), key=lambda item: (-item[1], item[0]))
        return [(fate, reason, number) for (fate, reason), number in ordered]


def progress_of(folder: RunFolder) -> Progress | None:
    """A crawl's progress; None before it has a frontier that can be read."""
    reader = reader_of(folder)
    if reader is None:
        return None
    with closing(reader):
        states = {state.value: number for state, number in reader.counts().items()}
        fetched, documents = reader.fetched(), reader.exported()
        iteration = reader.get_meta("iteration")
        refused = reader.refusals()
    names = tuple(map(str, info_of(folder).get("aspects") or ()))
    sums = _tallies(folder.path, fetched, names)
    return Progress(states, iteration, documents, refused, *sums)


def charts(progress: Progress, balance: Mapping[str, int]) -> list[str]:
    """The progress as SVG in figures: markup that holds no text of the web but escaped."""
    rows = progress.iterations
    found = []
    if rows:
        found.append(
            bar_chart(
                "Downloaded and passed by iteration",
                [str(row["iteration"]) for row in rows],
                {name: [float(row[name]) for row in rows] for name in ("downloaded", "passed")},
                "iteration",
            )
        )
    tally = progress.tally
    if tally.downloaded:
        curve = tally.passed_curve.ending_at(tally.downloaded, tally.passed)
        found.append(
            line_chart(
                "Pages that passed against pages downloaded",
                {"passed the filter": curve},
                "pages downloaded",
            )
        )
    minutes = progress.clock.curve()
    if len(minutes) > 1:
        found.append(line_chart("Requests a minute", {"requests": minutes}, "minutes"))
    if progress.coverage is not None:
        relevant = progress.coverage.relevant
        found.append(
            _aspect_chart("Pages relevant to each aspect", progress.aspects.names, relevant)
        )
    if any(balance.values()):
        title = "Balance of the aspects: documents nearest to each"
        found.append(_aspect_chart(title, list(balance), list(balance.values())))
    return found


def _aspect_chart(title: str, names: Sequence[str], numbers: Sequence[int]) -> str:
    short = [name if len(name) < _LABEL else f"{name[: _LABEL - 2]}…" for name in names]
    return bar_chart(title, short, {"pages": [float(number) for number in numbers]}, "aspect")


def balance_of(folder: RunFolder, aspects: Sequence[Aspect], model: TextModel) -> dict[str, int]:
    """Number of documents nearest to each aspect; empty for a topic without aspects."""
    if not aspects:
        return {}
    records = documents_of(folder)[:_BALANCED]
    nearest = Counter(
        nearest_aspects([compared_text(folder, record) for record in records], aspects, model)
    )
    return {aspect.name: nearest[aspect.name] for aspect in aspects}


# Reading all fetch records is what grows with a run; between two looks often nothing came.
@lru_cache(maxsize=16)
def _tallies(path: Path, fetched: int, aspects: tuple[str, ...]) -> Sums:
    """The sums over the first `fetched` records (and those that came meanwhile)."""
    reader = reader_of(RunFolder(path))
    crawl, clock, by_aspect = CrawlTally(), Clock(), AspectTally(aspects)
    if reader is None:
        return FetchTally(), clock, [], by_aspect
    with closing(reader):
        records = _watched(reader, (crawl, clock, by_aspect))
        tally = FetchTally.of(records, is_passed)
    rows = iteration_records(crawl.figures()) if tally.fetched else []
    return tally, clock, rows, by_aspect


def _watched(
    reader: FrontierReader, counters: Sequence[CrawlTally | Clock | AspectTally]
) -> Iterator[Mapping[str, Any]]:
    for record in reader.fetches():
        for counter in counters:
            counter.add(record)
        yield record
