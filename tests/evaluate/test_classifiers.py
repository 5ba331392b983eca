from __future__ import annotations

from dataclasses import replace

import pytest

from taxocrawl.classify.card import card_text, model_card
from taxocrawl.classify.recipes import Recipe
from taxocrawl.classify.training import Sample
from taxocrawl.evaluate.classifier_experiment import (
    PRINTED,
    SIZES,
    SizeRow,
    accuracy_by_size,
    size_table,
)
from taxocrawl.evaluate.classifiers import (
    Judged,
    confusion_by,
    confusion_of,
    cross_validate,
    leave_one_publisher_out,
    publisher_of,
)
from taxocrawl.items import Category, Decision
from tests.classify.corpus import LABELS, STOPWORDS, TEXTS

SAMPLES = [
    Sample(text, label, f"article {n}", source=f"owner/{n % 2}", kind="html", path=f"d{n}")
    for n, (text, label) in enumerate(zip(TEXTS, LABELS, strict=True))
]
RECIPE = Recipe.document("rocchio", STOPWORDS)


class Spy:
    """A recipe that notes what it was trained on and finds nothing taxonomic."""

    def __init__(self) -> None:
        self.trainings: list[set[str]] = []

    def train(self, samples, counted):
        self.trainings.append({sample.group for sample in samples})
        return self

    def decide_many(self, texts):
        return [Decision(Category.NON_TAXONOMIC, 0.5) for _ in texts]


def test_each_sample_is_judged_once_by_a_classifier_that_did_not_see_its_article() -> None:
    spy = Spy()
    extra = [replace(SAMPLES[0], text="another version", kind="txt")]
    judged = cross_validate(spy, SAMPLES, extra=extra, folds=4)  # type: ignore[arg-type]
    assert sorted(one.sample.path for one in judged) == sorted(s.path for s in SAMPLES)
    start = 0
    for groups in spy.trainings:
        fold = judged[start : start + len(SAMPLES) - len(groups)]
        start += len(fold)
        assert not groups & {one.sample.group for one in fold}
    assert start == len(SAMPLES)
    assert confusion_of(judged).figures()["fn"] == 8


def test_a_publisher_left_out_is_not_learned_from() -> None:
    spy = Spy()
    judged = leave_one_publisher_out(spy, SAMPLES)  # type: ignore[arg-type]
    assert len(judged) == len(SAMPLES)
    assert [len(groups) for groups in spy.trainings] == [8, 8]


def test_a_publisher_without_whom_a_category_is_missing_is_not_tested() -> None:
    one_sided = [
        replace(sample, source="a" if sample.category is Category.TAXONOMIC else "b")
        for sample in SAMPLES
    ]
    assert leave_one_publisher_out(RECIPE, one_sided) == []


def test_collections_of_one_publisher_count_as_one() -> None:
    sources = ("PLOS/allofplos", "rossmounce/plosonehtml", "pensoft/OpenBiodiv", "x/y")
    names = [publisher_of(replace(SAMPLES[0], source=source)) for source in sources]
    assert names == ["PLOS", "PLOS", "Pensoft", "x/y"]


def test_figures_by_source_add_up() -> None:
    judged = [Judged(sample, Decision(Category.TAXONOMIC, 0.9)) for sample in SAMPLES]
    parts = confusion_by(judged, lambda sample: sample.source)
    assert list(parts) == ["owner/0", "owner/1"]
    assert sum(parts.values(), start=confusion_of([])) == confusion_of(judged)


def test_a_real_recipe_does_well_on_an_easy_collection() -> None:
    assert confusion_of(cross_validate(RECIPE, SAMPLES, folds=4)).accuracy == 1.0


def test_accuracies_by_size_stop_where_documents_run_out() -> None:
    row = accuracy_by_size("x", RECIPE, SAMPLES, repetitions=2, test_per_category=2)
    assert row.accuracies[0] == pytest.approx(1.0)
    assert row.accuracies[1:] == (None,) * 9


def test_the_table_has_the_documents_shape_and_figures() -> None:
    table = size_table("pdf", [SizeRow("ours", (0.5, *([None] * 9)))]).splitlines()
    assert table[0].count("|") == len(SIZES) + 2
    assert "| 77.50 |" in table[2]
    assert "svm (printed)" in table[2]
    assert "| 50.00 | n/a |" in table[-1]


def test_the_printed_optima_are_those_the_document_names() -> None:
    assert SIZES[PRINTED["pdf"]["svm"].index(max(PRINTED["pdf"]["svm"]))] == 20
    assert max(PRINTED["html"]["rocchio"]) == 85
    assert all(len(values) == 10 for kind in PRINTED.values() for values in kind.values())


def test_the_card_names_data_figures_version_and_licence() -> None:
    figures = {"5-fold cross-validation": confusion_of([]).figures()}
    card = model_card(RECIPE, SAMPLES, kind="html", extra=SAMPLES[:1], figures=figures)
    text = card_text("mine", card, "abc")
    assert card["documents"]["owner/0"] == {"non-taxonomic": 4, "taxonomic": 4}
    for needed in ("# mine", "`abc`", "owner/1: 4 non-taxonomic, 4 taxonomic", "n/a", "Licence"):
        assert needed in text
