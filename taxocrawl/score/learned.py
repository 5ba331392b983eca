"""Link scores learned while crawling from what earlier links led to.

A logistic model over a link's parts, its parents and its host, trained on the pages fetched so far.
Nobody labels them: how relevant a page looks is judged by its topic score alone. Comparable to the
online learning of ACHE; the documents have nothing of the kind. docs/scorers.md has the features.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from taxocrawl.score.links import LinkScore

FEATURES = (
    "url",
    "anchor",
    "context",
    "parents",
    "relevant parents",
    "best parent",
    "siblings",
    "host",
)
_PRIOR = np.array([0.5, 1.0, 1.0, 1.0, 0.1, 0.5, 1.0, 0.0])
"""Weights before anything is learned, towards which the learned ones are drawn."""
_STEPS, _RATE = 60, 2.0
_STEEPNESS = 2.0
_PSEUDO_COUNT = 2.0


@dataclass(slots=True)
class _Target:
    """A URL that pages link to."""

    host: str
    url: float = 0.0
    anchor: float = 0.0
    context: float = 0.0
    """Sum over links."""
    parents: list[int] = field(default_factory=list)
    page: int = -1
    """Its own number once it is fetched."""


class LearnedLinks:
    """Scores links by a model that is trained again as pages come in.

    Args:
        every: pages after which the model is trained and waiting links are scored again; later
            a thirtieth of all pages, so that the work per page does not grow.
        least: pages before the first training, until when the prior weights hold.
        l2: how strongly weights are drawn to the prior ones, above 0.
        exploration: share of pages, in [0, 1), that are drawn at random from the waiting links.
        random_state: seed of these draws.

    Raises ArgumentError for a value out of its range.
    """

    def __init__(
        self,
        *,
        every: int = 10,
        least: int = 20,
        l2: float = 0.1,
        exploration: float = 0.02,
        random_state: int = 0,
    ) -> None:
        if every < 1 or least < 1 or not 0 < l2 < math.inf or not 0 <= exploration < 1:
            raise ArgumentError(
                "learned links need every and least of 1 or more, l2 above 0 and exploration in "
                f"[0, 1), not {every}, {least}, {l2}, {exploration}"
            )
        self._every, self._least, self._l2 = every, least, l2
        self._exploration, self._random = exploration, Random(random_state)
        self._targets: dict[str, _Target] = {}
        self._scores: list[float] = []
        self._children: list[list[_Target]] = []
        self._trained_at = 0
        self._weights, self._shift = _PRIOR.copy(), np.zeros(len(FEATURES))
        self._scale, self._bias = np.ones(len(FEATURES)), 0.0

    def add_page(
        self,
        url: str,
        score: float,
        links: Sequence[tuple[str, str, LinkScore]],
        aliases: Sequence[str] = (),
    ) -> dict[str, float]:
        """Learn of a fetched page; return the scores of what it links to and is not fetched.

        Args:
            url: canonical, as those of the links.
            score: the page's topic score.
            links: url, host, and the scores of its parts.
            aliases: other URLs by which links lead to the page.
        """
        number = len(self._scores)
        self._scores.append(score)
        for name in (url, *aliases):
            self._targets.setdefault(name, _Target("")).page = number
        linked: dict[str, _Target] = {}
        for link, host, parts in links:
            target = self._targets.setdefault(link, _Target(host))
            target.host = target.host or host
            target.url = max(target.url, parts.url)
            target.anchor = max(target.anchor, parts.anchor)
            target.context += parts.context
            target.parents.append(number)
            linked[link] = target
        self._children.append(list(linked.values()))
        waiting = {link: target for link, target in linked.items() if target.page < 0}
        return self._scored(waiting)

    @property
    def due(self) -> bool:
        """Whether waiting links should be scored again by now."""
        fetched = len(self._scores)
        return fetched - self._trained_at >= max(self._every, fetched // 30)

    def rescore(self) -> dict[str, float]:
        """Train; the scores of all links that wait, in [0, 1]."""
        pages = len(self._scores)
        share, self._trained_at = pages - self._trained_at, pages
        trained = [t for t in self._targets.values() if t.page >= 0 and t.parents]
        if len(trained) >= self._least:
            self._train(trained)
        scores = self._scored({u: t for u, t in self._targets.items() if t.page < 0})
        for url in self._drawn(list(scores), share):
            scores[url] = 1.0
        return scores

    def weights(self) -> Mapping[str, float]:
        """What each feature counts, per unit of the feature."""
        return dict(zip(FEATURES, (self._weights / self._scale).tolist(), strict=True))

    def _drawn(self, urls: list[str], pages: int) -> list[str]:
        number = sum(self._random.random() < self._exploration for _ in range(pages))
        return self._random.sample(urls, min(number, len(urls)))

    def _scored(self, targets: Mapping[str, _Target]) -> dict[str, float]:
        if not targets:
            return {}
        features = self._features(list(targets.values()))
        z = ((features - self._shift) / self._scale) @ self._weights + self._bias
        return dict(zip(targets, _sigmoid(z).tolist(), strict=True))

    def _train(self, targets: Sequence[_Target]) -> None:
        """Logistic regression on how relevant fetched pages look, by gradient descent."""
        features = self._features(targets)
        looks = self._relevance()[[target.page for target in targets]]
        self._shift = features.mean(axis=0)
        self._scale = features.std(axis=0) + 1e-6
        standard = (features - self._shift) / self._scale
        prior = _PRIOR * self._scale
        weights, bias = prior.copy(), 0.0
        for _ in range(_STEPS):
            error = _sigmoid(standard @ weights + bias) - looks
            slope = standard.T @ error / len(looks) + self._l2 * (weights - prior)
            weights -= _RATE * slope / (1 + self._l2)
            bias -= _RATE * float(error.mean())
        self._weights, self._bias = weights, bias

    def _relevance(self) -> NDArray[np.float64]:
        """How relevant each page looks, in [0, 1]: its score against what divides all scores."""
        scores = np.array(self._scores)
        spread = float(scores.std()) + 1e-6
        return _sigmoid(_STEEPNESS * (scores - dividing_score(scores)) / spread)

    def _features(self, targets: Sequence[_Target]) -> NDArray[np.float64]:
        looks = self._relevance()
        base = float(looks.mean())
        brood, sizes = self._broods(looks)
        hosts = self._hosts(looks)
        rows = np.zeros((len(targets), len(FEATURES)))
        for row, target in zip(rows, targets, strict=True):
            parents = target.parents
            seen = looks[parents]
            # A page's own relevance is what is to be foretold: it may not enter its features.
            own = looks[target.page] if target.page >= 0 else 0.0
            known = float(target.page >= 0)
            siblings = (brood[parents] - own + _PSEUDO_COUNT * base) / (
                sizes[parents] - known + _PSEUDO_COUNT
            )
            total, number = hosts.get(target.host, (0.0, 0))
            number -= int(known and target.host in hosts)
            total -= own if target.host in hosts else 0.0
            row[:] = (
                target.url,
                target.anchor,
                target.context / len(parents),
                (seen.sum() + _PSEUDO_COUNT * base) / (len(parents) + _PSEUDO_COUNT),
                math.log1p(seen.sum()),
                max(self._scores[parent] for parent in parents),
                siblings.mean(),
                (total + _PSEUDO_COUNT * base) / (number + _PSEUDO_COUNT),
            )
        return rows

    def _broods(
        self, looks: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For each page: how relevant its fetched children look in sum, and how many they are."""
        sums, sizes = np.zeros(len(looks)), np.zeros(len(looks))
        for page, children in enumerate(self._children):
            fetched = [child.page for child in children if child.page >= 0]
            sums[page], sizes[page] = looks[fetched].sum(), len(fetched)
        return sums, sizes

    def _hosts(self, looks: NDArray[np.float64]) -> dict[str, tuple[float, int]]:
        record: dict[str, tuple[float, int]] = {}
        for target in self._targets.values():
            if target.page >= 0 and target.host:
                total, number = record.get(target.host, (0.0, 0))
                record[target.host] = (total + float(looks[target.page]), number + 1)
        return record


def dividing_score(scores: NDArray[np.float64]) -> float:
    """The value that divides scores into two groups as far apart as can be (Otsu's threshold).

    Half-way between the groups; the only score when all are equal.
    """
    ordered = np.sort(scores)
    number = len(ordered)
    if number < 2 or ordered[0] == ordered[-1]:
        return float(ordered[0])
    below = np.arange(1, number)
    sums = np.cumsum(ordered)[:-1]
    apart = sums / below - (ordered.sum() - sums) / (number - below)
    best = int(np.argmax(below * (number - below) * apart**2))
    return float((ordered[best] + ordered[best + 1]) / 2)


def _sigmoid(z: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-np.clip(z, -50, 50))))
