"""What is known of the links between pages, as columns of numbers, and the features made of it."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

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

    Sums over links are kept up as pages come in, so that a page costs what its own links cost,
    however many there are of others. How relevant pages look, and how the siblings of a link do,
    is as of the last `judge`.

    Args:
        pseudo_count: pages of average looks that every share of relevant ones begins with.
    """

    def __init__(self, pseudo_count: float) -> None:
        self._pseudo_count = pseudo_count
        self._rows: dict[str, int] = {}
        self._hosts: dict[str, int] = {"": 0}
        # Of pages.
        self._scores, self._looks, self._sum_of_looks = array("d"), array("d"), 0.0
        # Of targets: the best or the sum over the links that lead there.
        self._url, self._anchor, self._best = array("d"), array("d"), array("d")
        self._context, self._relevant = array("d"), array("d")
        self._siblings, self._feedback = array("d"), array("d")
        self._parents, self._host, self._page = array("q"), array("q"), array("q")
        # Of hosts: sums over their fetched pages.
        self._host_looks, self._host_pages = array("d", [0.0]), array("d", [0.0])
        # Of links.
        self._source, self._target, self._nearby = array("q"), array("q"), array("d")

    def __len__(self) -> int:
        """Number of pages."""
        return len(self._scores)

    @property
    def scores(self) -> Floats:
        """The topic score of each page."""
        return np.array(self._scores)

    @property
    def looks(self) -> Floats:
        """How relevant each page looks, in [0, 1]."""
        return np.array(self._looks)

    def add_page(
        self,
        url: str,
        score: float,
        look: float,
        links: Sequence[tuple[str, str, LinkScore]],
        aliases: Iterable[str] = (),
    ) -> dict[str, int]:
        """Take in a page; return the rows of what it links to, by URL.

        A link given twice counts once, with the better URL and anchor of the two.

        Args:
            url: of the page.
            score: its topic score.
            look: how relevant it looks, in [0, 1].
            links: URL, host, and the scores of the link's parts.
            aliases: other URLs of the page.
        """
        number = len(self._scores)
        self._scores.append(score)
        self._looks.append(look)
        self._sum_of_looks += look
        for name in (url, *aliases):
            self._fetched_as(self._row(name, ""), number)
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
            self._parents[row] += 1
            self._relevant[row] += look
            self._source.append(number)
            self._target.append(row)
            self._nearby.append(0.0)
        self._add_siblings(linked.values())
        return linked

    def judge(self, looks: Floats) -> None:
        """Take in anew how relevant each page looks, in [0, 1]."""
        self._looks, self._sum_of_looks = _column(looks), float(looks.sum())
        page, host = np.array(self._page), np.array(self._host)
        source, target = np.array(self._source), np.array(self._target)
        own = np.where(page == _WAITING, 0.0, looks[page])
        known = (page != _WAITING).astype(float)
        self._host_looks = _column(np.bincount(host, own, len(self._hosts)))
        self._host_pages = _column(np.bincount(host, known, len(self._hosts)))
        self._relevant = _column(np.bincount(target, looks[source], len(page)))
        children = np.bincount(source, own[target], len(looks))
        fetched = np.bincount(source, known[target], len(looks))
        siblings = (children[source] - own[target] + self._base) / (
            fetched[source] - known[target] + self._pseudo_count
        )
        self._siblings = _column(np.bincount(target, siblings, len(page)))

    def set_feedback(self, scores: Sequence[float] | Floats) -> None:
        """Score the nearby texts of the last links that were taken in."""
        if not len(scores):
            return
        last = slice(len(self._nearby) - len(scores), None)
        nearby, sums = np.frombuffer(self._nearby)[last], np.frombuffer(self._feedback)
        np.add.at(sums, np.frombuffer(self._target, np.int64)[last], scores - nearby)
        nearby[:] = scores

    def waiting(self, names: Iterable[str] | None = None) -> dict[str, int]:
        """The rows of those of the URLs (of all when None) that are not fetched."""
        rows = self._rows
        chosen = rows if names is None else {name: rows[name] for name in names}
        return {name: row for name, row in chosen.items() if self._page[row] == _WAITING}

    def fetched(self) -> tuple[Rows, Rows]:
        """The targets of links that are fetched: their rows, and their pages."""
        page = np.array(self._page)
        rows = np.flatnonzero((page != _WAITING) & (np.array(self._parents) > 0))
        return rows, page[rows]

    def features(self, rows: Sequence[int] | Rows) -> Floats:
        """`FEATURES` of some targets, one or more, each of which a page links to.

        A page's own looks do not enter its features: they are what is to be foretold.

        Returns:
            Of shape (rows, features).
        """
        chosen = np.asarray(rows, dtype=np.int64)

        def of(column: array[float] | array[int], kind: type = np.float64) -> Floats:
            return np.asarray(np.frombuffer(column, kind)[chosen])

        page, host = of(self._page, np.int64), of(self._host, np.int64)
        parents = of(self._parents, np.int64)
        each = np.maximum(parents, 1)
        is_known = page != _WAITING
        own = np.where(is_known, np.frombuffer(self._looks)[page], 0.0)
        named = host > 0
        on_host = np.where(named, np.frombuffer(self._host_looks)[host] - own, 0.0)
        of_host = np.where(named, np.frombuffer(self._host_pages)[host] - is_known, 0.0)
        relevant = of(self._relevant)
        columns = (
            of(self._url),
            of(self._anchor),
            of(self._context) / each,
            (relevant + self._base) / (parents + self._pseudo_count),
            np.log1p(relevant),
            of(self._best),
            of(self._siblings) / each,
            (on_host + self._base) / (of_host + self._pseudo_count),
            of(self._feedback) / each,
        )
        return np.column_stack(columns)

    @property
    def _base(self) -> float:
        return self._pseudo_count * self._sum_of_looks / len(self._looks)

    def _add_siblings(self, linked: Iterable[int]) -> None:
        """For the links of the newest page: how its other links look that are fetched."""
        rows = list(linked)
        known = {row: self._looks[self._page[row]] for row in rows if self._page[row] != _WAITING}
        children = sum(known.values())
        for row in rows:
            others = len(known) - (row in known) + self._pseudo_count
            self._siblings[row] += (children - known.get(row, 0.0) + self._base) / others

    def _fetched_as(self, row: int, page: int) -> None:
        host, before = self._host[row], self._page[row]
        self._host_looks[host] += self._looks[page]
        if before == _WAITING:
            self._host_pages[host] += 1
        else:
            self._host_looks[host] -= self._looks[before]
        self._page[row] = page

    def _row(self, name: str, host: str) -> int:
        row = self._rows.setdefault(name, len(self._rows))
        if row == len(self._page):
            for column in (self._url, self._anchor, self._best, self._context):
                column.append(0.0)
            for column in (self._relevant, self._siblings, self._feedback):
                column.append(0.0)
            self._page.append(_WAITING)
            self._host.append(0)
            self._parents.append(0)
        if host and not self._host[row]:
            self._host[row] = self._hosts.setdefault(host, len(self._hosts))
            if self._host[row] == len(self._host_looks):
                self._host_looks.append(0.0)
                self._host_pages.append(0.0)
            if self._page[row] != _WAITING:
                self._host_looks[self._host[row]] += self._looks[self._page[row]]
                self._host_pages[self._host[row]] += 1
        return row


def _column(values: ArrayLike) -> array[float]:
    column = array("d")
    column.frombytes(np.asarray(values, dtype=np.float64).tobytes())
    return column
