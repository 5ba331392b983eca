"""`scrapy experiment classifier`: experiment 1 of the KU document on a labelled collection."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError, InputFileError

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

    from taxocrawl.classify.recipes import Recipe
    from taxocrawl.classify.training import Sample

SUMMARY = "accuracy by number of training documents, and by cross-validation (KU tables 1 and 2)"
TEST_PER_CATEGORY = {"html": 20, "pdf": 10}
"""The document tests on 40 documents; the shared corpora have 43 PDFs in a category."""

TEST_COLUMNS = (
    "test", "publisher", "TP", "FN", "FP", "TN", "precision %", "recall %", "F1 %", "accuracy %",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--index, --repetitions and --out."""
    parser.add_argument("--index", type=Path, required=True, metavar="FILE")
    parser.add_argument(
        "--repetitions", type=int, default=5, metavar="N", help="seeded repetitions (default 5)"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("docs/experiments/classifiers.md"),
        metavar="FILE",
        help="Markdown file for the tables",
    )


def run(options: argparse.Namespace, settings: BaseSettings) -> int:
    """Measure both algorithms in both ways on both kinds, and write the tables."""
    from taxocrawl.classify.index import of_kinds, read_index
    from taxocrawl.classify.training import read_samples
    from taxocrawl.runs.folder import write_atomically

    if options.repetitions < 1:
        raise ArgumentError(f"--repetitions {options.repetitions}: expected at least 1")
    samples, problems = read_samples(of_kinds(read_index(options.index), list(TEST_PER_CATEGORY)))
    if problems:
        raise problems[0]
    recipes = _recipes(settings)
    parts = [_introduction(options)]
    for kind, number in TEST_PER_CATEGORY.items():
        own = [sample for sample in samples if sample.is_of(kind)]
        if not own:
            raise InputFileError(f"index {options.index}: no rows of kind {kind}")
        parts += _of_kind(kind, own, recipes, options.repetitions, number)
    text = "\n\n".join(parts) + "\n"
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(options.out, text.encode())
    print(text)
    return 0


def _recipes(settings: BaseSettings) -> dict[str, Recipe]:
    from taxocrawl.classify.recipes import Recipe
    from taxocrawl.text.stopwords import load_stopwords

    stopwords = load_stopwords(Path(settings["STOPWORDS_DIR"]) / "english.txt")
    return {
        "rocchio, document": Recipe.document("rocchio", stopwords),
        "svm, document": Recipe.document("svm", stopwords),
        "rocchio, best": Recipe.best("rocchio"),
        "svm, best": Recipe.best("svm"),
    }


def _of_kind(
    kind: str,
    samples: list[Sample],
    recipes: dict[str, Recipe],
    repetitions: int,
    test_per_category: int,
) -> list[str]:
    """The tables of one kind: by size, by cross-validation, by source, publishers left out."""
    from taxocrawl.evaluate.classifier_experiment import accuracy_by_size, size_table
    from taxocrawl.evaluate.tables import markdown

    rows = [
        accuracy_by_size(
            name,
            recipe,
            samples,
            repetitions=repetitions,
            test_per_category=test_per_category,
            progress=_progress,
        )
        for name, recipe in recipes.items()
    ]
    lines = [
        line for name, recipe in recipes.items() for line in _test_lines(name, recipe, samples)
    ]
    return [f"## {kind}", size_table(kind, rows), markdown(TEST_COLUMNS, lines)]


def _test_lines(name: str, recipe: Recipe, samples: list[Sample]) -> list[list[str]]:
    """A recipe's figures by test and publisher."""
    from taxocrawl.evaluate.classifiers import (
        confusion_by,
        confusion_of,
        cross_validate,
        leave_one_publisher_out,
        publisher_of,
    )
    from taxocrawl.evaluate.confusion import percent

    lines = []
    for test, judged in (
        ("5-fold cross-validation", cross_validate(recipe, samples)),
        ("each publisher left out", leave_one_publisher_out(recipe, samples)),
    ):
        parts = {"all": confusion_of(judged), **confusion_by(judged, publisher_of)}
        for part, one in parts.items():
            counts = [str(count) for count in (one.tp, one.fn, one.fp, one.tn)]
            ratios = [percent(ratio) for ratio in (one.precision, one.recall, one.f1, one.accuracy)]
            lines.append([f"{name}, {test}", part, *counts, *ratios])
        _progress(f"{name}, {test}")
    return lines


def _introduction(options: argparse.Namespace) -> str:
    tests = " and ".join(f"{number} ({kind})" for kind, number in TEST_PER_CATEGORY.items())
    return (
        "# Classifiers\n\n"
        "Made by `scrapy experiment classifier --index INDEX.csv "
        f"--repetitions {options.repetitions}`.\n\n"
        "Accuracies in per cent by number of training documents per category, means over "
        f"{options.repetitions} seeded draws of training and test documents; test documents per "
        f'category: {tests}. "n/a" where a category has too few documents. Versions of one '
        "article are never on both sides. These are recipes trained on the kind's own documents "
        "alone; the shipped models also learn from other kinds (their cards have the figures)."
    )


def _progress(message: str) -> None:
    sys.stderr.write(f"{message}\n")
