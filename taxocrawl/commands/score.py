"""`scrapy score`: what documents score against a gold standard, and which terms made it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from taxocrawl.exceptions import InputFileError, TaxocrawlError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from scrapy.settings import Settings

    from taxocrawl.commands._documents import Found
    from taxocrawl.items import Document
    from taxocrawl.score.base import Scorer

EXIT_USAGE = 2


class Command(ScrapyCommand):
    """Prints one line a document; exit code 2 when any could not be read."""

    requires_crawler_process = False

    def syntax(self) -> str:
        return "--goldstandard FILE|FOLDER|URL [options] FILE|FOLDER|URL..."

    def short_desc(self) -> str:
        return "Score documents against a gold standard"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--goldstandard",
            action="append",
            metavar="SOURCE",
            help="text, HTML or PDF file, folder of such, or URL; may be repeated "
            "(default: the setting COSINE_GOLDSTANDARD_FILE)",
        )
        parser.add_argument(
            "--stopwords",
            metavar="FILE",
            help="one word a line (default: the setting SCORING_STOPWORD_FILE)",
        )
        parser.add_argument("--scorer", metavar="NAME", help="default: the setting SCORER_CLASS")
        parser.add_argument(
            "--params",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="parameter of the scorer, such as tokeniser=nltk, stemming=porter, ngrams=1,2 or "
            "combine=mean; added to the setting SCORER_PARAMS",
        )
        parser.add_argument("--query", default="", help="words that count as the topic's too")
        parser.add_argument(
            "--fields",
            metavar="NAMES",
            help="of title,text,keywords,description,images: what is read of a page",
        )
        parser.add_argument("--terms", type=int, default=10, metavar="N", help="shown (default 10)")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args:
            raise UsageError("expected a FILE, FOLDER or URL")
        try:
            self.exitcode = self._score(args, opts)
        except TaxocrawlError as error:
            sys.stderr.write(f"taxocrawl: {error}\n")
            self.exitcode = EXIT_USAGE

    def _score(self, args: list[str], opts: argparse.Namespace) -> int:
        # Loaded here: Scrapy imports every command for each of them.
        from taxocrawl.commands._documents import documents_of
        from taxocrawl.spiders.topics import scoring_of, topic_of_documents

        settings = cast("Settings", self.settings)
        _override(settings, opts)
        sources = opts.goldstandard or (
            [] if opts.query else [str(settings["COSINE_GOLDSTANDARD_FILE"])]
        )
        # In one call: a process can fetch only once.
        found = documents_of([*sources, *args], settings)
        split = len(found) - len(documents_names(args))
        topic = topic_of_documents(found[:split], opts.query, settings)
        scorer, read = scoring_of(topic, settings)
        return _print_scores(found[split:], scorer, read, opts)


def documents_names(sources: list[str]) -> list[str]:
    """The names of all documents of the sources."""
    from taxocrawl.commands._documents import expanded

    return [name for source in sources for name in expanded(source)]


def _override(settings: Settings, opts: argparse.Namespace) -> None:
    """Options take the place of settings."""
    for name, value in (
        ("SCORER_CLASS", opts.scorer),
        ("SCORING_STOPWORD_FILE", opts.stopwords),
        ("SCORER_PAGE_FIELDS", opts.fields),
    ):
        if value is not None:
            settings.set(name, value, priority="cmdline")
    params = dict(settings.getdict("SCORER_PARAMS"))
    for param in opts.params:
        name, equals, value = param.partition("=")
        if not equals:
            raise InputFileError(f"--params {param}: expected NAME=VALUE")
        params[name] = _plain(value)
    settings.set("SCORER_PARAMS", params, priority="cmdline")


def _plain(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        return value


def _print_scores(
    found: list[Found],
    scorer: Scorer,
    read: Callable[[Document], str],
    opts: argparse.Namespace,
) -> int:
    failed = False
    for name, document in found:
        record: dict[str, Any] = {"document": name, "score": 0.0, "scorer": scorer.name}
        if isinstance(document, InputFileError):
            failed = True
            record["reason"] = str(document)
        else:
            text = read(document)
            record["score"] = scorer.score(text)
            if hasattr(scorer, "terms"):
                record["terms"] = [asdict(term) for term in scorer.terms(text)[: opts.terms]]
        print(json.dumps(record, ensure_ascii=False) if opts.json else _lines(record))
    return EXIT_USAGE if failed else 0


def _lines(record: dict[str, Any]) -> str:
    lines = [f"{record['score']:.6f}  {record['document']}"]
    if "reason" in record:
        lines.append(f"          {record['reason']}")
    lines += [
        f"          {term['share']:.6f}  {term['term']} "
        f"(text {term['text']:g}, topic {term['topic']:g})"
        for term in record.get("terms", ())
    ]
    return "\n".join(lines)
