from __future__ import annotations

import random
from dataclasses import replace

import pytest

from taxocrawl.documents.duplicates import (
    MIN_NEAR_WORDS,
    NEAR,
    Fingerprint,
    fingerprint,
    resemblance,
    same_work,
    sketch,
    template_hash,
    word_list,
)
from taxocrawl.items import Document, Kind

TITLE = "A revision of the flying foxes of three islands"
_DICE = random.Random(7)
WORDS = ["".join(_DICE.choices("aeioulmnrst", k=6)) for _ in range(1000)]


def _marks(content: str = "a", **fields: object) -> Fingerprint:
    return fingerprint(Document(kind=Kind.HTML, **fields), content)  # type: ignore[arg-type]


def _text(changed: int = 0, count: int = 1000) -> str:
    dice = random.Random(changed)
    words = list(WORDS[:count])
    for at in dice.sample(range(count), changed):
        words[at] = "changed"
    return " ".join(words)


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ({"text": "Bats of Laos."}, {"text": "  bats\nof LAOS"}, "text"),
        ({"text": "Bats of Laos 2"}, {"text": "Bats of Laos 3"}, ""),
        ({"text": ""}, {"text": ""}, ""),
        ({"doi": "10.5555/a"}, {"doi": "10.5555/a", "title": "x"}, "doi"),
        ({"title": TITLE, "year": 2001}, {"title": TITLE.upper() + ".", "year": 2001}, "title"),
        ({"title": TITLE, "year": 2001}, {"title": TITLE, "year": 2002}, "title"),
        ({"title": TITLE, "year": 2001}, {"title": TITLE, "year": 2005}, ""),
        ({"title": TITLE, "doi": "10.5555/a"}, {"title": TITLE, "doi": "10.5555/b"}, ""),
        (
            {"title": "Bats of the three islands", "year": 2001},
            {"title": "Bats of the three islands"},
            "",
        ),
        (
            {"title": "Bats of the three islands", "authors": ("Simmons, N. B.",)},
            {"title": "Bats of the three islands", "authors": ("Nancy B. Simmons", "A. Other")},
            "title",
        ),
        (
            {"title": TITLE, "authors": ("Simmons NB",), "year": 2001},
            {"title": TITLE, "authors": ("Francis, C. M.",), "year": 2001},
            "",
        ),
        ({"title": "Book review", "year": 2001}, {"title": "Book review", "year": 2001}, ""),
        (
            {"title": "Instructions for the authors", "year": 2001},
            {"title": "Instructions for the authors", "year": 2001},
            "",
        ),
        # 0.71 of the triples in common: the estimate (0.6 is needed) may err by 0.05.
        ({"text": _text()}, {"text": _text(60)}, "near text"),
        ({"text": _text()}, {"text": _text(200)}, ""),
        ({"text": _text(count=700)}, {"text": _text(10, count=700)}, "near text"),
        ({"text": _text(count=700)}, {"text": _text(50, count=700)}, ""),
        ({"text": _text(), "doi": "10.5555/a"}, {"text": _text(40), "doi": "10.5555/b"}, ""),
    ],
)
def test_same_work(one: dict[str, object], other: dict[str, object], how: str) -> None:
    first, second = _marks("a", **one), _marks("b", **other)
    assert same_work(first, second) == same_work(second, first) == how
    if how:
        assert set(first.match_keys()) & set(second.match_keys())


def test_same_bytes() -> None:
    assert same_work(Fingerprint("a", words=3), Fingerprint("a", words=4)) == "content"


def test_short_texts_are_not_compared_for_nearness() -> None:
    words = MIN_NEAR_WORDS - 1
    assert _marks(text=_text(count=words)).sketch == b""
    assert _marks(text=_text(count=words + 1)).sketch != b""


def test_resemblance_estimates_the_jaccard_coefficient() -> None:
    def triples(text: str) -> set[tuple[str, ...]]:
        words = word_list(text)
        return set(zip(words, words[1:], words[2:], strict=False))

    for changed in (0, 20, 60, 150, 400):
        one, other = triples(_text()), triples(_text(changed))
        exact = len(one & other) / len(one | other)
        estimate = resemblance(sketch(word_list(_text())), sketch(word_list(_text(changed))))
        assert abs(estimate - exact) < 0.14
    assert 0 < NEAR < 1


@pytest.mark.parametrize(
    ("url", "doi"),
    [
        ("https://j.example/doi/abs/10.5555/Fox.1", "10.5555/fox.1"),
        ("https://j.example/doi/full/10.5555/fox.1", "10.5555/fox.1"),
        ("https://j.example/doi/pdf/10.5555/fox.1?download=true", "10.5555/fox.1"),
        ("https://j.example/doi/10.5555/fox.1", "10.5555/fox.1"),
        ("https://doi.org/10.5555%2Ffox.1", "10.5555/fox.1"),
        ("https://j.example/doi/suppl/10.5555/fox.1", ""),
        ("https://j.example/doi/10.5555/fox.1/suppl_file/s1.pdf", ""),
        ("https://j.example/cites?doi=10.5555/fox.1", ""),
    ],
)
def test_addresses_that_name_a_work(url: str, doi: str) -> None:
    assert fingerprint(Document(kind=Kind.HTML), "a", [url]).doi == doi
    stated = fingerprint(Document(kind=Kind.HTML, doi="10.5555/own"), "a", [url])
    assert stated.doi == "10.5555/own"


def test_the_better_copy() -> None:
    """Full text before abstract, PDF before page, longer, and a total order at last."""
    page = Fingerprint("a", words=900)
    assert page.rank() > Fingerprint("b", words=300, pdf=True).rank()
    assert page.rank() > Fingerprint("b", words=5000, pdf=True, partial=True).rank()
    assert Fingerprint("b", words=850, pdf=True).rank() > page.rank()
    assert replace(page, words=901).rank() > page.rank()
    assert replace(page, content="b").rank() != page.rank()


def test_template_hash_leaves_numbers_out() -> None:
    assert template_hash("Events of May 2007, 3rd week") == template_hash(
        "events of may 1999 4th week"
    )
    assert template_hash("Events of May") != template_hash("Events of June")
    assert template_hash("2007") == template_hash("") == ""
