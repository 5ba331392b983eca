"""A topic's aspects: from its folder, or as written in a form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.rerank.representations import TextModel
from taxocrawl.text.normalise import fold_whitespace, normalise_text
from taxocrawl.text.posts import PostWords
from taxocrawl.text.stopwords import load_stopwords
from taxocrawl.topic import Aspect, read_aspects

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

MOST = 20
"""Aspects of one topic."""
NAME_LENGTH = 60
_WORDS_LENGTH = 2000


def topics(folder: Path) -> list[str]:
    """Names of the topics below the folder of gold standards."""
    if not folder.is_dir():
        return []
    return sorted(p.name for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))


def aspects_of_topic(topic: Path) -> list[Aspect]:
    """The aspects of a topic's folder, under their names as words.

    None when one of their files cannot be read: what is wrong with it, the spider says.
    """
    try:
        found = read_aspects(topic).found
    except InputFileError:
        return []
    return [
        Aspect(aspect.label, fold_whitespace(aspect.phrases)[:_WORDS_LENGTH])
        for aspect in found[:MOST]
    ]


def parse_aspects(text: str) -> list[Aspect]:
    """Aspects as written in a form: one a line, ``name`` or ``name: words``.

    Raises ArgumentError for a name that occurs twice or is too long, and for too many.
    """
    found: dict[str, Aspect] = {}
    for line in normalise_text(text).splitlines():
        name, colon, words = (part.strip() for part in fold_whitespace(line).partition(":"))
        if not name and not words:
            continue
        if not name or len(name) > NAME_LENGTH or len(words) > _WORDS_LENGTH:
            raise ArgumentError(
                f"aspects: expected a name of at most {NAME_LENGTH} characters, and maybe a colon "
                f"and words, got {line.strip()[:40]!r}"
            )
        if name.casefold() in found:
            raise ArgumentError(f"aspects: {name!r} occurs twice")
        found[name.casefold()] = Aspect(name, f"{name} {words}" if colon else name)
    if len(found) > MOST:
        raise ArgumentError(f"aspects: {len(found)} are too many (at most {MOST})")
    return list(found.values())


def as_lines(aspects: Iterable[Aspect]) -> str:
    """What `parse_aspects` reads as these aspects."""
    return "\n".join(
        one.name if one.phrases == one.name else f"{one.name}: {one.phrases}" for one in aspects
    )


def to_store(aspects: Iterable[Aspect]) -> list[list[str]]:
    """Aspects as they are kept in the database."""
    return [[aspect.name, aspect.phrases] for aspect in aspects]


def stored(value: object) -> list[Aspect]:
    """Aspects as they were kept in the database."""
    pairs = value if isinstance(value, list) else []
    return [Aspect(str(name), str(words)) for name, words in pairs]


def text_model(stopwords: Path) -> TextModel:
    """What the desk reads texts with: English stop words, stems."""
    file = stopwords / "english.txt"
    words = load_stopwords(file) if file.is_file() else frozenset()
    return TextModel(PostWords(words, "snowball"))


def nearest_aspects(texts: Sequence[str], aspects: Sequence[Aspect], model: TextModel) -> list[str]:
    """For each text the aspect it is most like (tf-idf, cosine); '' when it is like none.

    Equal ones go to the aspect that is named first.
    """
    if not texts or not aspects:
        return [""] * len(texts)
    values = np.array([model.relevance("tf-idf", aspect.phrases, texts) for aspect in aspects])
    best = values.argmax(axis=0)
    return [
        aspects[number].name if values[number, place] > 0 else ""
        for place, number in enumerate(best)
    ]
