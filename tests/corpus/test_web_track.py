"""xQuAD and MMR on the Web Track's pages: 13 topics, suggestions of a search engine as aspects.

The figures stand in docs/experiments/trecweb.md.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from lxml import etree

from taxocrawl.diversify.mmr import mmr
from taxocrawl.diversify.similarity import CosineSimilarity
from taxocrawl.diversify.xquad import as_probabilities, xquad
from taxocrawl.evaluate.ranking import ranking_figures
from taxocrawl.rerank.trec import Judgement, read_qrels, read_run, read_topics

TOPICS = "6 16 22 41 42 45 91 106 111 120 136 175 179".split()
YEARS = (2009, 2010, 2011, 2012)
MEASURE = "alpha-nDCG@20"


@dataclass
class Web:
    qrels: list[Judgement]
    documents: dict[str, list[str]]
    relevance: dict[str, list[float]]
    aspects: dict[str, np.ndarray]
    """BM25 of each suggestion and document."""
    vectors: dict[str, np.ndarray]

    def figure(self, rankings: Mapping[str, list[str]]) -> float:
        figures = ranking_figures(self.qrels, rankings, [MEASURE])
        return round(figures.mean(MEASURE), 4)


@pytest.fixture(scope="module")
def web(corpora: Path) -> Web:
    folder = corpora / "trecweb"
    queries: dict[str, str] = {}
    run: dict[str, list[tuple[str, float]]] = {}
    qrels: list[Judgement] = []
    for year in YEARS:
        topics = read_topics(folder / f"wt{year}.topics.xml")
        queries |= {number: topic.query for number, topic in topics.items()}
        run |= read_run(folder / f"run.lemur.wt{year}.txt")
        qrels += read_qrels(folder / f"{year}.diversity.qrels")
    features: dict[str, dict[str, float]] = defaultdict(dict)
    with (folder / "rel_feat.13topics.csv").open() as file:
        for row in csv.DictReader(file):
            features[row["query"]][row["doc"]] = float(row["body-bm25"])
    rows = (line.split() for line in (folder / "doc.13topics.emb").read_text().splitlines())
    vectors = {row[0]: np.array(row[1:], dtype=float) for row in rows}
    suggestions = {
        topic.get("number"): [" ".join(found.text.split()) for found in topic.iter("suggestion")]
        for topic in etree.parse(str(folder / "query_suggestion.xml")).iter("topic")
    }
    documents, relevance, aspects = {}, {}, {}
    for topic in TOPICS:
        ranked = [found for found in run[topic][:100] if found[0] in features[queries[topic]]]
        documents[topic] = [id_ for id_, _ in ranked]
        relevance[topic] = [score for _, score in ranked]
        aspects[topic] = np.array(
            [[features[text].get(id_, 0.0) for id_, _ in ranked] for text in suggestions[topic]]
        )
    return Web(
        [row for row in qrels if row.query in TOPICS], documents, relevance, aspects, vectors
    )


def test_the_plain_ranking(web: Web) -> None:
    assert web.figure(web.documents) == 0.38


@pytest.mark.parametrize(
    ("weight", "expected"),
    [(0.0, 0.38), (0.1, 0.3835), (0.2, 0.3837), (0.5, 0.3737), (0.8, 0.3635)],
)
def test_xquad(web: Web, weight: float, expected: float) -> None:
    rankings = {}
    for topic, documents in web.documents.items():
        relevance = as_probabilities(as_probabilities(web.relevance[topic], "minmax"))
        ranking = xquad(relevance, as_probabilities(web.aspects[topic]), lambda_=weight)
        rankings[topic] = ranking.apply(documents)
    assert web.figure(rankings) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(("weight", "expected"), [(1.0, 0.38), (0.9, 0.3814), (0.5, 0.3704)])
def test_mmr(web: Web, weight: float, expected: float) -> None:
    rankings = {}
    for topic, documents in web.documents.items():
        known = [id_ for id_ in documents if id_ in web.vectors]
        similarity = CosineSimilarity([web.vectors[id_] for id_ in known])
        relevance = np.linspace(1, 0, len(known), endpoint=False)
        rankings[topic] = mmr(relevance, similarity, weight).apply(known)
    assert web.figure(rankings) == pytest.approx(expected, abs=5e-4)
