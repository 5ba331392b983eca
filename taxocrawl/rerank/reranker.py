"""From a candidate ranking to a diversified one (METU 5.3)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from taxocrawl.diversify.checks import checked_lambda, checked_length
from taxocrawl.diversify.combsumdiv import combsumdiv
from taxocrawl.diversify.features import RetweetSimilarity
from taxocrawl.diversify.mmr import mmr
from taxocrawl.diversify.ranking import Ranking, first_ranking
from taxocrawl.diversify.sy import sy
from taxocrawl.diversify.xquad import Scale, as_probabilities, xquad
from taxocrawl.exceptions import ArgumentError
from taxocrawl.rerank.representations import FIRST_RANKINGS, SIMILARITIES
from taxocrawl.text.posts import is_retweet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from taxocrawl.diversify.similarity import Similarity
    from taxocrawl.rerank.candidates import Candidate
    from taxocrawl.rerank.representations import TextModel

METHODS = ("none", "mmr", "sy", "xquad", "combsumdiv")
EXPLICIT = ("xquad", "combsumdiv")
"""Methods that need the query's aspects."""
FOUND = ("rank", "score")
"""First rankings that the candidates bring: the order they came in, or their own scores."""


@dataclass(frozen=True, slots=True)
class Reranker:
    """How candidates are ranked first, and how that ranking is diversified.

    Args:
        method: one of `METHODS`; `none` leaves the first ranking.
        first: `rank` or `score` as the candidates came, or one of `FIRST_RANKINGS`.
        similarity: one of `SIMILARITIES`, for `mmr` and `sy`.
        lambda_: weight in [0, 1]: of relevance in `mmr`, of the aspects in `xquad` and
            `combsumdiv`; in `sy` the similarity from which on a text is a duplicate.
        aspect: one of `FIRST_RANKINGS`, by which texts are compared with aspects.
        scale: how scores are made probabilities for `xquad` and `combsumdiv`.
        depth: how many candidates of the first ranking are considered; all by default.
        length: how many texts the result has; all by default.
        retweets: `keep` them, `drop` them, or `scale` their similarities (eq. 5.4).
        constant: what similarities of retweets are multiplied by.
        keep_duplicates: `sy` puts duplicates last instead of leaving them out.

    Raises ArgumentError for any of these out of its range.
    """

    method: str = "mmr"
    first: str = "rank"
    similarity: str = "jaccard"
    lambda_: float = 0.5
    aspect: str = "tf-idf"
    scale: Scale = "sum"
    depth: int | None = None
    length: int | None = None
    retweets: Literal["keep", "drop", "scale"] = "keep"
    constant: float = 1.35
    keep_duplicates: bool = False

    def __post_init__(self) -> None:
        _check_choice("method", self.method, METHODS)
        _check_choice("first ranking", self.first, (*FOUND, *FIRST_RANKINGS))
        _check_choice("similarity", self.similarity, SIMILARITIES)
        _check_choice("aspect comparison", self.aspect, FIRST_RANKINGS)
        checked_lambda(self.lambda_)
        checked_length(self.depth, 0)
        checked_length(self.length, 0)

    def rerank(
        self,
        candidates: Sequence[Candidate],
        query: str,
        model: TextModel,
        aspects: Sequence[str] = (),
    ) -> Ranking:
        """Positions among `candidates` in their new order.

        The relevance is brought to [0, 1] over the candidates considered. Raises ArgumentError
        when an explicit method has no aspects, when `score` is asked of candidates without, and
        when the query is needed but empty.
        """
        if self.method in EXPLICIT and not aspects:
            raise ArgumentError(f"{self.method} needs aspects, and there are none for this query")
        relevance = self._relevance(candidates, query, model)
        pool = [int(index) for index in first_ranking(relevance)]
        if self.retweets == "drop":
            pool = [index for index in pool if not is_retweet(candidates[index].post.text)]
        pool = pool[: checked_length(self.depth, len(pool))]
        # Back in the order of the input, in which ties are settled.
        pool.sort()
        chosen = [candidates[index] for index in pool]
        ranking = self._diversify(chosen, relevance[pool], model, aspects)
        return Ranking(
            ranking.method,
            tuple(pool[index] for index in ranking.order),
            ranking.scores,
            {**asdict(self)},
            tuple((pool[one], pool[two]) for one, two in ranking.duplicates),
        )

    def _relevance(
        self, candidates: Sequence[Candidate], query: str, model: TextModel
    ) -> NDArray[np.float64]:
        if self.first == "rank":
            return np.linspace(1, 0, len(candidates), endpoint=False)
        if self.first == "score":
            scores = [candidate.score for candidate in candidates]
            if any(score is None for score in scores):
                raise ArgumentError("the candidates have no scores: use another first ranking")
            return np.array(scores, dtype=np.float64)
        if not query.strip():
            raise ArgumentError(f"ranking by {self.first} needs the text of the query")
        return model.relevance(self.first, query, [found.post.text for found in candidates])

    def _diversify(
        self,
        chosen: Sequence[Candidate],
        relevance: NDArray[np.float64],
        model: TextModel,
        aspects: Sequence[str],
    ) -> Ranking:
        length = checked_length(self.length, len(chosen))
        if self.method == "none":
            order = first_ranking(relevance)[:length]
            scores = tuple(float(relevance[index]) for index in order)
            return Ranking("none", tuple(int(index) for index in order), scores)
        if self.method in EXPLICIT:
            texts = [found.post.text for found in chosen]
            of_aspects = [model.relevance(self.aspect, aspect, texts) for aspect in aspects]
            method = xquad if self.method == "xquad" else combsumdiv
            return method(
                as_probabilities(relevance, self.scale),
                as_probabilities(np.array(of_aspects), self.scale),
                lambda_=self.lambda_,
                k=length,
            )
        similarity = self._similarity(chosen, model)
        if self.method == "mmr":
            return mmr(as_probabilities(relevance, "minmax"), similarity, self.lambda_, length)
        return sy(relevance, similarity, self.lambda_, length, keep_duplicates=self.keep_duplicates)

    def _similarity(self, chosen: Sequence[Candidate], model: TextModel) -> Similarity:
        posts = [found.post for found in chosen]
        scaled = self.retweets == "scale"
        # A duplicate is one at the threshold; what is scaled up may start from below it.
        least = self.lambda_ if self.method == "sy" and not scaled else 0.0
        similarity = model.similarity(self.similarity, posts, least)
        if scaled:
            return RetweetSimilarity(similarity, [post.text for post in posts], self.constant)
        return similarity


def _check_choice(what: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise ArgumentError(f"unknown {what} {value!r}: expected one of {', '.join(known)}")
