"""Link scores learned while crawling from what earlier links led to.

A logistic model over a link's parts, its parents and its host, trained on the pages fetched so far.
Nobody labels them: how relevant a page looks is judged by its topic score alone. Comparable to the
online learning of ACHE; the documents have nothing of the kind. docs/scorers.md has the features.
"""

from __future__ import annotations

import math
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
_REFRESHED_EVERY = 5
"""Pages between two looks at the topic's words, at least."""


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
    ) -> None:
        if every < 1 or least < 1 or not 0 < l2 < math.inf or not 0 <= exploration < 1:
            raise ArgumentError(
                "learned links need every and least of 1 or more, l2 above 0 and exploration in "
                f"[0, 1), not {every}, {least}, {l2}, {exploration}"
            )
        self._every, self._least, self._l2 = every, least, l2
        self._exploration, self._random = exploration, Random(random_state)
        self._table = LinkTable(_PSEUDO_COUNT)
        self._feedback = TopicFeedback() if feedback else None
        self._trained_at = self._refreshed_at = 0
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
        linked = self._table.add_page(url, score, links, aliases)
        if self._feedback is not None:
            self._feedback.add_page(texts.lead)
            contexts = dict(zip((link for link, _, _ in links), texts.contexts, strict=False))
            for link in linked:
                self._feedback.add_text(contexts.get(link, ""))
            self._score_texts(self._feedback, len(linked))
        return self._scored(self._table.waiting(linked))

    @property
    def due(self) -> bool:
        """Whether waiting links should be scored again by now."""
        fetched = len(self._table)
        return fetched - self._trained_at >= max(self._every, fetched // 30)

    def rescore(self) -> dict[str, float]:
        """Train; the scores of all links that wait, in [0, 1]."""
        pages = len(self._table)
        share, self._trained_at = pages - self._trained_at, pages
        rows, fetched = self._table.fetched()
        if len(rows) >= self._least:
            self._train(rows, fetched)
        scores = self._scored(self._table.waiting())
        for url in self._drawn(list(scores), share):
            scores[url] = 1.0
        return scores

    def weights(self) -> Mapping[str, float]:
        """What each feature counts, per unit of the feature."""
        return dict(zip(FEATURES, (self._weights / self._scale).tolist(), strict=True))

    def _drawn(self, urls: list[str], pages: int) -> list[str]:
        number = sum(self._random.random() < self._exploration for _ in range(pages))
        return self._random.sample(urls, min(number, len(urls)))

    def _scored(self, rows: Mapping[str, int]) -> dict[str, float]:
        if not rows:
            return {}
        features = self._table.features(list(rows.values()), self._relevance())
        z = ((features - self._shift) / self._scale) @ self._weights + self._bias
        return dict(zip(rows, _sigmoid(z).tolist(), strict=True))

    def _score_texts(self, feedback: TopicFeedback, new: int) -> None:
        """Score the texts of new links, or those of all when the topic's words have changed."""
        pages = len(self._table)
        if pages - self._refreshed_at >= max(_REFRESHED_EVERY, pages // 30):
            self._refreshed_at = pages
            feedback.refresh(self._relevance())
            self._table.set_feedback(feedback.scores().tolist())
        else:
            self._table.set_feedback(feedback.scores(new).tolist())

    def _train(self, rows: NDArray[np.int64], pages: NDArray[np.int64]) -> None:
        """Logistic regression on how relevant fetched pages look, by gradient descent."""
        relevance = self._relevance()
        features, looks = self._table.features(rows, relevance), relevance[pages]
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
        scores = self._table.scores
        spread = float(scores.std()) + 1e-6
        return _sigmoid(_STEEPNESS * (scores - dividing_score(scores)) / spread)


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
