"""The shipped classifiers and recipes reach on the shared corpora what docs and cards say."""

from __future__ import annotations

from pathlib import Path

import pytest

from taxocrawl import settings
from taxocrawl.classify import load_classifier
from taxocrawl.classify.index import of_kinds, read_index
from taxocrawl.classify.recipes import Recipe
from taxocrawl.classify.training import Sample, read_background, read_samples
from taxocrawl.evaluate.classifiers import (
    confusion_of,
    cross_validate,
    judge,
    leave_one_publisher_out,
    publisher_of,
)
from taxocrawl.text.stopwords import load_stopwords

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


def test_the_documents_rocchio_on_html(samples) -> None:
    stopwords = load_stopwords(settings.STOPWORDS_DIR / "english.txt")
    judged = cross_validate(Recipe.document("rocchio", stopwords), samples["html"])
    assert accuracy(judged) >= 0.93


@pytest.mark.parametrize(("kind", "floor"), [("html", 0.98), ("pdf", 0.97)])
def test_rocchio_on_markers_by_cross_validation(samples, kind: str, floor: float) -> None:
    extra = [sample for name in samples if name != kind for sample in samples[name]]
    judged = cross_validate(Recipe.best("rocchio"), samples[kind], extra=extra)
    assert accuracy(judged) >= floor


def test_the_hard_part_every_publisher_left_out(samples) -> None:
    extra = samples["pdf"] + samples["txt"]
    judged = leave_one_publisher_out(Recipe.best("rocchio"), samples["html"], extra=extra)
    hard = [
        one
        for one in judged
        if (publisher_of(one.sample) == "Pensoft" and one.sample.category == "non-taxonomic")
        or (publisher_of(one.sample) != "Pensoft" and one.sample.category == "taxonomic")
    ]
    assert len(hard) > 35
    assert accuracy(hard) >= 0.9
    assert accuracy(judged) >= 0.97


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
