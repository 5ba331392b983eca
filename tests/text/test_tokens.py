from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxocrawl.text.tokens import ngrams, nltk_tokens, nutch_tokens, sentences, stem, words


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The Bats, bats!", ["the", "bats", "bats"]),
        ("semi-aquatic foo_bar", ["semi", "aquatic", "foo", "bar"]),
        ("Don’t touch Darwin's d'Orbigny", ["don't", "touch", "darwin", "d'orbigny"]),
        ("H2O 16S cox1 a 5", ["h2o", "cox1"]),
        ("Đặng Vũ Łoś новый вид", ["đặng", "vũ", "łoś", "новый", "вид"]),
        ("x" * 51 + " " + "y" * 50, ["y" * 50]),
        ("", []),
    ],
)
def test_words(text: str, tokens: list[str]) -> None:
    assert words(text) == tokens


@given(st.text())
def test_words_of_joined_words_are_the_same_words(text: str) -> None:
    tokens = words(text)
    assert words(" ".join(tokens)) == tokens


def test_nutch_tokens_drop_what_starts_with_a_special_character() -> None:
    assert nutch_tokens("The (Bat) bat. #tag 5mm\n_x") == ["the", "bat.", "5mm"]


def test_nltk_tokens_are_treebank_words_without_bare_marks() -> None:
    assert nltk_tokens("The bat's (wings) aren't wet.") == [
        "the",
        "bat",
        "'s",
        "wings",
        "are",
        "n't",
        "wet",
    ]


def test_stems_by_both_algorithms() -> None:
    assert stem(["classification", "generously"]) == ["classif", "generous"]
    assert stem(["classification", "generously"], "porter") == ["classif", "gener"]


def test_another_stemming_algorithm_is_refused() -> None:
    with pytest.raises(ValueError, match="porter-lucene, not 'lovins'"):
        stem(["bat"], "lovins")


def test_ngrams_come_shorter_first_then_by_position() -> None:
    assert ngrams(["sp", "nov", "bat"], 1, 2) == ["sp", "nov", "bat", "sp nov", "nov bat"]
    assert ngrams(["sp"], 2, 3) == []


@pytest.mark.parametrize(("lo", "hi"), [(0, 1), (2, 1)])
def test_a_wrong_ngram_range_is_refused(lo: int, hi: int) -> None:
    with pytest.raises(ValueError, match="1 <= lo <= hi"):
        ngrams(["a"], lo, hi)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Myotis demo sp. nov. A bat. It flies.", "Myotis demo sp. nov. A bat."),
        ("See Fig. 2 and Smith et al. 2001. Next.", "See Fig. 2 and Smith et al. 2001."),
        ("The genus P. vampyrus L. 1758 is large. So.", "The genus P. vampyrus L. 1758 is large."),
        ("It is cf. alba var. minor. Yes.", "It is cf. alba var. minor."),
        ("Found by J. K. Smith in N. America. Then.", "Found by J. K. Smith in N. America."),
        ("The tail is 12 mm long. The ears differ.", "The tail is 12 mm long."),
    ],
)
def test_sentences_end_after_no_taxonomic_abbreviation(text: str, first: str) -> None:
    assert sentences(text)[0] == first


@given(st.text())
def test_sentences_lose_no_character_but_white_space(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
