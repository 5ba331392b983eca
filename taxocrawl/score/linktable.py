"""What is known of the links between pages, as columns of numbers, and the features made of it."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from taxocrawl.score.links import LinkScore

    Floats = NDArray[np.float64]
    Rows = NDArray[np.int64]

FEATURES = (
    "url",
    "anchor",
    "context",
    "parents",
    "relevant parents",
    "best parent",
    "siblings",
    "host",
    "feedback",
)
_WAITING = -1


class LinkTable:
    """Targets of links in the order in which they were found, pages in that of their fetching.

    Args:
        pseudo_count: pages of average looks that every share of relevant ones begins with.
    """

    def __init__(self, pseudo_count: float) -> None:
        self._pseudo_count = pseudo_count
        self._rows: dict[str, int] = {}
        self._hosts: dict[str, int] = {"": 0}
        self._scores = array("d")
        self._url, self._anchor, self._best = array("d"), array("d"), array("d")
        self._context = array("d")
        self._host, self._page = array("q"), array("q")
        self._source, self._target, self._feedback = array("q"), array("q"), array("d")

    def __len__(self) -> int:
        """Number of pages."""
        return len(self._scores)

    @property
    def scores(self) -> Floats:
        """The topic score of each page."""
        return np.array(self._scores)

    def add_page(
        self,
        url: str,
        score: float,
        links: Sequence[tuple[str, str, LinkScore]],
        aliases: Iterable[str] = (),
    ) -> dict[str, int]:
        """Take in a page; return the rows of what it links to, by URL.

        A link given twice counts once, with the better URL and anchor of the two.
        """
        number = len(self._scores)
        self._scores.append(score)
        for name in (url, *aliases):
            self._page[self._row(name, "")] = number
        linked: dict[str, int] = {}
        for link, host, parts in links:
            row = self._row(link, host)
            self._url[row] = max(self._url[row], parts.url)
            self._anchor[row] = max(self._anchor[row], parts.anchor)
            if link in linked:
                continue
            linked[link] = row
            self._context[row] += parts.context
            self._best[row] = max(self._best[row], score)
            self._source.append(number)
            self._target.append(row)
            self._feedback.append(0.0)
        return linked

    def set_feedback(self, scores: Sequence[float]) -> None:
        """Score the nearby texts of the last links that were taken in."""
        self._feedback[len(self._feedback) - len(scores) :] = array("d", scores)

    def waiting(self, names: Iterable[str] | None = None) -> dict[str, int]:
        """The rows of those of the URLs (of all when None) that are not fetched."""
        rows = self._rows
        chosen = rows if names is None else {name: rows[name] for name in names}
        return {name: row for name, row in chosen.items() if self._page[row] == _WAITING}

    def fetched(self) -> tuple[Rows, Rows]:
        """The targets of links that are fetched: their rows, and their pages."""
        page = np.array(self._page)
        linked = np.bincount(np.array(self._target, dtype=np.int64), minlength=len(page)) > 0
        rows = np.flatnonzero((page != _WAITING) & linked)
        return rows, page[rows]

    def features(self, rows: Sequence[int] | Rows, looks: Floats) -> Floats:
        """`FEATURES` of some targets, each of which a page links to.

        A page's own looks do not enter its features: they are what is to be foretold.

        Args:
            rows: of the targets.
            looks: how relevant each page looks, in [0, 1].

        Returns:
            Of shape (rows, features).
        """
        page, host = np.array(self._page), np.array(self._host)
        source, target = np.array(self._source), np.array(self._target)
        number = len(page)
        own = np.where(page == _WAITING, 0.0, looks[page])
        known = (page != _WAITING).astype(float)
        base = float(looks.mean()) * self._pseudo_count
        parents = np.bincount(target, minlength=number)
        each = np.maximum(parents, 1)
        relevant = np.bincount(target, looks[source], number)
        children = np.bincount(source, own[target], len(looks))
        fetched = np.bincount(source, known[target], len(looks))
        siblings = (children[source] - own[target] + base) / (
            fetched[source] - known[target] + self._pseudo_count
        )
        on_host = np.bincount(host, own) - np.bincount(host, own * (host == 0))
        of_host = np.bincount(host, known) - np.bincount(host, known * (host == 0))
        named = host > 0
        columns = (
            np.array(self._url),
            np.array(self._anchor),
            np.array(self._context) / each,
            (relevant + base) / (parents + self._pseudo_count),
            np.log1p(relevant),
            np.array(self._best),
            np.bincount(target, siblings, number) / each,
            (on_host[host] - own * named + base)
            / (of_host[host] - known * named + self._pseudo_count),
            np.bincount(target, np.array(self._feedback), number) / each,
        )
        return np.column_stack(columns)[np.asarray(rows, dtype=np.int64)]

    def _row(self, name: str, host: str) -> int:
        row = self._rows.setdefault(name, len(self._rows))
        if row == len(self._page):
            for column in (self._url, self._anchor, self._best, self._context):
                column.append(0.0)
            self._page.append(_WAITING)
            self._host.append(0)
        if host and not self._host[row]:
            self._host[row] = self._hosts.setdefault(host, len(self._hosts))
        return row
