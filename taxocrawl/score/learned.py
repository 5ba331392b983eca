"""Link scores learned while crawling from what earlier links led to.

A logistic model over a link's parts, its parents and its host, trained on the pages fetched so far.
Nobody labels them: how relevant a page looks is judged by its topic score alone. Comparable to the
online learning of ACHE; the documents have nothing of the kind. docs/scorers.md has the features.
"""

from __future__ import annotations

import math
from array import array
from heapq import nlargest
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.exceptions import ArgumentError
from taxocrawl.score.feedback import TopicFeedback
from taxocrawl.score.linktable import FEATURES, LinkTable
from taxocrawl.score.pagetexts import NO_TEXTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from taxocrawl.score.links import LinkScore
    from taxocrawl.score.pagetexts import PageTexts

_PRIOR = np.array([0.5, 1.0, 1.0, 1.0, 0.1, 0.5, 1.0, 0.0, 0.0])
"""Weights before anything is learned, towards which the learned ones are drawn."""
_STEPS, _RATE = 60, 2.0
_STEEPNESS = 2.0
_PSEUDO_COUNT = 3.0
_NEVER_GIVEN = math.inf
_ALWAYS_GIVEN = 500
_REFRESHED_EVERY = 5
"""Pages between two looks at the topic's words, at least."""
_SHARE = 30
"""What looks back on all pages is done again after this part of them, so that it stays bounded."""


