"""Scores of short texts, kept: a site's pages repeat their links' addresses and anchors."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taxocrawl.score.base import Scorer

_LONGEST = 500
_KEPT = 50_000


class RememberedScores:
    """Scores as the scorer it is given does, asking it once for each of the latest short texts.

    Args:
        scorer: whose scores are fixed, as `Scorer` promises.
        kept: number of texts, of at most 500 characters each, whose scores are kept.
    """

    def __init__(self, scorer: Scorer, kept: int = _KEPT) -> None:
        self.name = scorer.name
        self._scorer = scorer
        self._limit = kept
        self._kept: dict[str, float] = {}

    def score(self, text: str) -> float:
        return self.score_many([text])[0]

    def score_many(self, texts: Sequence[str]) -> list[float]:
        kept = self._kept
        fresh = list(dict.fromkeys(text for text in texts if text not in kept))
        found = dict(zip(fresh, self._scorer.score_many(fresh), strict=True)) if fresh else {}
        scores = [found[text] if text in found else kept[text] for text in texts]
        kept.update((text, score) for text, score in found.items() if len(text) <= _LONGEST)
        while len(kept) > self._limit:
            del kept[next(iter(kept))]
        return scores
