"""Figures of diversified rankings (METU 5.4.2): the measures of TREC's ndeval."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Literal

from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from taxocrawl.rerank.trec import Judgement

AT_CUTOFF = ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG", "P-IA", "strec")
"""Measures that are taken of the first 1 to 20 documents, as in ``alpha-nDCG@20``."""
WHOLE = ("NRBP", "nNRBP", "MAP-IA")
"""Measures of the whole ranking."""
DEEPEST = 20
MEASURES = (
    *(f"{name}@{cutoff}" for name in AT_CUTOFF for cutoff in (5, 10, 20)),
    *WHOLE,
)
"""ndeval's own table."""
REPORTED = ("alpha-nDCG@10", "alpha-nDCG@20", "P-IA@10", "P-IA@20", "strec@10", "strec@20")
"""The columns of METU's tables 5.3-5.12."""


@dataclass(frozen=True, slots=True)
class RankingFigures:
    """Each measure of each query, all in [0, 1], and what could not be measured."""

    queries: Mapping[str, Mapping[str, float]]
    """Figures by query, then by measure. A query that the run leaves out has 0 in all."""
    missing: tuple[str, ...] = ()
    """Judged queries that the run leaves out."""
    without_relevant: tuple[str, ...] = ()
    """Judged queries without a relevant document."""
    unknown: tuple[str, ...] = ()
    """Queries of the run that have no judgements."""

    def values(self, measure: str) -> list[float]:
        """One measure for every query, in the order of `queries`."""
        return [figures[measure] for figures in self.queries.values()]

    def mean(self, measure: str) -> float:
        """Mean over all judged queries; 0 when there is none."""
        return fmean(self.values(measure)) if self.queries else 0.0

    def notes(self) -> list[str]:
        """One line for each kind of query that was not measured as it is."""
        judged = len(self.queries)
        found = (
            (self.missing, f"of {judged} topics missing in the run, counted as 0"),
            (self.without_relevant, "judged topics have no relevant documents"),
            (self.unknown, "topics of the run have no judgements, ignored"),
        )
        return [f"{len(ids)} {what}: {', '.join(ids[:10])}" for ids, what in found if ids]


def ranking_figures(
    qrels: Iterable[Judgement],
    rankings: Mapping[str, Sequence[str]],
    measures: Sequence[str] = MEASURES,
    *,
    alpha: float = 0.5,
    beta: float = 0.5,
    no_relevant: Literal["leave out", "zero"] = "leave out",
) -> RankingFigures:
    """Measure rankings with ndeval's code.

    The mean is over all judged queries, whether the run answers them or not. alpha-DCG is scaled
    by the ideal of endlessly many documents on all subtopics, as ndeval does, and so is in [0, 1].
    Judgements below 0 count as not relevant.

    Args:
        qrels: judgements; a document is relevant to a subtopic when above 0.
        rankings: ids by query, best first, no id twice.
        measures: names out of `MEASURES`, or with another cutoff from 1 to 20.
        alpha: how little a further document on the same subtopic counts, in [0, 1].
        beta: patience of NRBP's reader, in (0, 1).
        no_relevant: queries without relevant documents are left out of the figures, or have 0.

    Raises ArgumentError for an unknown measure, an alpha or beta out of range, a repeated id,
    and when pyndeval is not installed.
    """
    for measure in measures:
        _check_measure(measure)
    if not 0 <= alpha <= 1 or not 0 < beta < 1:
        raise ArgumentError(f"alpha must lie in [0, 1] and beta in (0, 1), not {alpha}, {beta}")
    judged = _by_query(qrels)
    relevant = {query for query, rows in judged.items() if rows}
    counted = [query for query in judged if no_relevant == "zero" or query in relevant]
    queries: dict[str, Mapping[str, float]] = {}
    for query in counted:
        ranked = rankings.get(query, ())
        if query in relevant and ranked:
            queries[query] = _ndeval(judged[query], ranked, measures, (alpha, beta))
        else:
            queries[query] = dict.fromkeys(measures, 0.0)
    return RankingFigures(
        queries,
        missing=tuple(query for query in counted if query not in rankings),
        without_relevant=tuple(query for query in judged if query not in relevant),
        unknown=tuple(query for query in rankings if query not in judged),
    )


def _by_query(qrels: Iterable[Judgement]) -> dict[str, list[tuple[str, str, str, int]]]:
    """The relevant documents of each judged query.

    The others change no figure, are the most of all judgements, and may be negative, at which
    ndeval stops.
    """
    judged: dict[str, list[tuple[str, str, str, int]]] = {}
    for row in qrels:
        rows = judged.setdefault(row.query, [])
        if row.relevance > 0:
            rows.append((row.query, row.subtopic, row.id, row.relevance))
    return judged


def _check_measure(measure: str) -> None:
    name, at, cutoff = measure.partition("@")
    if not at and name in WHOLE:
        return
    if at and name in AT_CUTOFF:
        if cutoff.isascii() and cutoff.isdigit() and 1 <= int(cutoff) <= DEEPEST:
            return
        raise ArgumentError(f"measure {measure!r}: ndeval has cutoffs from 1 to {DEEPEST}")
    known = ", ".join([*(f"{name}@N" for name in AT_CUTOFF), *WHOLE])
    raise ArgumentError(f"unknown measure {measure!r}: expected one of {known}")


def _ndeval(
    qrels: Sequence[tuple[str, str, str, int]],
    ranked: Sequence[str],
    measures: Sequence[str],
    parameters: tuple[float, float],
) -> dict[str, float]:
    """The figures of one query; one call a query, since a run's queries must not be mixed."""
    try:
        import pyndeval
    except ImportError as error:
        raise ArgumentError(
            "ranking figures need pyndeval, which is not installed: pip install taxocrawl[eval]"
        ) from error
    query = qrels[0][0]
    if len(set(ranked)) < len(ranked):
        raise ArgumentError(f"the ranking of query {query!r} holds a document twice")
    # pyndeval orders by score, ties by id: the place in the ranking is the score.
    run = [(query, id_, float(-place)) for place, id_ in enumerate(ranked)]
    alpha, beta = parameters
    figures = pyndeval.ndeval(qrels, run, measures=measures, alpha=alpha, beta=beta)[query]
    return {measure: float(figures[measure]) for measure in measures}
