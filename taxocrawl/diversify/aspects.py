"""Scores to a topic and its aspects, and the score S that a crawler makes of them (METU 4.3.2)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.diversify.checks import checked_lambda
from taxocrawl.diversify.combsumdiv import combsumdiv_scores
from taxocrawl.diversify.weights import equal_weights
from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from taxocrawl.score.base import Scorer

_DIGITS = 9
"""To which S is rounded, so that it does not depend on how many texts are scored at once."""
PARTS_DIGITS = 6
"""To which the scores that S is made of are rounded, so that they can be kept and give S again."""


GATHERED = ("scores", "pages")


def gathered(
    scores: Sequence[float], by: str = "scores", *, power: float = 1.0, above: float = 0.0
) -> list[float]:
    """What one page adds to what was gathered of each aspect.

    Args:
        scores: the page's score to each aspect, in [0, 1].
        by: ``scores`` (the document): each score. ``pages``: 1 for the aspect of the highest score,
            the first of equals; it does not depend on how high an aspect's scores run.
        power: that scores are raised to, at least 1.
        above: a page counts for an aspect only with a higher score.

    Raises ArgumentError for another `by`.
    """
    if by not in GATHERED:
        raise ArgumentError(f"gathered by {by!r}: expected one of {', '.join(GATHERED)}")
    if by == "scores":
        return [score**power if score > above else 0.0 for score in scores]
    best = max(range(len(scores)), key=lambda place: scores[place])
    return [float(place == best and scores[best] > above) for place in range(len(scores))]


def specific(scores: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    """Scores to each aspect times (the aspect's share in the text's scores to all) ^ power.

    The share stands for P(q_i|d), every aspect being as likely beforehand. It sets what is about
    one aspect above what has to do a little with each: eq. 4.6 sums over the aspects and gives the
    latter much. Power 0 is the document's equation.

    Args:
        scores: P(d|q_i) in [0, 1], of shape (aspects, texts).
        power: from 0.
    """
    if not power:
        return scores
    sums = scores.sum(axis=0)
    shares = np.divide(scores, sums, out=np.zeros_like(scores), where=sums > 0)
    return np.asarray(scores * shares**power)


class AspectScorer:
    """Scores texts by S = (1 - lambda) P(d|q) + lambda * sum of w_i P(d|q_i) (eq. 4.6).

    Args:
        topic: scorer of the topic, P(d|q).
        aspects: scorer of each aspect, P(d|q_i), at least one.
        lambda_: share of the aspects, in [0, 1].
        specificity: how much less a score to an aspect counts when the text has to do with other
            aspects too, from 0; see `specific`.

    Raises ArgumentError for an argument out of range and for no aspects.
    """

    name = "diversified"

    def __init__(
        self,
        topic: Scorer,
        aspects: Sequence[Scorer],
        lambda_: float = 0.5,
        specificity: float = 0.0,
    ) -> None:
        if not aspects:
            raise ArgumentError("no aspects given: a diversified score needs at least one")
        if not 0 <= specificity < math.inf:
            raise ArgumentError(f"specificity {specificity}: expected a number of 0 or more")
        self._scorers = (topic, *aspects)
        self.lambda_, self.specificity = checked_lambda(lambda_), specificity
        self.weights = equal_weights(np.zeros(len(aspects)))
        """w_i, in force for what is scored next; those of the first iteration until changed."""

    def parts(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Scores in [0, 1] of shape (1 + aspects, texts), those to the topic first."""
        found = [scorer.score_many(texts) for scorer in self._scorers]
        return np.round(np.array(found, dtype=np.float64).reshape(len(found), -1), PARTS_DIGITS)

    def combined(self, parts: ArrayLike) -> NDArray[np.float64]:
        """S in [0, 1] of each text from its `parts`, under the weights in force."""
        scores = np.asarray(parts, dtype=np.float64)
        of_aspects = specific(scores[1:], self.specificity)
        found = combsumdiv_scores(scores[0], of_aspects, self.weights, self.lambda_)
        return np.clip(np.round(found, _DIGITS), 0.0, 1.0)

    def of_links(
        self, page: ArrayLike, texts: Sequence[str], page_share: float, shares: Sequence[float]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What a page's links are scored by, in [0, 1]; `combined` makes S of the first.

        Args:
            page: the page's `parts`, of shape (1 + aspects,).
            texts: of the links, `len(shares)` of each one after the other.
            page_share: lambda of eq. 4.5, in [0, 1].
            shares: weight of each of a link's texts; they sum to 1.

        Returns:
            Eq. 4.5 with the score to the topic, then to each aspect, in the place of S, of shape
            (1 + aspects, links), rounded as `parts` are; and S of each text, (links, texts).
        """
        of_texts = self.parts(texts)
        shape = (len(of_texts), -1, len(shares))
        link = (of_texts.reshape(shape) * np.array(shares)).sum(axis=2)
        mixed = page_share * np.asarray(page)[:, None] + (1 - page_share) * link
        kept = np.clip(np.round(mixed, PARTS_DIGITS), 0.0, 1.0)
        return np.asarray(kept), self.combined(of_texts).reshape(shape[1:])

    def score(self, text: str) -> float:
        """S of one text, in [0, 1]."""
        return self.score_many([text])[0]

    def score_many(self, texts: Sequence[str]) -> list[float]:
        """S of several texts, in their order."""
        return [float(score) for score in self.combined(self.parts(texts))]
