"""What a topic is: the text of its gold standard, and its aspects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taxocrawl.exceptions import InputFileError
from taxocrawl.text.files import read_entries, read_text_file

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class GoldStandard:
    """A text that shows what the topic is."""

    name: str
    """Where it came from: a file's path or a URL, for messages."""
    text: str


def read_goldstandard(path: Path) -> str:
    """The text of a gold-standard file: UTF-8 (with or without BOM), ``#`` lines left out.

    Raises InputFileError when it cannot be read or holds no words.
    """
    lines = read_text_file(path, "a gold standard").splitlines()
    joined = "\n".join(line for line in lines if not line.lstrip().startswith("#")).strip()
    if not joined:
        raise InputFileError(f"{path}: the gold standard is empty, expected text or phrases")
    return joined


ASPECTS_FOLDER = "aspects"
"""In a topic's folder: one text file for each aspect, named after it."""
SEEDS_FILE = "seeds.txt"
"""In a topic's folder: URLs to begin with, which are no part of its gold standard."""


@dataclass(frozen=True, slots=True)
class Aspect:
    """One side of a topic, with the phrases that stand for it."""

    name: str
    """The file's name without its ending."""
    phrases: str

    @property
    def label(self) -> str:
        """The name as words."""
        return self.name.replace("-", " ").replace("_", " ")


@dataclass(frozen=True, slots=True)
class Aspects:
    """The aspects of a topic in the order of their names."""

    found: tuple[Aspect, ...] = ()
    remarks: tuple[str, ...] = ()
    """One line for each thing that is probably not meant so; a crawl can go on all the same."""


def read_aspects(topic: Path) -> Aspects:
    """The aspects of a topic's folder, from ``aspects/<aspect>.txt``.

    Blank lines and ``#`` lines are left out. An aspect without any phrase is left out, with a
    remark; so is a remark made when there is no aspect, only one, or two with the same phrases.
    Raises InputFileError for a file that cannot be read as text.
    """
    folder = topic / ASPECTS_FOLDER
    files = sorted(folder.glob("*.txt")) if folder.is_dir() else []
    found: list[Aspect] = []
    remarks: list[str] = []
    for path in files:
        phrases = "\n".join(read_entries(path, "phrases of an aspect, one a line"))
        if not phrases:
            remarks.append(f"{path}: no phrases, the aspect is left out")
            continue
        remarks += [
            f"{path}: the same phrases as of {other.name}: the two cannot be told apart"
            for other in found
            if set(phrases.split()) == set(other.phrases.split())
        ]
        found.append(Aspect(path.stem, phrases))
    if not found:
        remarks.append(f"{folder}: no aspects (expected files <aspect>.txt)")
    elif len(found) == 1:
        remarks.append(f"{folder}: {found[0].name} is the only aspect: there is nothing to balance")
    return Aspects(tuple(found), tuple(remarks))