class LearnedLinks:
    """Scores links by a model that is trained again as pages come in.

    Args:
        every: pages after which the model is trained and waiting links are scored again; later
            a thirtieth of all pages, so that the work per page does not grow.
        least: pages before the first training, until when the prior weights hold.
        l2: how strongly weights are drawn to the prior ones, above 0.
        exploration: share of pages, in [0, 1), that are drawn at random from the waiting links.
        random_state: seed of these draws.
        feedback: whether nearby texts are also scored by the words of the pages that look
            relevant, see `taxocrawl.score.feedback`.
        least_change: scores that have moved by less than this, in [0, 1], since they were last
            given are not given again, but for those of the best waiting links: the frontier need
            not write what is far from its turn.

    Raises ArgumentError for a value out of its range.
    """

    def __init__(
        self,
        *,
        every: int = 1,
        least: int = 20,
        l2: float = 0.2,
        exploration: float = 0.02,
        random_state: int = 0,
        feedback: bool = True,
        least_change: float = 0.01,
    ) -> None:
        if every < 1 or least < 1 or not 0 < l2 < math.inf or not 0 <= exploration < 1:
            raise ArgumentError(
                "learned links need every and least of 1 or more, l2 above 0 and exploration in "
                f"[0, 1), not {every}, {least}, {l2}, {exploration}"
            )
        if not 0 <= least_change <= 1:
            raise ArgumentError(f"learned links need least_change in [0, 1], not {least_change}")
        self._every, self._least, self._l2 = every, least, l2
        self._exploration, self._random = exploration, Random(random_state)
        self._least_change = least_change
        self._given = array("d")
        self._table = LinkTable(_PSEUDO_COUNT)
        self._feedback = TopicFeedback() if feedback else None
        self._trained_at = self._refreshed_at = self._judged_at = 0
        self._dividing, self._spread = 0.0, 1.0
        self._weights, self._shift = _PRIOR.copy(), np.zeros(len(FEATURES))
        self._scale, self._bias = np.ones(len(FEATURES)), 0.0

    @property
    def reads_texts(self) -> bool:
        """Whether `add_page` has a use for texts."""
        return self._feedback is not None

    def add_page(
        self,
        url: str,
        score: float,
        links: Sequence[tuple[str, str, LinkScore]],
        aliases: Sequence[str] = (),
        texts: PageTexts = NO_TEXTS,
    ) -> dict[str, float]:
        """Learn of a fetched page; return the scores of what it links to and is not fetched.

        See `taxocrawl.score.linkmodel.LinkModel.add_page`.
        """
        linked = self._table.add_page(url, score, float(self._look(score)), links, aliases)
        if self._is_time(self._judged_at, 1):
            self._judge()
        if self._feedback is not None:
            self._feedback.add_page(texts.lead)
            contexts = dict(zip((link for link, _, _ in links), texts.contexts, strict=False))
            for link in linked:
                self._feedback.add_text(contexts.get(link, ""))
            self._score_texts(self._feedback, len(linked))
        waiting = self._table.waiting(linked)
        scores = self._scored(waiting)
        self._give(waiting, scores)
        return scores

    @property
    def due(self) -> bool:
        """Whether waiting links should be scored again by now."""
        return self._is_time(self._trained_at, self._every)

    def rescore(self) -> dict[str, float]:
        """Train; the scores, in [0, 1], of those links that wait and whose score has moved."""
        pages = len(self._table)
        share, self._trained_at = pages - self._trained_at, pages
        self._judge()
        rows, fetched = self._table.fetched()
        if len(rows) >= self._least:
            self._train(rows, fetched)
        waiting = self._table.waiting()
        scores = self._scored(waiting)
        for url in self._drawn(list(scores), share):
            scores[url] = 1.0
        changed = self._changed(waiting, scores)
        self._give(waiting, changed)
        return changed

    def weights(self) -> Mapping[str, float]:
        """What each feature counts, per unit of the feature."""
        return dict(zip(FEATURES, (self._weights / self._scale).tolist(), strict=True))

    def _changed(self, rows: Mapping[str, int], scores: Mapping[str, float]) -> dict[str, float]:
        """Those that moved; of the best ones, and those that are so no more, every one."""
        best = nlargest(_ALWAYS_GIVEN, scores.values())
        near = best[-1] if best else 0.0
        changed = {}
        for url, score in scores.items():
            given = self._given[rows[url]]
            if max(score, given) >= near or abs(score - given) >= self._least_change:
                changed[url] = score
        return changed

    def _give(self, rows: Mapping[str, int], scores: Mapping[str, float]) -> None:
        """Note which scores the caller has."""
        new = max(rows.values(), default=-1) + 1 - len(self._given)
        self._given.extend([_NEVER_GIVEN] * new)
        for url, score in scores.items():
            self._given[rows[url]] = score

    def _drawn(self, urls: list[str], pages: int) -> list[str]:
        number = sum(self._random.random() < self._exploration for _ in range(pages))
        return self._random.sample(urls, min(number, len(urls)))

    def _scored(self, rows: Mapping[str, int]) -> dict[str, float]:
        if not rows:
            return {}
        features = self._table.features(list(rows.values()))
        z = ((features - self._shift) / self._scale) @ self._weights + self._bias
        return dict(zip(rows, _sigmoid(z).tolist(), strict=True))

    def _score_texts(self, feedback: TopicFeedback, new: int) -> None:
        """Score the texts of new links, or those of all when the topic's words have changed."""
        if self._is_time(self._refreshed_at, _REFRESHED_EVERY):
            self._refreshed_at = len(self._table)
            feedback.refresh(self._table.looks)
            self._table.set_feedback(feedback.scores())
        else:
            self._table.set_feedback(feedback.scores(new))

    def _train(self, rows: NDArray[np.int64], pages: NDArray[np.int64]) -> None:
        """Logistic regression on how relevant fetched pages look, by gradient descent."""
        features, looks = self._table.features(rows), self._table.looks[pages]
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

    def _is_time(self, last: int, least: int) -> bool:
        pages = len(self._table)
        return pages - last >= max(least, pages // _SHARE)

    def _judge(self) -> None:
        """Find anew what divides the scores of all pages, and how relevant they look by that."""
        if self._judged_at < len(self._table):
            self._judged_at = len(self._table)
            scores = self._table.scores
            self._dividing, self._spread = dividing_score(scores), float(scores.std()) + 1e-6
            self._table.judge(self._look(scores))

    def _look(self, scores: float | NDArray[np.float64]) -> NDArray[np.float64]:
        """How relevant pages of these scores look, in [0, 1]."""
        return _sigmoid(_STEEPNESS * (scores - self._dividing) / self._spread)


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


def _sigmoid(z: float | NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-np.clip(z, -50, 50))))
