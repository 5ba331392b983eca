"""Stop-word files: one word a line."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from taxocrawl.exceptions import InputFileError
from taxocrawl.text.normalise import fold_whitespace, normalise_text

if TYPE_CHECKING:
    from pathlib import Path

LUCENE_STOP_WORDS = frozenset(
    "a an and are as at be but by for if in into is it no not of on or such that the their then "
    "there these they this to was will with".split()
)
"""Lucene's default English stop words (STOP_SET in the Nutch document's future work)."""


def load_stopwords(path: Path) -> frozenset[str]:
    """The words of a stop-word file, in lower case and as `taxocrawl.text.tokens` spells them.

    One word a line (Nutch, "Stopword File"); blank lines and lines that begin with ``#`` are no
    words. Byte order mark, line ends, capitals and surrounding blanks do not matter. An empty list
    is allowed. Raises InputFileError for a file that is missing, unreadable or not text.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputFileError(f"stop-word file {path}: cannot be read ({reason})") from error
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"stop-word file {path}: expected UTF-8 text, one word a line"
        raise InputFileError(message) from error
    if "\0" in text:
        raise InputFileError(f"stop-word file {path}: expected text, one word a line, found binary")
    lines = (fold_whitespace(line) for line in normalise_text(text).split("\n"))
    return frozenset(
        line.lower().replace("\u2019", "'") for line in lines if line and not line.startswith("#")
    )
