"""`scrapy finetune`: a sentence model trained further on labelled pairs of texts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from taxocrawl.commands.crawl import EXIT_USAGE
from taxocrawl.exceptions import TaxocrawlError

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Reads pairs, trains, and stores a model for `--sentence-model`."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "PAIRS --sentence-model DIR --out DIR [options]"

    def short_desc(self) -> str:
        return "Train a sentence model further on pairs of texts (needs the extra sbert)"

    def long_desc(self) -> str:
        return "PAIRS holds label<TAB>text<TAB>text lines; a label of 1 is the same, 0 unrelated."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--sentence-model", type=Path, required=True, metavar="DIR")
        parser.add_argument("--out", type=Path, required=True, metavar="DIR")
        parser.add_argument("--epochs", type=int, default=1, metavar="N")
        parser.add_argument("--batch", type=int, default=16, metavar="N", help="pairs a step")
        parser.add_argument("--rate", type=float, default=2e-5, metavar="X", help="learning rate")
        parser.add_argument("--seed", type=int, default=0, metavar="N")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError("expected one file of PAIRS")
        # The training libraries take seconds to load: only for this command.
        from taxocrawl.score.finetuning import finetune, read_pairs

        try:
            pairs = read_pairs(Path(args[0]))
            numbers = {name: getattr(opts, name) for name in ("epochs", "batch", "rate", "seed")}
            losses = finetune(opts.sentence_model, pairs, opts.out, **numbers)
        except TaxocrawlError as error:
            sys.stderr.write(f"taxocrawl: {error}\n")
            self.exitcode = EXIT_USAGE
            return
        for epoch, loss in enumerate(losses, start=1):
            print(f"epoch {epoch}: mean squared error {loss:.4f} over {len(pairs)} pairs")
