"""How far a crawl has come, read from its frontier while it writes."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from taxocrawl.evaluate.crawl import CrawlTally
from taxocrawl.evaluate.iterations import iteration_records
from taxocrawl.items import is_passed
from taxocrawl.runs.charts import bar_chart, line_chart
from taxocrawl.runs.folder import RunFolder
from taxocrawl.runs.tally import FetchTally
from taxocrawl.web.aspects import nearest_aspects
from taxocrawl.web.folders import documents_of, reader_of
from taxocrawl.web.results import compared_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from taxocrawl.frontier.reading import FrontierReader
    from taxocrawl.rerank.representations import TextModel
    from taxocrawl.web.aspects import Aspect

TOP_HOSTS = 15
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
    tally, clock, iterations = _tallies(folder.path, fetched)
    return Progress(states, iteration, documents, refused, tally, clock, iterations)


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
    if any(balance.values()):
        found.append(
            bar_chart(
                "Balance of the aspects: documents nearest to each",
                [name if len(name) < 16 else f"{name[:14]}…" for name in balance],
                {"documents": [float(number) for number in balance.values()]},
                "aspect",
            )
        )
    return found


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
def _tallies(path: Path, fetched: int) -> tuple[FetchTally, Clock, list[dict[str, Any]]]:
    """The sums over the first `fetched` records (and those that came meanwhile)."""
    reader = reader_of(RunFolder(path))
    crawl, clock = CrawlTally(), Clock()
    if reader is None:
        return FetchTally(), clock, []
    with closing(reader):
        tally = FetchTally.of(_watched(reader, crawl, clock), is_passed)
    return tally, clock, iteration_records(crawl.figures()) if tally.fetched else []


def _watched(
    reader: FrontierReader, crawl: CrawlTally, clock: Clock
) -> Iterator[Mapping[str, Any]]:
    for record in reader.fetches():
        crawl.add(record)
        clock.add(record)
        yield record
