"""The shipped classifiers and recipes reach on the shared corpora what docs and cards say."""

from __future__ import annotations

from pathlib import Path

import pytest

from taxocrawl import settings
from taxocrawl.classify import Rocchio, Svm, load_classifier
from taxocrawl.classify.index import of_kinds, read_index
from taxocrawl.classify.recipes import Recipe
from taxocrawl.classify.training import Sample, read_background, read_samples
from taxocrawl.evaluate.classifiers import (
    confusion_of,
    judge,
    publisher_of,
)

OWN_TEXTS = Path(__file__).resolve().parents[1] / "data" / "classify" / "INDEX.csv"


@pytest.fixture(scope="module")
def samples(corpora: Path) -> dict[str, list[Sample]]:
    rows = of_kinds(read_index(corpora / "index.csv"), ["html", "pdf", "txt"])
    read, problems = read_samples(rows)
    assert problems == []
    return {kind: [s for s in read if s.is_of(kind)] for kind in ("html", "pdf", "txt")}


def accuracy(judged) -> float:
    value = confusion_of(judged).accuracy
    assert value is not None
    return value


def trained_without(
    samples: dict[str, list[Sample]], shared: Path, publishers: set[str]
) -> Rocchio | Svm:
    """The shipped recipe, from everything but some publishers."""
    contrast, _ = read_samples(read_index(settings.MODELS_DIR / "taxonomic/texts/INDEX.csv"))
    background = read_background(shared / "web" / "wiki.jsonl.xz", 600, matching="Biology")
    everything = [*samples["html"], *samples["pdf"], *samples["txt"], *background, *contrast * 3]
    return Recipe.best("svm").train(
        [sample for sample in everything if publisher_of(sample) not in publishers]
    )


def test_the_hard_part_same_journal_ecology(samples, shared: Path) -> None:
    classifier = trained_without(samples, shared, {"Pensoft"})
    test = [sample for sample in samples["html"] if publisher_of(sample) == "Pensoft"]
    confusion = confusion_of(judge(classifier, test))
    assert (confusion.positives, confusion.total) == (100, 131)
    assert confusion.fn <= 2
    assert confusion.fp <= 2


def test_the_hard_part_taxa_in_plos_and_ijsem(samples, shared: Path) -> None:
    left_out = {"PLOS", "ContentMine/norma", "ContentMine/ami"}
    classifier = trained_without(samples, shared, left_out)
    test = [
        sample
        for kind in ("html", "pdf")
        for sample in samples[kind]
        if publisher_of(sample) in left_out
    ]
    confusion = confusion_of(judge(classifier, test))
    # Leaves no paper on prokaryotes to learn from, which is harder than one publisher at a time.
    assert confusion.positives == 15
    assert confusion.fn <= 2
    assert confusion.fp <= 1


@pytest.mark.parametrize(
    ("setting", "kind"), [("CLASSIFIER_HTML", "html"), ("CLASSIFIER_PDF", "pdf")]
)
def test_the_shipped_models_know_the_corpora(samples, setting: str, kind: str) -> None:
    classifier = load_classifier(settings.MODELS_DIR / getattr(settings, setting))
    assert accuracy(judge(classifier, samples[kind])) >= 0.98
    assert classifier.card["figures"]["5-fold cross-validation"]["accuracy"] >= 0.98
    assert classifier.card["figures"]["each publisher left out"]["accuracy"] >= 0.95


def test_encyclopaedia_articles_about_animals_are_not_taxonomic(shared: Path) -> None:
    articles = read_background(shared / "web" / "wiki.jsonl.xz", 200, matching="Biology", seed=11)
    classifier = load_classifier(settings.MODELS_DIR / settings.CLASSIFIER_HTML)
    assert accuracy(judge(classifier, articles)) >= 0.98


@pytest.mark.parametrize("setting", ["CLASSIFIER_HTML", "CLASSIFIER_PDF"])
def test_texts_near_the_border_in_several_languages(setting: str) -> None:
    texts, problems = read_samples(read_index(OWN_TEXTS))
    assert problems == []
    classifier = load_classifier(settings.MODELS_DIR / getattr(settings, setting))
    confusion = confusion_of(judge(classifier, texts))
    assert confusion.fn == 0
    assert confusion.fp <= 2
