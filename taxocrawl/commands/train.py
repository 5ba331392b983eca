"""`scrapy train`: makes a classifier from a labelled index.

Exit codes: 0 the model was written; 2 a wrong argument, an index or file that cannot be used;
4 the model's folder cannot be written. Nothing is written or replaced unless training succeeds.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from taxocrawl.commands._subcommands import exit_code_of
from taxocrawl.exceptions import ArgumentError, InputFileError, TaxocrawlError

if TYPE_CHECKING:
    import argparse

    from taxocrawl.classify.index import IndexRow
    from taxocrawl.classify.recipes import Recipe
    from taxocrawl.classify.training import Sample

KINDS = ("html", "pdf")


class Command(ScrapyCommand):
    """Reads the index, measures by cross-validation, trains on everything, writes the model."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return (
            "--index INDEX.csv|--from-desk --kind html|pdf --algorithm rocchio|svm --out FOLDER"
            " [options]"
        )

    def short_desc(self) -> str:
        return "Train a classifier from a labelled index"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--index", type=Path, action="append", default=[], metavar="FILE",
            help="CSV with the columns path, label, kind (may be repeated)")  # fmt: skip
        add("--from-desk", action="store_true",
            help="learn from what was judged at the review desk, too")  # fmt: skip
        add("--kind", choices=KINDS, required=True, help="documents to learn from and measure on")
        add("--algorithm", choices=("rocchio", "svm"), required=True)
        add("--features", choices=("document", "best"), default="best",
            help="document, as KU has them, or best (default), with markers of acts")  # fmt: skip
        add("--also", default="", metavar="KINDS",
            help="other kinds to learn from, parted by commas, such as pdf,txt")  # fmt: skip
        add("--background", type=Path, metavar="FILE",
            help="JSON lines with title and text, learned from as non-taxonomic")  # fmt: skip
        add("--background-limit", type=int, default=400, metavar="N",
            help="texts drawn from the background (default 400)")  # fmt: skip
        add("--background-matching", default="", metavar="WORD",
            help="only background texts with this in one of their categories")  # fmt: skip
        add("--contrast", type=Path, metavar="FILE",
            help="index of short texts near the border, learned from several times")  # fmt: skip
        add("--contrast-copies", type=int, default=3, metavar="N",
            help="how often each text of --contrast counts (default 3)")  # fmt: skip
        add("--per-category", type=int, metavar="N",
            help="training documents a category (document: rocchio 50, svm 20)")  # fmt: skip
        add("--folds", type=int, default=5, metavar="N", help="folds of cross-validation (5)")
        add("--seed", type=int, default=0)
        add("--out", type=Path, required=True, metavar="FOLDER", help="the model's folder")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args:
            raise UsageError(f"unrecognized arguments: {' '.join(args)}", print_help=False)
        try:
            self._train(opts)
        except TaxocrawlError as error:
            self.exitcode = exit_code_of(error)

    def _train(self, opts: argparse.Namespace) -> None:
        from taxocrawl.classify.card import card_text, model_card
        from taxocrawl.evaluate.confusion import percent

        self._find_indexes(opts)
        recipe = self._recipe(opts)
        samples, extra = training_texts(opts)
        figures = measured(recipe, samples, extra, opts)
        classifier = recipe.train([*samples, *extra])
        card = model_card(recipe, samples, kind=opts.kind, extra=extra, figures=figures)
        classifier.card = card
        classifier.save(opts.out, card_text(opts.out.name, card, classifier.sha256))
        for test, values in figures.items():
            print(f"{test}: accuracy {percent(values['accuracy'])} %")
        print(f"model written to {opts.out}")

    def _find_indexes(self, opts: argparse.Namespace) -> None:
        """Add the desk's index to those that were named. Raises ArgumentError for none at all."""
        if opts.from_desk:
            from taxocrawl.commands.desk import judged_index

            assert self.settings is not None
            opts.index.append(judged_index(self.settings))
        if not opts.index:
            raise ArgumentError("--index: missing; expected one, or --from-desk")

    def _recipe(self, opts: argparse.Namespace) -> Recipe:
        from taxocrawl.classify.recipes import Recipe
        from taxocrawl.text.stopwords import load_stopwords

        assert self.settings is not None
        for name in ("folds", "per_category", "background_limit", "contrast_copies"):
            value = getattr(opts, name)
            least = 2 if name == "folds" else 1
            if value is not None and value < least:
                option = name.replace("_", "-")
                raise ArgumentError(f"--{option} {value}: expected at least {least}")
        if opts.features == "best":
            return Recipe(opts.algorithm, "best", opts.per_category, seed=opts.seed)
        stopwords = load_stopwords(Path(self.settings["STOPWORDS_DIR"]) / "english.txt")
        return Recipe.document(
            opts.algorithm, stopwords, per_category=opts.per_category, seed=opts.seed
        )


def training_texts(opts: argparse.Namespace) -> tuple[list[Sample], list[Sample]]:
    """Texts of the kind asked for, and those only learned from.

    Raises InputFileError or TrainingError where the indexes do not allow training.
    """
    from taxocrawl.classify.index import check_trainable, of_kinds, read_index
    from taxocrawl.classify.training import read_background

    rows = [row for index in opts.index for row in read_index(index)]
    names = ", ".join(map(str, opts.index))
    check_trainable(names, of_kinds(rows, [opts.kind]), opts.folds)
    also = [kind.strip().lower() for kind in opts.also.split(",") if kind.strip()]
    samples = _all_read(of_kinds(rows, [opts.kind, *also]), names)
    own = [sample for sample in samples if sample.is_of(opts.kind)]
    extra = [sample for sample in samples if not sample.is_of(opts.kind)]
    if opts.background is not None:
        extra += read_background(
            opts.background,
            opts.background_limit,
            matching=opts.background_matching,
            seed=opts.seed,
        )
    if opts.contrast is not None:
        extra += _all_read(read_index(opts.contrast), str(opts.contrast)) * opts.contrast_copies
    return own, extra


def _all_read(rows: list[IndexRow], index: str) -> list[Sample]:
    """The rows' texts. Raises InputFileError, after a line for each that cannot be read."""
    from taxocrawl.classify.training import read_samples

    samples, problems = read_samples(rows)
    if problems:
        for problem in problems:
            sys.stderr.write(f"taxocrawl: {problem}\n")
        raise InputFileError(f"index {index}: {len(problems)} of its documents cannot be used")
    return samples


def measured(
    recipe: Recipe, samples: list[Sample], extra: list[Sample], opts: argparse.Namespace
) -> dict[str, dict[str, int | float | None]]:
    """Figures by test: cross-validation, in all and by source; every publisher left out."""
    from taxocrawl.evaluate.classifiers import (
        confusion_by,
        confusion_of,
        cross_validate,
        leave_one_publisher_out,
    )

    judged = cross_validate(recipe, samples, extra=extra, folds=opts.folds, seed=opts.seed)
    name = f"{opts.folds}-fold cross-validation"
    figures = {name: confusion_of(judged).figures()}
    for source, confusion in confusion_by(judged, lambda sample: sample.source).items():
        if source:
            figures[f"{name}, {source}"] = confusion.figures()
    left_out = leave_one_publisher_out(recipe, samples, extra=extra)
    if left_out and any(sample.source for sample in samples):
        figures["each publisher left out"] = confusion_of(left_out).figures()
    return figures
