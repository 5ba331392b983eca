from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxocrawl.text.normalise import (
    fold_whitespace,
    join_hyphenated,
    normalise_counted,
    normalise_text,
)

anything = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("e\ufb03cient", "efficient"),
        ("o\ufb00 \ufb01n \ufb02y \ufb04 \ufb05 \ufb06", "off fin fly ffl st st"),
        ("capac\u00ad\ncinii", "capaccinii"),
        ("capac\u00ad \r\n  cinii", "capaccinii"),
        ("mur\u00adicola", "muricola"),
        ("P.\u00a0hypomelanus", "P. hypomelanus"),
        ("5\u2009mm\u3000and\u202f6", "5 mm and 6"),
        ("Myo\u200btis \ufeffmuricola\u200e", "Myotis muricola"),
        ("a\r\nb\rc\x0cd\u2028e", "a\nb\nc\nd\ne"),
        ("Nyctalus lei\u0301sleri", "Nyctalus le\u00edsleri"),
        ("lone \ud800 surrogate", "lone \ufffd surrogate"),
        ("pair \ud83e\udd87", "pair \U0001f987"),
        ("tab\tkept", "tab\tkept"),
    ],
)
def test_each_oddity_is_folded(raw: str, text: str) -> None:
    assert normalise_text(raw) == text


def test_controls_are_removed_and_counted() -> None:
    assert normalise_counted("classi\u0000ed\x01 \x9fbat\x7f\n") == ("classied bat\n", 4)


def test_soft_hyphen_before_a_control_and_a_line_end_joins_the_word() -> None:
    assert normalise_counted("fimbri\u00ad\u0000\natus") == ("fimbriatus", 1)


def test_a_letter_is_composed_over_a_removed_soft_hyphen() -> None:
    assert normalise_text("e\u00ad\u0301") == "\u00e9"


@given(anything)
def test_normalising_twice_is_normalising_once(text: str) -> None:
    once, _ = normalise_counted(text)
    assert normalise_counted(once) == (once, 0)


@given(anything)
def test_normalised_text_is_composed_and_encodable(text: str) -> None:
    once = normalise_text(text)
    assert unicodedata.is_normalized("NFC", once)
    assert "\0" not in once
    once.encode("utf-8")


def test_white_space_is_folded_to_one_line() -> None:
    assert fold_whitespace(" a \n\t b\u00a0c ") == "a b c"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("classi-\nfied", "classified"),
        ("classi- \n  fied", "classified"),
        ("classi\u2010\nfied", "classified"),
        ("Lobão-\nVale", "Lobão-Vale"),
        ("1999-\n2001", "1999-2001"),
        ("non-\nnative", "non-native"),
        ("pre-\nand post-war", "pre- and post-war"),
        ("leaf-\nnosed and leaf-nosed", "leaf-nosed and leaf-nosed"),
        ("leaf-\nnosed, leaf-nosed, leafnosed", "leafnosed, leaf-nosed, leafnosed"),
        ("col-\nor of the color", "color of the color"),
        ("bats -\nand birds", "bats -\nand birds"),
        ("no break-here\nnext", "no break-here\nnext"),
    ],
)
def test_words_divided_at_line_ends(raw: str, text: str) -> None:
    assert join_hyphenated(raw) == text
