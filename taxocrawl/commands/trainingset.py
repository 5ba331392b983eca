"""`scrapy trainingset`: gathers pages on and off a topic and trains its random-forest filter.

METU 4.2.1.1: positives are the top results for the topic, negatives those of off-topic queries.
An interrupted call goes on where it stopped: pages that are there are not fetched again.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from taxocrawl.exceptions import ArgumentError, TaxocrawlError, TrainingError
from taxocrawl.shipped import shipped_path

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

    from taxocrawl.commands._training_pages import TrainingPages

EXIT_USAGE = 2
OFF_TOPIC = shipped_path("queries/data/off-topic.txt")
FOLDS = 5


class Command(ScrapyCommand):
    """Fills a folder with pages and their index, and trains a forest on them."""

    requires_crawler_process = False

    def syntax(self) -> str:
        return "--topic TOPIC --query QUERY --out DIR [options]"

    def short_desc(self) -> str:
        return "Gather pages on and off a topic and train its random-forest filter"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--topic", required=True, metavar="NAME", help="of the model's folder")
        parser.add_argument(
            "--query", action="append", required=True, metavar="WORDS", help="may be repeated"
        )
        parser.add_argument("--out", type=Path, required=True, metavar="DIR")
        parser.add_argument(
            "--off-topic", type=Path, default=OFF_TOPIC, metavar="FILE", help="queries, one a line"
        )
        parser.add_argument("--seeds", default="crossref,europepmc", metavar="NAMES")
        parser.add_argument("--positives", type=int, metavar="N", help="(default: the setting)")
        parser.add_argument("--negatives", type=int, metavar="N", help="(default: the setting)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args:
            raise UsageError(f"unrecognized arguments: {' '.join(args)}")
        try:
            self._gather_and_train(opts)
        except TaxocrawlError as error:
            sys.stderr.write(f"taxocrawl: {error}\n")
            self.exitcode = EXIT_USAGE

    def _gather_and_train(self, opts: argparse.Namespace) -> None:
        # Loaded here: Scrapy imports every command for each of them.
        from taxocrawl.commands._training_pages import TrainingPages, gather_pages
        from taxocrawl.seeds import check_argument
        from taxocrawl.text.files import read_entries

        settings = cast("Settings", self.settings)
        if not opts.topic.strip() or Path(opts.topic).name != opts.topic:
            raise ArgumentError(f"--topic {opts.topic!r}: expected a name, which is no path")
        numbers = {
            "positives": opts.positives or settings.getint("TRAININGSET_POSITIVES"),
            "negatives": opts.negatives or settings.getint("TRAININGSET_NEGATIVES"),
        }
        if min(numbers.values()) < FOLDS:
            raise ArgumentError(f"--positives, --negatives: expected at least {FOLDS} of either")
        check_argument(opts.seeds)
        off_topic = read_entries(opts.off_topic, "off-topic queries, one a line")
        pages = TrainingPages(opts.out)
        gather_pages(pages, settings, opts.seeds, opts.query, off_topic, **numbers)
        _train(pages, Path(settings["MODELS_DIR"]) / opts.topic / "html-forest", settings)


def _train(pages: TrainingPages, folder: Path, settings: Settings) -> None:
    """Train on the gathered pages; say how well the forest does and where it is."""
    from taxocrawl.classify.forest import Forest, cross_validated_accuracy
    from taxocrawl.text.stopwords import load_stopwords

    texts, labels = pages.samples()
    if not texts:
        raise TrainingError(f"{pages.folder}: no page with text was gathered")
    stopwords = load_stopwords(Path(settings["SCORING_STOPWORD_FILE"]))
    accuracy = cross_validated_accuracy(
        lambda: Forest(stopwords=stopwords), texts, labels, folds=FOLDS
    )
    forest = Forest(stopwords=stopwords).fit(texts, labels)
    counts = {label: labels.count(label) for label in sorted(set(labels))}
    shown = ", ".join(f"{number} {label.value}" for label, number in counts.items())
    figures = {"cross-validated": accuracy, "out-of-bag": forest.oob_accuracy_}
    lines = [f"{name} accuracy {value:.3f}" for name, value in figures.items()]
    card = "\n\n".join(
        [
            f"# Random forest for {folder.parent.name}",
            f"Trained on pages gathered by `scrapy trainingset`: {shown} (taxonomic stands for the "
            "topic, whatever it is). Nobody judged them: positives are search results for the "
            "topic, negatives those for off-topic queries.",
            *lines,
        ]
    )
    forest.card = {"texts": len(texts), **figures}
    forest.save(folder, card + "\n")
    print(f"{shown}: {'; '.join(lines)}\nmodel: {folder}")
