"""Replays crawls over pages that were fetched once: same pages, same links, another order.

What decides the order is the crawler's own: frontier, iterations, selection policy, scorer, link
model. Left out is what a web of well-behaved hosts does not show: robots.txt, delays, failures,
page filters, duplicates. One page at a time, each settled before the next is chosen.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

from taxocrawl.exceptions import ExtractionError, InputFileError, StorageError
from taxocrawl.frontier import traps
from taxocrawl.frontier.base import Candidate, Outcome, State
from taxocrawl.frontier.iterations import Iterations
from taxocrawl.frontier.sqlite import SqliteFrontier
from taxocrawl.frontier.urls import canonicalize, unfetchable
from taxocrawl.items import Document, Kind, Outlink
from taxocrawl.score.base import in_unit_interval
from taxocrawl.score.linkmodel import learn
from taxocrawl.score.links import LinkWeights, score_links
from taxocrawl.text.files import whole_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from taxocrawl.frontier.base import Entry, Frontier
    from taxocrawl.frontier.policy import SelectionPolicy
    from taxocrawl.score.base import Scorer
    from taxocrawl.score.linkmodel import LinkModel

    Fetch = Callable[[str], Document]
    """Fetches and reads a page; raises ExtractionError when there is none."""

UNREACHABLE = "unreachable"
"""Reason of a page that may be there another time: not kept in the file."""
_FIELDS = ("title", "text", "keywords", "description", "image_text")


class PageStore:
    """Pages by their canonical URLs, in memory and in a file; fetched when first asked for.

    Args:
        path: JSON Lines, one page a line; made when missing.
        fetch: asked for pages that the file lacks.

    Raises InputFileError for a file of another form.
    """

    def __init__(self, path: Path, fetch: Fetch) -> None:
        self._path, self._fetch = path, fetch
        self._pages: dict[str, Document | None] = {}
        self._read()

    def page(self, url: str) -> Document | None:
        """The page of a URL; None when there is none."""
        key = canonicalize(url)
        if key not in self._pages:
            try:
                self._pages[key] = self._fetch(url)
            except ExtractionError as error:
                self._pages[key] = None
                if error.reason == UNREACHABLE:
                    return None
            self._append(key, self._pages[key])
        return self._pages[key]

    def _read(self) -> None:
        for number, line in enumerate(whole_lines(self._path, "pages"), start=1):
            try:
                row = json.loads(line)
                links = tuple(Outlink(*link) for link in row.pop("links", ()))
                key, found = row.pop("url"), row.pop("found")
                self._pages[key] = Document(Kind.HTML, outlinks=links, **row) if found else None
            except (AttributeError, ValueError, TypeError, KeyError) as error:
                raise InputFileError(
                    f"{self._path}: line {number}: expected a page that a replay wrote: {error}"
                ) from error

    def _append(self, key: str, page: Document | None) -> None:
        row: dict[str, object] = {"url": key, "found": page is not None}
        if page is not None:
            row |= {name: getattr(page, name) for name in _FIELDS}
            row["links"] = [
                (link.url, link.anchor, link.context) for link in page.outlinks if not link.nofollow
            ]
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        except OSError as error:
            raise StorageError(f"{self._path}: cannot be written: {error.strerror}") from error


class Guide(Protocol):
    """Decides the order of a replayed crawl."""

    @property
    def policy(self) -> SelectionPolicy: ...

    def judge(self, frontier: Frontier, entry: Entry, page: Document) -> Judgement:
        """What follows from a page with text."""

    def iteration_finished(self, frontier: Frontier, iteration: int) -> None:
        """An iteration's last page is settled, and the next one is not selected yet."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A page's links to follow, and what is kept of the page."""

    links: Sequence[Candidate]
    fetch: Mapping[str, Any] = field(default_factory=dict)
    """Added to its fetch record."""
    totals: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """See `Outcome.totals`."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """Scores pages and links as spider `topic` does."""

    scorer: Scorer
    page_text: Callable[[Document], str]
    weights: LinkWeights
    policy: SelectionPolicy
    model: LinkModel | None = None

    def judge(self, frontier: Frontier, entry: Entry, page: Document) -> Judgement:
        score = in_unit_interval(self.scorer.score(self.page_text(page)))
        links = followed(frontier, page)
        scores = score_links(self.scorer, score, links, self.weights)
        values = [found.score for found in scores]
        if self.model is not None:
            values, waiting = learn(self.model, page, score, [entry.url], links, scores)
            frontier.rescore(Candidate(url, value) for url, value in waiting.items())
        return Judgement(
            [
                Candidate(link.url, value, entry.depth + 1, entry.url)
                for link, value in zip(links, values, strict=True)
            ]
        )

    def iteration_finished(self, frontier: Frontier, iteration: int) -> None:
        """Nothing of it moves by iteration."""


def followed(frontier: Frontier, page: Document) -> list[Outlink]:
    """The links of a page that a crawl would follow."""
    return [
        link
        for link in page.outlinks
        if not (unfetchable(link.url) or traps.refusal(link.url) or frontier.trap(link.url))
    ]


class RememberedScorer:
    """Another scorer that scores no text twice, so that replays of one topic share its work."""

    def __init__(self, scorer: Scorer) -> None:
        self.name, self._scorer = scorer.name, scorer
        self._scores: dict[str, float] = {}

    def score(self, text: str) -> float:
        return self.score_many([text])[0]

    def score_many(self, texts: Sequence[str]) -> list[float]:
        new = [text for text in dict.fromkeys(texts) if text not in self._scores]
        if new:
            self._scores |= zip(new, self._scorer.score_many(new), strict=True)
        return [self._scores[text] for text in texts]


def replay(
    store: PageStore, seeds: Sequence[str], guide: Guide, pages: int
) -> list[dict[str, Any]]:
    """The fetch records (url, iteration, status and what the guide adds) of a crawl, in its order.

    Args:
        store: the web.
        seeds: URLs of iteration 0.
        guide: decides the order.
        pages: downloads after which the crawl ends, from 1.
    """
    with (
        TemporaryDirectory() as folder,
        contextlib.closing(SqliteFrontier(Path(folder) / "frontier.db")) as frontier,
    ):
        frontier.push((Candidate(url, 1.0, source="seed:replay") for url in seeds), -1)
        iterations = Iterations(
            frontier,
            guide.policy,
            last=pages,
            max_pages=pages,
            started=lambda iteration, selected: None,
            finished=lambda iteration: guide.iteration_finished(frontier, iteration),
        )
        while (entry := iterations.next((), live=0, unsettled=0)) is not None:
            frontier.settle(_outcome(store.page(entry.url), frontier, entry, guide))
        return list(frontier.fetches())


def _outcome(page: Document | None, frontier: Frontier, entry: Entry, guide: Guide) -> Outcome:
    # Downloads are counted by their status.
    fetch = {"url": entry.url, "iteration": entry.iteration, "status": 200 if page else 404}
    if page is None or not page.text:
        return Outcome(entry.id, State.FAILED, "no page", fetch=fetch)
    judged = guide.judge(frontier, entry, page)
    return Outcome(
        entry.id,
        State.DONE,
        fetch={**fetch, **judged.fetch},
        links=judged.links,
        totals=judged.totals,
    )
