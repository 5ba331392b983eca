from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from taxocrawl.classify.index import IndexRow
from taxocrawl.classify.reading import read_documents
from taxocrawl.classify.recipes import Recipe
from taxocrawl.classify.training import (
    Sample,
    draw_per_category,
    read_background,
    read_samples,
    with_views,
)
from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.items import Category, Document, Kind
from tests.classify.corpus import LABELS, STOPWORDS, TEXTS

SAMPLES = [
    Sample(text, label, f"article {n}", path=f"d{n}")
    for n, (text, label) in enumerate(zip(TEXTS, LABELS, strict=True))
]


def test_documents_are_read_in_order_and_errors_stay_where_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        "<html><title>Bats</title><body><p>Bats fly.</p></body></html>"
    )
    (tmp_path / "b.txt").write_text("Plain words.\n")
    (tmp_path / "c.pdf").write_bytes(b"%PDF-1.4\nbroken")
    (tmp_path / "d.html").write_bytes(b"")
    (tmp_path / "e.zip").write_bytes(b"PK\x03\x04")
    paths = [tmp_path / name for name in ("b.txt", "none", "a.html", "c.pdf", "d.html", "e.zip")]
    plain, missing, page, broken, empty, archive = read_documents(paths)
    assert isinstance(plain, Document)
    assert (plain.kind, plain.text) == (Kind.TEXT, "Plain words.")
    assert isinstance(page, Document)
    assert page.title == "Bats"
    for error, path in zip(
        (missing, broken, empty, archive), (*paths[1:2], *paths[3:]), strict=True
    ):
        assert isinstance(error, InputFileError)
        assert str(path) in str(error)
        assert "\n" not in str(error)


def test_samples_hold_title_and_text_and_leave_borderline_rows_out(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        "<html><title>Bats</title><body><p>Bats fly.</p></body></html>"
    )
    rows = [
        IndexRow(tmp_path / "a.html", Category.TAXONOMIC, "html_rendered", "T", "o/r"),
        IndexRow(tmp_path / "gone.html", None, "html"),
        IndexRow(tmp_path / "gone.pdf", Category.NON_TAXONOMIC, "pdf"),
    ]
    samples, problems = read_samples(rows)
    (sample,) = samples
    assert sample.text.startswith("Bats\n")
    assert (sample.source, sample.category, sample.is_of("html")) == ("o/r", "taxonomic", True)
    assert [str(rows[2].path) in str(problem) for problem in problems] == [True]


def test_passages_of_long_texts_are_added_to_their_article() -> None:
    long = Sample(" ".join(map(str, range(2000))), Category.TAXONOMIC, "article")
    short = Sample("word " * 20, Category.NON_TAXONOMIC, "other")
    views = with_views([long, short])
    assert [len(view.text.split()) for view in views] == [2000, 120, 300, 1000, 300, 20]
    assert [view.text.split()[0] for view in views] == ["0", "0", "0", "0", "800", "word"]
    assert [view.group for view in views] == ["article"] * 5 + ["other"]


def test_samples_are_drawn_by_seed_whatever_their_order() -> None:
    drawn = draw_per_category(SAMPLES, 3, seed=1)
    assert [sample.category for sample in drawn] == [Category.TAXONOMIC] * 3 + [
        Category.NON_TAXONOMIC
    ] * 3
    assert draw_per_category(SAMPLES[::-1], 3, seed=1) == drawn
    assert draw_per_category(SAMPLES, 3, seed=2) != drawn
    assert len(draw_per_category(SAMPLES, 99)) == len(SAMPLES)


@pytest.mark.parametrize("packed", [False, True])
def test_background_texts_are_drawn_from_json_lines(tmp_path: Path, packed: bool) -> None:
    lines = [
        json.dumps({"title": f"T{n}", "text": "words", "categories": ["Bio" if n % 2 else "Art"]})
        for n in range(20)
    ]
    data = "\n".join(lines).encode()
    path = tmp_path / ("b.jsonl.xz" if packed else "b.jsonl")
    path.write_bytes(lzma.compress(data) if packed else data)
    drawn = read_background(path, 4, matching="Bio", seed=3)
    assert len(drawn) == 4
    assert {sample.category for sample in drawn} == {Category.NON_TAXONOMIC}
    assert all(int(sample.text[1:].split()[0]) % 2 for sample in drawn)
    assert read_background(path, 4, matching="Bio", seed=3) == drawn


@pytest.mark.parametrize("data", [b"{}\n", b"no json\n", b"[1]\n", b'{"title": 1, "text": 2}\xff'])
def test_a_broken_background_is_refused_in_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "b.jsonl"
    path.write_bytes(data)
    with pytest.raises(InputFileError, match="expected JSON lines") as error:
        read_background(path, 5)
    assert "\n" not in str(error.value)


def test_a_missing_background_and_a_damaged_one_are_refused(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl.xz").write_bytes(b"no xz")
    for name in ("none.jsonl", "b.jsonl.xz"):
        with pytest.raises(InputFileError, match="cannot be read"):
            read_background(tmp_path / name, 5)


def test_the_documents_recipes_train_on_their_number_of_documents() -> None:
    recipe = Recipe.document("svm", STOPWORDS, per_category=5)
    assert len(recipe.training_samples(SAMPLES)) == 10
    assert Recipe.document("svm", ()).per_category == 20
    assert Recipe.document("rocchio", ()).per_category == 50


def test_what_was_counted_once_is_not_counted_again() -> None:
    counted: dict[str, object] = {}
    first = Recipe.best("rocchio").train(SAMPLES, counted)
    assert counted.keys() == set(TEXTS)
    assert Recipe.best("rocchio").train(SAMPLES, counted).sha256 == first.sha256


@pytest.mark.parametrize("choice", [("forest", "best"), ("svm", "wordy")])
def test_an_unknown_recipe_is_refused(choice: tuple[str, str]) -> None:
    with pytest.raises(ArgumentError, match="expected one of"):
        Recipe(*choice)
