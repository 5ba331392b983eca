from __future__ import annotations

import math

import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.items import Document, Kind
from taxocrawl.score.choice import page_reader
from taxocrawl.score.goldstandard import GoldStandardScorer
from taxocrawl.score.nutch import NutchScorer, nutch_page_text
from taxocrawl.text.analysis import Analysis
from taxocrawl.topic import GoldStandard

GOLD = GoldStandard("gold.txt", "bat holotype species")
READ = page_reader("cosine")
PAGES = [
    Document(Kind.HTML, text="bat holotype"),
    Document(Kind.HTML, text="bat holotype", keywords="species"),
    Document(Kind.HTML),
]


def test_missing_metadata_adds_nothing() -> None:
    """Case NUT-01: the literal word ``null`` is a token only where the page says it."""
    scorer = GoldStandardScorer([GOLD])
    assert [scorer.score(READ(page)) for page in PAGES] == [
        pytest.approx(2 / math.sqrt(2 * 3)),
        1.0,
        0.0,
    ]
    assert scorer.score("bat holotype null") == pytest.approx(2 / 3)


def test_the_plugins_own_numbers() -> None:
    """Case NUT-01, "the original way": text, description and keywords fused, ``null`` for none."""
    scorer = NutchScorer([GOLD])
    assert scorer.score(nutch_page_text(PAGES[0])) == pytest.approx(0.408248, abs=1e-6)
    assert scorer.score(nutch_page_text(PAGES[1])) == pytest.approx(0.408248, abs=1e-6)
    assert scorer.score(nutch_page_text(PAGES[2])) == 0.0


def test_lines_of_a_gold_standard_stay_apart_but_in_the_plugin() -> None:
    """Case NUT-02: the plugin makes one token of three lines."""
    lines = [GoldStandard("gold.txt", "bat\r\nholotype\r\nspecies")]
    assert GoldStandardScorer(lines).score("bat holotype species") == 1.0
    assert NutchScorer(lines).score("bat holotype species") == 0.0


def test_stop_words_are_left_out_of_n_grams_but_in_the_plugin() -> None:
    gold = [GoldStandard("g", "type of species")]
    stopwords = frozenset({"of"})
    pairs = GoldStandardScorer(gold, Analysis("document", stopwords, ngrams=(2, 2)))
    assert pairs.score("type species") == 1.0
    assert NutchScorer(gold, stopwords, (2, 2)).score("type species") == 0.0
    assert NutchScorer(gold, stopwords, (1, 2)).score("type species") == 1.0  # "degrades to 1,1"


def test_the_plugin_leaves_out_lucenes_stop_words_and_stems() -> None:
    scorer = NutchScorer([GoldStandard("g", "the bats")], frozenset({"fruit"}))
    assert scorer.score("a bat with fruit") == 1.0


def test_term_frequencies_by_hand() -> None:
    """D0 = bat 2, fig 1; D1 = bat 1, fig 3: (2 + 3) / sqrt(5 * 10)."""
    scorer = GoldStandardScorer([GoldStandard("g", "bat bat fig")])
    assert scorer.score("fig fig Bat fig") == pytest.approx(5 / math.sqrt(50))


def test_agrees_with_scikit_learn() -> None:
    gold = "An autonomous robot is a robot that performs behaviors with a high degree of autonomy"
    text = "Some modern factory robots are autonomous: a robot of high precision, a robot of steel"
    analysis = Analysis("words")
    vectors = CountVectorizer(analyzer=analysis).fit_transform([gold, text])
    expected = cosine_similarity(vectors)[0, 1]
    assert GoldStandardScorer([GoldStandard("g", gold)], analysis).score(text) == pytest.approx(
        expected
    )


def test_several_gold_standards() -> None:
    golds = [GoldStandard("a", "bat"), GoldStandard("b", "fig")]
    text = "bat bat fig"  # 2/sqrt 5 and 1/sqrt 5; merged (1, 1): 3 / sqrt(5 * 2)
    scores = {c: GoldStandardScorer(golds, combine=c).score(text) for c in ("max", "mean")}
    assert scores == {
        "max": pytest.approx(2 / math.sqrt(5)),
        "mean": pytest.approx(1.5 / math.sqrt(5)),
    }
    assert GoldStandardScorer(golds, combine="merged").score(text) == pytest.approx(
        3 / math.sqrt(10)
    )


def test_a_page_without_terms_never_wins_by_nan() -> None:
    golds = [GoldStandard("a", "bat"), GoldStandard("b", "fig")]
    assert GoldStandardScorer(golds).score_many(["", "...", "wood"]) == [0, 0, 0]


@pytest.mark.parametrize("combine", ["max", "mean", "merged"])
def test_shares_of_terms_add_up_to_the_score(combine: str) -> None:
    golds = [GoldStandard("a", "bat bat fig"), GoldStandard("b", "fig wasp")]
    scorer = GoldStandardScorer(golds, combine=combine)  # type: ignore[arg-type]
    terms = scorer.terms("fig fig bat moth")
    assert sum(term.share for term in terms) == pytest.approx(scorer.score("fig fig bat moth"))
    assert {term.term for term in terms} == {"bat", "fig"}
    assert terms == sorted(terms, key=lambda term: -term.share)


@pytest.mark.parametrize("text", ["", "  \n", "the the", "-- !!"])
def test_a_gold_standard_without_terms_is_refused(text: str) -> None:
    analysis = Analysis("document", frozenset({"the"}))
    with pytest.raises(InputFileError, match=r"gold\.txt: the gold standard has no terms"):
        GoldStandardScorer([GOLD, GoldStandard("gold.txt", text)], analysis)


def test_other_ways_to_combine_are_refused() -> None:
    with pytest.raises(ArgumentError, match="combine 'sum'"):
        GoldStandardScorer([GOLD], combine="sum")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="at least one"):
        GoldStandardScorer([])
