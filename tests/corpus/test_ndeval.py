"""Our figures are ndeval's: from files to figures, per query and in the mean, to six decimals."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import fmean

import pyndeval
import pytest

from taxocrawl.evaluate.ranking import MEASURES, RankingFigures, ranking_figures
from taxocrawl.rerank.trec import format_run, read_qrels, read_run
from tests.evaluate.ndeval_definition import figures as defined

YEARS = (2009, 2010, 2011, 2012)
RUNS = [
    *[(f"trecweb/run.lemur.wt{year}.txt", f"trecweb/{year}.diversity.qrels") for year in YEARS],
    *[
        (f"trecweb/run.2012-{model}-cat{part}-filtered.txt", "trecweb/2012.diversity.qrels")
        for model in ("ql", "rm")
        for part in "ab"
    ],
    ("shorttext/ttg_tweets/dev/run.ql.txt", "shorttext/ttg_tweets/dev/qrels.pool.ndeval"),
    ("shorttext/ttg_tweets/dev/run.rm3.txt", "shorttext/ttg_tweets/dev/qrels.pool.ndeval"),
]
EXACT = 5e-7
"""Half a unit of the sixth decimal."""
ids = pytest.mark.parametrize(("run", "qrels"), RUNS, ids=[Path(run).stem for run, _ in RUNS])


def ours(run: Path, qrels: Path) -> RankingFigures:
    rankings = {query: [row.id for row in rows] for query, rows in read_run(run).items()}
    return ranking_figures(read_qrels(qrels), rankings)


def rows(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


@ids
def test_equal_to_ndeval_called_directly(corpora: Path, run: str, qrels: str) -> None:
    """All queries in one call, all judgements, the rank column of the file: as ndeval is run."""
    judged = [(query, sub, id_, max(0, int(rel))) for query, sub, id_, rel in rows(corpora / qrels)]
    ranked = [(query, id_, -float(rank)) for query, _, id_, rank, *_ in rows(corpora / run)]
    direct = pyndeval.ndeval(judged, ranked, measures=MEASURES)

    found = ours(corpora / run, corpora / qrels)
    assert not found.missing
    assert set(found.queries) == {query for query, *_, rel in judged if rel > 0}
    for query, figures in found.queries.items():
        for measure in MEASURES:
            assert figures[measure] == pytest.approx(direct[query][measure], abs=EXACT), (
                query,
                measure,
            )
    for measure in MEASURES:
        mean = fmean(direct[query][measure] for query in found.queries)
        assert found.mean(measure) == pytest.approx(mean, abs=EXACT)


@ids
def test_equal_to_the_definitions(corpora: Path, run: str, qrels: str) -> None:
    subtopics: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for query, subtopic, id_, relevance in rows(corpora / qrels):
        if int(relevance) > 0:
            subtopics[query][id_].add(subtopic)
    ranked: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for query, _, id_, rank, *_ in rows(corpora / run):
        ranked[query].append((int(rank), id_))
    expected = {
        query: defined(subtopics[query], [id_ for _, id_ in sorted(ranked[query])])
        for query in subtopics
    }

    found = ours(corpora / run, corpora / qrels)
    assert set(found.queries) == set(expected)
    for query, figures in found.queries.items():
        for measure in MEASURES:
            assert figures[measure] == pytest.approx(expected[query][measure], abs=EXACT), (
                query,
                measure,
            )
    for measure in MEASURES:
        mean = fmean(row[measure] for row in expected.values())
        assert found.mean(measure) == pytest.approx(mean, abs=EXACT)


@ids
def test_a_run_that_we_write_has_the_figures_of_the_one_we_read(
    corpora: Path, run: str, qrels: str, tmp_path: Path
) -> None:
    """By its scores, which pyndeval and trec_eval go by, as by its ranks, which ndeval goes by."""
    rankings = {q: [row.id for row in found] for q, found in read_run(corpora / run).items()}
    (tmp_path / "run.txt").write_text(format_run(rankings, "ours"), encoding="utf-8")
    judged = [(query, sub, id_, max(0, int(rel))) for query, sub, id_, rel in rows(corpora / qrels)]
    written = rows(tmp_path / "run.txt")
    direct = pyndeval.ndeval(
        judged, [(query, id_, float(score)) for query, _, id_, _, score, _ in written], MEASURES
    )
    for query, figures in ours(corpora / run, corpora / qrels).queries.items():
        assert figures == pytest.approx(direct[query], abs=EXACT)
