"""Stop-word files: one word a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taxocrawl.text.files import read_text_file
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
    text = normalise_text(read_text_file(path, "a list of stop words, one a line"))
    lines = (fold_whitespace(line) for line in text.split("\n"))
    return frozenset(
        line.lower().replace("\u2019", "'") for line in lines if line and not line.startswith("#")
    )
