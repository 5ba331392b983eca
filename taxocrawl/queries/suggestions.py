"""Phrases of an aspect from a search engine's query suggestions (METU 4.3.1).

Pure functions: what is asked, how an answer is read, and which words come of it. The command
`scrapy aspects` asks, and keeps the answers in an `AnswerFile`, so that it can go on later.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from string import ascii_lowercase
from typing import TYPE_CHECKING
from urllib.parse import quote

from taxocrawl.exceptions import ArgumentError, InputFileError, StorageError
from taxocrawl.text.analysis import Analysis
from taxocrawl.text.files import read_text_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

PLACE = "{searchTerms}"
"""Where an OpenSearch URL template has the words that are looked for."""
_OTHER_PLACES = {"{startPage?}": "1", "{language?}": "en", "{inputEncoding?}": "UTF-8"}
MOST = 400
"""Suggestions of an aspect that are kept: METU gathered 150-400."""


def questions(topic: str, aspect: str) -> list[str]:
    """Topic and aspect as one query, alone and followed by each letter from a to z."""
    query = " ".join(f"{topic} {aspect}".split())
    return [query, *(f"{query} {letter}" for letter in ascii_lowercase)]


def question_url(template: str, question: str) -> str:
    """The URL that asks for a question's suggestions.

    Raises ArgumentError for a template that is no http(s) URL with ``{searchTerms}`` in it.
    """
    if not template.startswith(("http://", "https://")) or PLACE not in template:
        raise ArgumentError(f"{template}: expected a http or https URL with {PLACE} in it")
    for place, value in _OTHER_PLACES.items():
        template = template.replace(place, value)
    return template.replace(PLACE, quote(question, safe=""))


def read_answer(body: bytes) -> list[str]:
    """The suggestions of an answer ``["query", ["suggestion", …], …]`` (OpenSearch, Google).

    Raises ValueError, saying what came instead, for anything else.
    """
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        shown = "HTML" if body.lstrip()[:1] == b"<" else repr(body[:40].decode("utf-8", "replace"))
        raise ValueError(f"expected suggestions as JSON, got {shown or 'nothing'}") from None
    if not (isinstance(data, list) and len(data) > 1 and isinstance(data[1], list)):
        raise ValueError('expected ["query", ["suggestion", …]], got other JSON')
    return [" ".join(each.split()) for each in data[1] if isinstance(each, str) and each.strip()]


def distinct(suggestions: Iterable[str], most: int = MOST) -> list[str]:
    """The first `most` suggestions that differ, whatever their case, in their order."""
    found: dict[str, None] = {}
    for suggestion in suggestions:
        found.setdefault(suggestion.casefold())
    return list(found)[:most]


def phrase_words(suggestions: Iterable[str], stopwords: frozenset[str] = frozenset()) -> list[str]:
    """The words of suggestions, each once and in order; no stop words, no single letters."""
    words = Analysis("words", stopwords)
    found = dict.fromkeys(word for suggestion in suggestions for word in words(suggestion))
    return [word for word in found if len(word) > 1]


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """The answers that came in, one a line: ``{"question": …, "suggestions": […]}``.

    Args:
        path: a JSON Lines file; made with the first answer.
    """

    path: Path

    def read(self) -> Mapping[str, Sequence[str]]:
        """Suggestions by question; a last line that a crash cut off is left out.

        Raises InputFileError for a file of another form.
        """
        if not self.path.exists():
            return {}
        *lines, _ = read_text_file(self.path, "answers, one JSON object a line").split("\n")
        answers: dict[str, Sequence[str]] = {}
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                answers[row["question"]] = [str(each) for each in row["suggestions"]]
            except (ValueError, KeyError, TypeError) as error:
                raise InputFileError(
                    f"{self.path}:{number}: expected an answer's question and suggestions"
                ) from error
        return answers

    def add(self, question: str, suggestions: Sequence[str]) -> None:
        """Keep one answer; raises StorageError."""
        line = json.dumps(
            {"question": question, "suggestions": list(suggestions)}, ensure_ascii=False
        )
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            _cut_broken_line(self.path)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise StorageError(f"{self.path}: cannot be written: {error.strerror}") from error


def _cut_broken_line(path: Path) -> None:
    """Take away what follows the last line end."""
    if path.exists() and not (data := path.read_bytes()).endswith(b"\n"):
        path.write_bytes(data[: data.rfind(b"\n") + 1])
