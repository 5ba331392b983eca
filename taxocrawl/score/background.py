"""Document frequencies of a background collection (METU 3.1.1, 4.4.1.1)."""

from __future__ import annotations

import gzip
import math
from functools import cache, cached_property
from typing import TYPE_CHECKING, Self

from taxocrawl.exceptions import InputFileError
from taxocrawl.shipped import shipped_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


class DocumentFrequencies:
    """In how many of `documents` documents each word occurs.

    Args:
        documents: number of documents N in the collection, at least 1.
        counts: word → number of documents with it, 0 < count ≤ N.
        unlisted: number of documents that any other word is taken to be in; N gives it idf 0.
    """

    def __init__(self, documents: int, counts: Mapping[str, int], unlisted: int = 0) -> None:
        self.documents = documents
        self.counts = counts
        self.unlisted = unlisted
        self.other_idf = self._idf(unlisted)
        """idf of a word that is not listed."""

    @cached_property
    def idfs(self) -> Mapping[str, float]:
        """idf of each listed word."""
        of_counts = {count: self._idf(count) for count in set(self.counts.values())}
        return {word: of_counts[count] for word, count in self.counts.items()}

    def idf(self, word: str) -> float:
        """log(N / (1 + df)), at least 0 (METU eq. 3.2; negative values are clamped)."""
        return self.idfs.get(word, self.other_idf)

    def _idf(self, count: int) -> float:
        return max(0.0, math.log(self.documents / (1 + count)))

    def of_words(self, words: Iterable[str]) -> DocumentFrequencies:
        """The same table for these words alone: every other word has idf 0 (METU 4.4.1.1)."""
        counts = {word: self.counts.get(word, self.unlisted) for word in words}
        return DocumentFrequencies(self.documents, counts, self.documents)

    @classmethod
    def of(cls, documents: Iterable[Iterable[str]]) -> Self:
        """Count the words of a collection given as one iterable of words a document."""
        counts: dict[str, int] = {}
        number = 0
        for words in documents:
            number += 1
            for word in set(words):
                counts[word] = counts.get(word, 0) + 1
        return cls(max(1, number), counts)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read ``word<TAB>count`` lines, gzipped or not; the first line is ``#N<TAB>documents``.

        Raises InputFileError when the file is missing or not of that form.
        """
        try:
            raw = path.read_bytes()
            text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8")
            lines = text.splitlines()
            number = lines[0].removeprefix("#N\t")
            pairs = (line.split("\t") for line in lines[1:] if line)
            return cls(int(number), {word: int(count) for word, count in pairs})
        except (OSError, ValueError, IndexError, EOFError) as error:
            raise InputFileError(
                f"{path}: not a table of document frequencies (#N line, word<TAB>count): {error}"
            ) from error


@cache
def shipped() -> DocumentFrequencies:
    """The shipped table: 4,598 encyclopaedia articles, words in at least five of them."""
    return DocumentFrequencies.read(shipped_path("score/data/df-encyclopaedia.tsv.gz"))
