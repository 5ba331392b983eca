"""Figures of real runs: equal to what ndeval gives for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from taxocrawl.evaluate.ranking import ranking_figures
from taxocrawl.rerank.trec import read_qrels, read_run, read_topics

YEARS = (2009, 2010, 2011, 2012)


def ids(path: Path) -> dict[str, list[str]]:
    return {query: [ranked.id for ranked in run] for query, run in read_run(path).items()}


def test_the_four_lemur_runs(corpora: Path) -> None:
    folder = corpora / "trecweb"
    qrels = [row for year in YEARS for row in read_qrels(folder / f"{year}.diversity.qrels")]
    run: dict[str, list[str]] = {}
    for year in YEARS:
        run |= ids(folder / f"run.lemur.wt{year}.txt")
    figures = ranking_figures(qrels, run)
    assert len(figures.queries) == 198
    assert set(figures.unknown) == {"95", "100"}
    known = {
        "ERR-IA@20": 0.2713,
        "alpha-nDCG@20": 0.3692,
        "NRBP": 0.2321,
        "P-IA@20": 0.1533,
        "strec@20": 0.6210,
        "nERR-IA@20": 0.3127,
        "nNRBP": 0.2739,
        "MAP-IA": 0.0804,
    }
    assert {name: round(figures.mean(name), 4) for name in known} == known


@pytest.mark.parametrize(
    ("run", "year", "expected"),
    [
        ("lemur.wt2009", 2009, 0.2899),
        ("lemur.wt2010", 2010, 0.2938),
        ("lemur.wt2011", 2011, 0.5156),
        ("lemur.wt2012", 2012, 0.3746),
        ("2012-ql-cata-filtered", 2012, 0.3941),
        ("2012-ql-catb-filtered", 2012, 0.3931),
        ("2012-rm-cata-filtered", 2012, 0.4011),
        ("2012-rm-catb-filtered", 2012, 0.3933),
    ],
)
def test_each_web_run(corpora: Path, run: str, year: int, expected: float) -> None:
    qrels = read_qrels(corpora / "trecweb" / f"{year}.diversity.qrels")
    rankings = ids(corpora / "trecweb" / f"run.{run}.txt")
    figures = ranking_figures(qrels, rankings, ["alpha-nDCG@20"])
    assert round(figures.mean("alpha-nDCG@20"), 4) == expected


def test_posts(corpora: Path) -> None:
    folder = corpora / "shorttext" / "ttg_tweets" / "dev"
    qrels = read_qrels(folder / "qrels.pool.ndeval")
    figures = ranking_figures(qrels, ids(folder / "run.ql.txt"), ["alpha-nDCG@20"])
    assert round(figures.mean("alpha-nDCG@20"), 4) == 0.3898
    figures = ranking_figures(qrels, ids(folder / "run.rm3.txt"), ["alpha-nDCG@20"])
    assert round(figures.mean("alpha-nDCG@20"), 4) == 0.3643


def test_topics_and_their_subtopics(corpora: Path) -> None:
    topics = [
        topic
        for year in YEARS
        for topic in read_topics(corpora / "trecweb" / f"wt{year}.topics.xml").values()
    ]
    assert len(topics) == 200
    # 824 of which one, of topic 79, has no text.
    assert sum(len(topic.subtopics) for topic in topics) == 823
