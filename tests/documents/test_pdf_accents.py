from __future__ import annotations

import pytest

from taxocrawl.documents.pdf_accents import with_accents


@pytest.mark.parametrize(
    ("found", "right"),
    [
        ("Jos´e Mar´ıa, Virolog´ıa", "José María, Virología"),
        ("J. Gonza´lez-Lo´pez", "J. González-López"),
        ("Gonza´ lez-Lo´ pez", "González-López"),
        ("M¨uller and Stra¨ter", "Müller and Sträter"),
        ("Fran¸cois", "François"),
        ("Nu´n˜ez", "Núñez"),
        ("Gu´ıa, pa´ıs", "Guía, país"),
        ("Jos´e Mar´ıa pa´ıs", "José María país"),
        ("5´-AGCT-3´ and 10´ N", "5´-AGCT-3´ and 10´ N"),
        ("no accents at all", "no accents at all"),
        ("´", "´"),
    ],
)
def test_accents_go_to_their_letters(found: str, right: str) -> None:
    assert with_accents(found) == right


def test_it_changes_nothing_the_second_time() -> None:
    once = with_accents("Gonza´lez and Mar´ıa")
    assert with_accents(once) == once
