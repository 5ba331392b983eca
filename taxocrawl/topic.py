"""What a topic is: the text of its gold standard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taxocrawl.exceptions import InputFileError
from taxocrawl.text.files import read_text_file

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
