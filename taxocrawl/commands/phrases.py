"""`scrapy phrases`: proposes a topic's positive phrases from articles about it (METU 4.2.3.1)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from taxocrawl.exceptions import ArgumentError, InputFileError, StorageError, TaxocrawlError

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

EXIT_USAGE, EXIT_STORAGE = 2, 4


class Command(ScrapyCommand):
    """Writes a gold standard in which each phrase waits, as a comment, to be accepted."""

    requires_crawler_process = False

    def syntax(self) -> str:
        return "TOPIC --from FILE|URL [options]"

    def short_desc(self) -> str:
        return "Propose a topic's phrases from an article, for you to accept"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--from",
            dest="articles",
            action="append",
            metavar="SOURCE",
            help="article about the topic: file or URL; may be repeated",
        )
        parser.add_argument("--limit", type=int, default=100, metavar="N", help="(default 100)")
        parser.add_argument("--accept", action="store_true", help="accept all of them")
        parser.add_argument("--print", action="store_true", help="print them, write nothing")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1 or not opts.articles:
            raise UsageError("expected one TOPIC, and --from")
        try:
            self._propose(args[0], opts)
        except TaxocrawlError as error:
            sys.stderr.write(f"taxocrawl: {error}\n")
            self.exitcode = EXIT_STORAGE if isinstance(error, StorageError) else EXIT_USAGE

    def _propose(self, topic: str, opts: argparse.Namespace) -> None:
        # Loaded here: Scrapy imports every command for each of them.
        from taxocrawl.commands._documents import documents_of
        from taxocrawl.score.background import shipped
        from taxocrawl.score.phrases import propose_phrases
        from taxocrawl.text.stopwords import load_stopwords

        settings = cast("Settings", self.settings)
        path = Path(settings["GOLDSTANDARD_DIR"]) / topic / "topic.txt"
        if not topic.strip() or Path(topic).name != topic:
            raise ArgumentError(f"{topic!r}: expected a topic's name, which is no path")
        if path.exists() and not opts.print:
            raise ArgumentError(f"{path}: is there already; --print shows what would be proposed")
        articles = []
        for _, document in documents_of(opts.articles, settings):
            if isinstance(document, InputFileError):
                raise document
            articles.append(document)
        stopwords = load_stopwords(Path(settings["SCORING_STOPWORD_FILE"]))
        phrases = propose_phrases(articles, shipped(), stopwords, limit=opts.limit)
        if not phrases:
            raise InputFileError(f"{opts.articles[0]}: no phrases found")
        sign = "" if opts.accept else "# "
        lines = [f"{sign}{phrase.text}" for phrase in phrases]
        if opts.print:
            print("\n".join(lines))
            return
        note = (
            f"# Proposed from {', '.join(opts.articles)}. Take the # away from what fits {topic}."
        )
        _write(path, "\n".join([note, *lines, ""]))
        print(f"{len(phrases)} phrases proposed in {path}")


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{path}: cannot be written ({error.strerror})") from error
