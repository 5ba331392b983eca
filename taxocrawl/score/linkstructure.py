"""Orderings of waiting links by the link structure seen so far (KU 2.1.1.1).

In-degree and PageRank after Cho, Garcia-Molina and Page (1998), hubs and authorities after
Kleinberg (1999), OPIC after Abiteboul, Preda and Cobena (2003). Each may be mixed with the links'
similarity to the topic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.exceptions import ArgumentError
from taxocrawl.score.base import in_unit_interval
from taxocrawl.score.pagetexts import NO_TEXTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from taxocrawl.score.links import LinkScore
    from taxocrawl.score.pagetexts import PageTexts

    Links = Sequence[Sequence[int]]
    Floats = NDArray[np.float64]

_DAMPING = 0.85
_ROUNDS = 30


def indegree(fetched: Sequence[int], links: Links, nodes: int) -> Floats:
    """Number of fetched pages that link to each node.

    Args:
        fetched: nodes of the fetched pages, in their order.
        links: for each of these, the nodes that it links to, each once.
        nodes: number of all nodes, fetched and waiting.
    """
    _, target = _edges(fetched, links)
    return np.bincount(target, minlength=nodes).astype(float)


def pagerank(fetched: Sequence[int], links: Links, nodes: int) -> Floats:
    """PageRank of the graph seen so far; what was not fetched links to every node alike.

    Damping 0.85, 30 rounds; adds up to 1.
    """
    source, target = _edges(fetched, links)
    degree = np.bincount(source, minlength=nodes)
    rank = np.full(nodes, 1 / nodes)
    for _ in range(_ROUNDS):
        passed = np.bincount(target, rank[source] / degree[source], nodes)
        loose = rank[degree == 0].sum()
        rank = (1 - _DAMPING) / nodes + _DAMPING * (passed + loose / nodes)
    return rank


def authorities(fetched: Sequence[int], links: Links, nodes: int) -> Floats:
    """Authority of each node, of length 1 together: the more hubs link there, the more it has."""
    source, target = _edges(fetched, links)
    authority: Floats = np.ones(nodes)
    for _ in range(_ROUNDS):
        hub = np.bincount(source, authority[target], nodes)
        authority = np.asarray(np.bincount(target, hub[source], nodes), dtype=float)
        length = float(np.linalg.norm(authority))
        if not length:
            return np.zeros(nodes)
        authority /= length
    return authority


def opic(fetched: Sequence[int], links: Links, nodes: int) -> Floats:
    """Cash of each node: a page has 1 at first, and hands all it has to its links when fetched."""
    cash = np.ones(nodes)
    for page, targets in zip(fetched, links, strict=True):
        given, cash[page] = cash[page], 0.0
        if targets:
            cash[list(targets)] += given / len(targets)
    return cash


ORDERINGS: Mapping[str, Callable[[Sequence[int], Links, int], Floats]] = {
    "indegree": indegree,
    "pagerank": pagerank,
    "hits": authorities,
    "opic": opic,
}


class LinkStructure:
    """Scores waiting links by one of `ORDERINGS`, as a share of the best waiting one's.

    Args:
        ordering: a name of `ORDERINGS`.
        similarity: how much of a score is the link's similarity (eq. 4.4), in [0, 1].
        every: pages after which waiting links are scored again; later a thirtieth of all pages.

    Raises ArgumentError for a value out of its range.
    """

    def __init__(self, ordering: str, *, similarity: float = 0.0, every: int = 10) -> None:
        if ordering not in ORDERINGS:
            raise ArgumentError(f"ordering {ordering!r}: expected one of {', '.join(ORDERINGS)}")
        if not 0 <= similarity <= 1 or every < 1:
            raise ArgumentError(
                "link structure needs similarity in [0, 1] and every of 1 or more, not "
                f"{similarity}, {every}"
            )
        self._ordering, self._similarity, self._every = ORDERINGS[ordering], similarity, every
        self._nodes: dict[str, int] = {}
        self._fetched: list[int] = []
        self._settled: set[int] = set()
        self._links: list[list[int]] = []
        self._similar: dict[int, float] = {}
        self._scored_at = 0

    def add_page(
        self,
        url: str,
        score: float,
        links: Sequence[tuple[str, str, LinkScore]],
        aliases: Sequence[str] = (),
        texts: PageTexts = NO_TEXTS,
    ) -> dict[str, float]:
        """As `taxocrawl.score.linkmodel.LinkModel.add_page`; score and texts do not matter."""
        page = self._node(url)
        # Links that led to the page by another URL stay with a node of their own.
        self._settled.update([page, *(self._nodes.setdefault(alias, page) for alias in aliases)])
        targets: dict[int, str] = {}
        for link, _, parts in links:
            node = self._node(link)
            targets.setdefault(node, link)
            self._similar[node] = max(self._similar.get(node, 0.0), parts.score)
        targets.pop(page, None)
        self._fetched.append(page)
        self._links.append(list(targets))
        return {link: self._similar[n] for n, link in targets.items() if n not in self._settled}

    reads_texts = False

    @property
    def due(self) -> bool:
        """Whether waiting links should be scored again by now."""
        fetched = len(self._fetched)
        return fetched - self._scored_at >= max(self._every, fetched // 30)

    def rescore(self) -> dict[str, float]:
        """The scores of all links that wait, in [0, 1]."""
        self._scored_at = len(self._fetched)
        importance = self._ordering(self._fetched, self._links, len(self._nodes))
        waiting = {url: node for url, node in self._nodes.items() if node not in self._settled}
        best = max((float(importance[node]) for node in waiting.values()), default=0.0) or 1.0
        share = self._similarity
        return {
            url: in_unit_interval(
                share * self._similar.get(node, 0.0) + (1 - share) * float(importance[node]) / best
            )
            for url, node in waiting.items()
        }

    def _node(self, url: str) -> int:
        return self._nodes.setdefault(url, len(self._nodes))


def _edges(fetched: Sequence[int], links: Links) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    source = np.repeat(np.array(fetched, dtype=np.intp), [len(targets) for targets in links])
    target = np.array([node for targets in links for node in targets], dtype=np.intp)
    return source, target
