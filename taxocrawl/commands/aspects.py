"""`scrapy aspects`: the phrases of a topic's aspects from query suggestions (METU 4.3.1)."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from taxocrawl.exceptions import ArgumentError, SeedError, StorageError, TaxocrawlError
from taxocrawl.text.files import read_entries
from taxocrawl.topic import ASPECTS_FOLDER

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from scrapy.settings import Settings

    from taxocrawl.queries.suggestions import AnswerFile
    from taxocrawl.seeds.base import Answer
    from taxocrawl.seeds.polite import PoliteFetch

EXIT_USAGE, EXIT_NO_ANSWER, EXIT_STORAGE = 2, 3, 4
SERVICE = "suggestions"
FEWEST = 150
"""Fewer suggestions of an aspect are remarked on: METU gathered 150-400."""


class Command(ScrapyCommand):
    """Writes a list of words for each aspect, for a person to prune."""

    requires_crawler_process = False

    def syntax(self) -> str:
        return "TOPIC [ASPECT ...] [options]"

    def short_desc(self) -> str:
        return "Gather the phrases of a topic's aspects from query suggestions"

    def long_desc(self) -> str:
        return (
            "Asks a suggestion service (SUGGEST_URL) for topic and aspect, alone and with each "
            "letter, and writes the suggestions' words to aspects/<aspect>.txt in the topic's "
            "folder. Without ASPECT, it fills the files there that have no phrases yet. Called "
            "again after an interruption, it asks only what is missing."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--query", metavar="TEXT", help="the topic's words (default: the name of its folder)"
        )
        parser.add_argument(
            "--limit", type=int, default=400, metavar="N", help="suggestions kept (default 400)"
        )
        parser.add_argument("--print", action="store_true", help="print the words, write no list")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args:
            raise UsageError("expected a TOPIC")
        settings = cast("Settings", self.settings)
        try:
            topic = topic_folder(args[0], Path(settings["GOLDSTANDARD_DIR"]))
            for name in wanted_aspects(topic, args[1:], overwrite=opts.print):
                self._gather(topic, name, opts)
        except TaxocrawlError as error:
            sys.stderr.write(f"taxocrawl: {error}\n")
            self.exitcode = _exit_code(error)

    def _gather(self, topic: Path, name: str, opts: argparse.Namespace) -> None:
        # Loaded here: Scrapy imports every command for each of them.
        from taxocrawl.queries.suggestions import AnswerFile, distinct, phrase_words, questions
        from taxocrawl.runs.folder import write_atomically
        from taxocrawl.text.stopwords import load_stopwords

        settings = cast("Settings", self.settings)
        folder = topic / ASPECTS_FOLDER
        asked = questions(opts.query or topic.name.replace("_", " "), name.replace("-", " "))
        answers = AnswerFile(folder / "suggestions.jsonl")
        service = _service(settings)
        suggestions = distinct(
            asyncio.run(gather(asked, answers, settings["SUGGEST_URL"], service)), opts.limit
        )
        if len(suggestions) < min(FEWEST, opts.limit):
            print(f"{name}: only {len(suggestions)} suggestions, {FEWEST} and more are usual")
        words = phrase_words(suggestions, load_stopwords(Path(settings["SCORING_STOPWORD_FILE"])))
        if opts.print:
            print("\n".join(words))
            return
        path = folder / f"{name}.txt"
        note = f"# From {len(suggestions)} suggestions for {asked[0]!r}. Delete what does not fit."
        write_atomically(path, "\n".join([note, *words, ""]).encode())
        print(f"{name}: {len(words)} words of {len(suggestions)} suggestions in {path}")


def _service(settings: Settings) -> PoliteFetch:
    from taxocrawl.rerank.fetching import simple_fetch
    from taxocrawl.seeds.polite import PoliteFetch

    fetch = simple_fetch({"User-Agent": str(settings["USER_AGENT"])})
    return PoliteFetch(
        fetch,
        SERVICE,
        retries=settings.getint("SEED_MAX_RETRIES"),
        pause=settings.getfloat("SUGGEST_PAUSE"),
    )


def topic_folder(topic: str, parent: Path) -> Path:
    """The folder of a topic's aspects' files; raises ArgumentError for a name that is a path."""
    if not topic.strip() or Path(topic).name != topic:
        raise ArgumentError(f"{topic!r}: expected a topic's name, which is no path")
    return parent / topic


def wanted_aspects(topic: Path, named: Sequence[str], *, overwrite: bool = False) -> list[str]:
    """The aspects to look for: those named, or those whose files have no phrases yet.

    Raises ArgumentError when there are none, for a name without a letter or digit, and for one
    whose file has phrases already, unless nothing is to be written.
    """
    folder = topic / ASPECTS_FOLDER
    if not named:
        found = [
            path.stem for path in sorted(folder.glob("*.txt")) if not read_entries(path, "phrases")
        ]
        if not found:
            raise ArgumentError(
                f"{folder}: no aspect without phrases; name aspects, or make an empty file "
                "<aspect>.txt for each"
            )
        return found
    names = []
    for words in named:
        name = "-".join(re.findall(r"\w+", words.lower()))
        path = folder / f"{name}.txt"
        if not name:
            raise ArgumentError(f"{words!r}: expected the words of an aspect")
        if not overwrite and path.exists() and read_entries(path, "phrases of an aspect"):
            raise ArgumentError(f"{path}: has phrases already; --print shows what would be written")
        names.append(name)
    return names


async def gather(
    aspect: Sequence[str],
    answers: AnswerFile,
    template: str,
    service: PoliteFetch,
) -> list[str]:
    """The suggestions for an aspect's questions, kept as they come in.

    Args:
        aspect: its questions (`taxocrawl.queries.suggestions.questions`).
        answers: what was answered before is not asked again.
        template: the service's URL template.
        service: asks at a polite pace.

    Raises SeedError, one line that says how far it came, when the service is down or blocks.
    """
    from taxocrawl.queries.suggestions import question_url

    known = dict(answers.read())
    for number, question in enumerate(aspect):
        if question in known:
            continue
        try:
            answer = await service.get(question_url(template, question))
            known[question] = _suggestions(answer)
        except SeedError as error:
            raise SeedError(
                f"{error}; {number} of {len(aspect)} questions for {aspect[0]!r} are answered, "
                "the same command goes on from there"
            ) from error
        answers.add(question, known[question])
    return [suggestion for question in aspect for suggestion in known[question]]


def _suggestions(answer: Answer) -> list[str]:
    from taxocrawl.queries.suggestions import read_answer

    if answer.status != 200:
        raise SeedError(f"{SERVICE}: HTTP {answer.status}, the service blocks or is not there")
    try:
        return read_answer(answer.body)
    except ValueError as error:
        raise SeedError(f"{SERVICE}: {error}") from error


def _exit_code(error: TaxocrawlError) -> int:
    if isinstance(error, SeedError):
        return EXIT_NO_ANSWER
    return EXIT_STORAGE if isinstance(error, StorageError) else EXIT_USAGE
