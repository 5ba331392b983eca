from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxocrawl.diversify.duplicates import DuplicateLevel, duplicate_level

POST = "New fruit bat species described from Borneo this week"


@pytest.mark.parametrize(
    ("other", "level"),
    [
        (POST, DuplicateLevel.EXACT),
        (f"RT @bats: {POST} #bats https://bats.example/1", DuplicateLevel.NEARLY_EXACT),
        (f"{POST}, and it has blue ears", DuplicateLevel.STRONG),
        ("From Borneo they send word of a bat that eats new mangoes", DuplicateLevel.WEAK),
        ("A bat bit my neighbour in Borneo; he never saw it come", DuplicateLevel.LOW_OVERLAP),
        ("The council meets on Monday to vote on parking", DuplicateLevel.NONE),
        ("Borneo", DuplicateLevel.NONE),
        ("", DuplicateLevel.NONE),
    ],
)
def test_each_level(other: str, level: DuplicateLevel) -> None:
    assert duplicate_level(POST, other) is level
    assert duplicate_level(other, POST) is level


def test_case_and_punctuation_are_no_exact_copy_but_the_same_message() -> None:
    assert duplicate_level(POST, POST.upper() + "!") is DuplicateLevel.STRONG


def test_texts_of_marks_alone_are_no_copies() -> None:
    assert duplicate_level("@one https://a.example", "@two https://b.example") == "none"
    assert duplicate_level("", "") is DuplicateLevel.EXACT


@given(st.text(max_size=30), st.text(max_size=30))
def test_the_order_of_a_pair_does_not_matter(first: str, second: str) -> None:
    assert duplicate_level(first, second) is duplicate_level(second, first)
