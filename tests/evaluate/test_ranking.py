from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxocrawl.evaluate.ranking import MEASURES, ranking_figures
from taxocrawl.exceptions import ArgumentError
from taxocrawl.rerank.trec import Judgement
from tests.evaluate.ndeval_definition import figures as defined

SMALL = [Judgement("1", "1", "a", 1), Judgement("1", "1", "b", 1), Judgement("1", "2", "c", 1)]


@pytest.mark.parametrize(
    ("ranked", "ndcg", "err", "nrbp"),
    [("abc", 0.9651955, 0.5748866, 0.5625), ("acb", 1.0, 0.6051437, 0.609375)],
)
def test_the_small_case_by_hand(ranked: str, ndcg: float, err: float, nrbp: float) -> None:
    figures = ranking_figures(SMALL, {"1": list(ranked)})
    assert figures.mean("alpha-nDCG@5") == pytest.approx(ndcg, abs=1e-7)
    assert figures.mean("ERR-IA@5") == pytest.approx(err, abs=1e-7)
    assert figures.mean("NRBP") == pytest.approx(nrbp, abs=1e-7)


@pytest.mark.parametrize("other", ["b", "z"])
def test_ndv_01_ids_do_not_decide(other: str) -> None:
    qrels = [Judgement("1", "1", "k", 1), Judgement("1", "1", other, 0)]
    assert ranking_figures(qrels, {"1": ["k", other]}).mean("alpha-nDCG@5") == 1.0


class TestNdv02:
    qrels = (Judgement("1", "1", "d1", 1), Judgement("2", "1", "d5", 0))
    both = (Judgement("1", "1", "d1", 1), Judgement("2", "1", "d5", 1))

    def test_no_relevant_documents(self) -> None:
        figures = ranking_figures(self.qrels, {"1": ["d1"], "2": ["d5"]})
        assert figures.without_relevant == ("2",)
        assert list(figures.queries) == ["1"]
        assert figures.mean("alpha-nDCG@5") == 1.0
        assert figures.notes() == ["1 judged topics have no relevant documents: 2"]

    def test_no_relevant_documents_as_zero(self) -> None:
        figures = ranking_figures(self.qrels, {"1": ["d1"], "2": ["d5"]}, no_relevant="zero")
        assert set(figures.queries["2"].values()) == {0.0}
        assert figures.mean("nNRBP") == 0.5

    def test_a_topic_that_the_run_leaves_out(self) -> None:
        figures = ranking_figures(self.both, {"1": ["d1"]})
        assert figures.mean("alpha-nDCG@5") == 0.5
        assert figures.notes() == ["1 of 2 topics missing in the run, counted as 0: 2"]

    def test_a_topic_unknown_to_the_qrels(self) -> None:
        figures = ranking_figures(self.both, {"1": ["d1"], "2": ["d5"], "9": ["d1"]})
        assert figures.unknown == ("9",)
        assert figures.mean("alpha-nDCG@5") == 1.0

    def test_nothing_is_judged(self) -> None:
        figures = ranking_figures([], {"1": ["a"]})
        assert figures.mean("NRBP") == 0.0
        assert figures.unknown == ("1",)


def test_negative_judgements_and_empty_rankings() -> None:
    qrels = [*SMALL, Judgement("1", "1", "spam", -2)]
    assert ranking_figures(qrels, {"1": ["spam", "a", "c", "b"]}).mean("P-IA@5") == 0.3
    assert set(ranking_figures(qrels, {"1": []}).queries["1"].values()) == {0.0}


def test_many_subtopics() -> None:
    qrels = [Judgement("1", str(number), "all", 1) for number in range(300)]
    assert ranking_figures(qrels, {"1": ["all"]}).mean("alpha-nDCG@20") == 1.0


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("alpha-nDCG@21", "cutoffs from 1 to 20"),
        ("P-IA@0", "cutoffs from 1 to 20"),
        ("P-IA@x", "cutoffs"),
        ("NRBP@5", "unknown measure"),
        ("nDCG@5", "unknown measure 'nDCG@5': expected one of ERR-IA@N"),
    ],
)
def test_unknown_measures_are_refused(measure: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        ranking_figures(SMALL, {"1": ["a"]}, [measure])


def test_wrong_parameters_and_repeated_documents_are_refused() -> None:
    with pytest.raises(ArgumentError, match="alpha"):
        ranking_figures(SMALL, {"1": ["a"]}, alpha=1.5)
    with pytest.raises(ArgumentError, match="query '1' holds a document twice"):
        ranking_figures(SMALL, {"1": ["a", "a"]})


@given(
    st.dictionaries(
        st.sampled_from("abcdef"), st.sets(st.sampled_from("12"), min_size=1), min_size=1
    ),
    st.permutations("abcdefgh"),
)
def test_agrees_with_the_definition(aspects: dict[str, set[str]], ranked: list[str]) -> None:
    qrels = [Judgement("q", a, id_, 1) for id_, found in aspects.items() for a in sorted(found)]
    figures = ranking_figures(qrels, {"q": ranked}, MEASURES)
    assert figures.queries["q"] == pytest.approx(defined(aspects, ranked), abs=1e-9)
    assert all(0 <= value <= 1 + 1e-9 for value in figures.queries["q"].values())
