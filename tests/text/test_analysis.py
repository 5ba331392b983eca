from __future__ import annotations

import pytest

from taxocrawl.exceptions import ArgumentError
from taxocrawl.text.analysis import Analysis
from taxocrawl.text.tokens import lucene_tokens, stem


def test_document_tokens_are_lower_case_and_split_at_white_space() -> None:
    assert Analysis()("Bats (Chiroptera), the\n-- Holotype.") == ["bats", "the", "holotype."]


def test_stop_words_go_before_n_grams_are_made() -> None:
    analysis = Analysis("words", frozenset({"the", "of"}), ngrams=(2, 2))
    assert analysis("The type of the species") == ["type species"]


def test_stop_words_are_compared_before_stemming() -> None:
    assert Analysis("words", frozenset({"species"}), "snowball")("species bats") == ["bat"]


def test_typographic_apostrophes_meet_the_stop_word_files() -> None:
    assert Analysis(stopwords=frozenset({"can't"}))("can’t fly") == ["fly"]


def test_shorter_n_grams_come_first() -> None:
    assert Analysis(ngrams=(1, 2))("a b c") == ["a", "b", "c", "a b", "b c"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"tokeniser": "x"}, "tokeniser 'x'"),
        ({"stemming": "x"}, "stemming 'x'"),
        ({"ngrams": (2, 1)}, "ngrams 2,1"),
        ({"ngrams": (0, 1)}, "ngrams 0,1"),
    ],
)
def test_what_there_is_not_is_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Analysis(**wrong)  # type: ignore[arg-type]


def test_lucene_tokens_end_at_unicode_word_boundaries() -> None:
    assert lucene_tokens("O'Neill, sp.nov. of 3,000.5 x-rays; foo_bar 'hi' 3.x") == [
        "o'neill",
        "sp.nov",
        "of",
        "3,000.5",
        "x",
        "rays",
        "foo_bar",
        "hi",
        "3",
        "x",
    ]
    assert lucene_tokens("日本のカタカナ") == ["日", "本", "の", "カタカナ"]


def test_lucene_stems_are_those_of_porters_own_page() -> None:
    # Lucene's PorterStemmer is Porter's Java program, with its two departures (bli, logi).
    assert stem(["relational", "possibly", "archaeology", "is", "skies"], "porter-lucene") == [
        "relat",
        "possibl",
        "archaeolog",
        "is",
        "ski",
    ]
