"""The run's orders measured by a project's judgments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taxocrawl.evaluate.ranking import REPORTED, ranking_figures
from taxocrawl.exceptions import ArgumentError
from taxocrawl.rerank.reranker import Reranker
from taxocrawl.web.folders import documents_of
from taxocrawl.web.judgments import TOPIC_ID, qrels
from taxocrawl.web.results import DEPTH, candidates_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taxocrawl.rerank.representations import TextModel
    from taxocrawl.runs.folder import RunFolder
    from taxocrawl.topic import Aspect
    from taxocrawl.web.judgments import Judged
    from taxocrawl.web.models import Project

LAMBDA = 0.5


@dataclass(frozen=True, slots=True)
class Figures:
    """Each order's measures by name; `problem` says why there are none."""

    measures: Sequence[str] = ()
    rows: Sequence[tuple[str, Sequence[float]]] = ()
    problem: str = ""


def measured(
    project: Project,
    folder: RunFolder,
    judged: Sequence[Judged],
    aspects: Sequence[Aspect],
    model: TextModel,
) -> Figures:
    """The order by score and the diversified ones by ndeval's measures.

    Documents without a judgment count as not relevant.

    Args:
        project: whose judgments count.
        folder: of its run.
        judged: the judged documents.
        aspects: of the run; the words of those that the project names too are used.
        model: what texts are read with.
    """
    judgements = qrels(project, judged)
    if not any(row.relevance for row in judgements):
        return Figures(problem="No document is judged to be relevant so far.")
    records = documents_of(folder)[:DEPTH]
    ids = [str(record["content_hash"]) for record in records]
    pool = candidates_of(folder, records)
    words = {aspect.name: aspect.phrases for aspect in aspects}
    named = [words.get(name, name) for name in project.aspects]
    orders = {"by score": ids}
    for method in ("mmr", "xquad") if named else ("mmr",):
        ranking = Reranker(method, "rank", "tf-idf", LAMBDA).rerank(pool, "", model, named)
        orders[f"{method}, λ {LAMBDA}"] = [ids[at] for at in ranking.order]
    try:
        rows = []
        for name, order in orders.items():
            figures = ranking_figures(judgements, {TOPIC_ID: order}, REPORTED)
            rows.append((name, [figures.mean(measure) for measure in REPORTED]))
    except ArgumentError as error:
        return Figures(problem=str(error))
    return Figures(REPORTED, rows)
