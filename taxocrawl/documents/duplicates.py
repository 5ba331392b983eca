"""Copies of one work: by their bytes, text, DOI, title with year and author, or nearly equal text.

What is compared is a `Fingerprint`. Nearly equal texts are found by MinHash over word triples
(Broder, "On the resemblance and containment of documents", 1997). Every rule looks at two
documents alone, and the better one is chosen by a total order: which copy of several is kept does
not depend on the order in which they came. docs/duplicates.md has the thresholds' figures.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from taxocrawl.items import Kind
from taxocrawl.text.doi import doi_from_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from datasketch import MinHash

    from taxocrawl.items import Document

NEAR = 0.6
"""Resemblance, in [0, 1], of word triples from which two full texts are copies."""
NEAR_STRICT = 0.9
"""The same where one is shorter (short pages are mostly template) or the DOIs differ."""
FULL_TEXT_WORDS = 800
"""Words from which a document counts as a full text; landing pages and previews have fewer."""
MIN_NEAR_WORDS = 80
"""Words below which texts are only compared for being equal."""
CERTAINTY = ("content", "text", "doi", "title", "near text")
"""How documents are found to be copies, the surest first."""
_BANDS, _ROWS = 30, 4
_BANDS_OF_SHORT = 8
"""So many of the bands find all pairs that reach `NEAR_STRICT`."""
# Odd numbers that set the three places of a triple apart.
_MIXERS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
# So many triples at once that their permutations fit the processor's cache.
_BATCH = 256
_MIN_TITLE, _MIN_LONE_TITLE = 20, 45
"""Letters of a title that can tell works apart, with and without year or author to confirm it."""

_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")
_GENERIC_TITLE = re.compile(
    r"(?:table of )?contents|instructions? (?:for|to) (?:the )?authors|(?:book|literature) reviews?"
    r"|editorial(?: board)?|corrigend(?:um|a)|errat(?:um|a)|acknowledge?ments?|index.*"
    r"|front ?matter|back ?matter|notes? and news|news and (?:notes|comments)|supplementary .*"
)
_WORK_ADDRESS = re.compile(
    r"//(?:dx\.|www\.)?doi\.org/|/doi/(?:abs|full|pdf|epdf|pdfplus|pdfdirect|10\.\d)", re.IGNORECASE
)
_PART_ADDRESS = re.compile(r"suppl|/asset/|citedby|references|powerpoint|figure", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What tells a document's copies; empty fields match nothing."""

    content: str
    """Hash of the bytes."""
    text: str = ""
    """Hash of the words of the extracted text."""
    doi: str = ""
    title: str = ""
    """Letters and digits of the title, empty when it says too little."""
    year: int | None = None
    surnames: tuple[str, ...] = ()
    words: int = 0
    pdf: bool = False
    partial: bool = False
    sketch: bytes = b""
    """MinHash of the word triples: `_BANDS` times `_ROWS` numbers of 32 bits."""

    def rank(self) -> tuple[bool, bool, int, str]:
        """The better copy has the higher rank: full text before abstract, PDF before page."""
        full = self.words >= FULL_TEXT_WORDS and not self.partial
        return full, self.pdf, self.words, self.content

    def match_keys(self) -> Iterator[str]:
        """Two copies share at least one of their keys (near ones with high probability)."""
        yield f"content {self.content}"
        for name in ("text", "doi", "title"):
            if value := getattr(self, name):
                yield f"{name} {value}"
        size = 4 * _ROWS
        bands = _BANDS if self.words >= FULL_TEXT_WORDS else _BANDS_OF_SHORT
        for band in range(bands if self.sketch else 0):
            yield f"band {band} {self.sketch[band * size : (band + 1) * size].hex()}"


def fingerprint(document: Document, content: str, urls: Sequence[str] = ()) -> Fingerprint:
    """The fingerprint of an extracted document.

    Args:
        document: with its text and metadata.
        content: hash of its bytes.
        urls: its addresses; a publisher's ``/doi/abs|full|pdf/`` pages and the resolver name the
            work when the document does not.
    """
    words = word_list(document.text)
    return Fingerprint(
        content=content,
        text=_digest(" ".join(words)) if words else "",
        doi=document.doi or next(filter(None, map(_work_doi, urls)), ""),
        title=_title_key(document.title),
        year=document.year,
        surnames=tuple(sorted({_surname(author) for author in document.authors} - {""})),
        words=len(words),
        pdf=document.kind is Kind.PDF,
        partial=bool({"partial", "truncated"} & set(document.flags)),
        sketch=sketch(words) if len(words) >= MIN_NEAR_WORDS else b"",
    )


def same_work(one: Fingerprint, other: Fingerprint) -> str:
    """Why two documents are copies of one work; empty when they are not taken for such.

    The answer is one of `CERTAINTY`, the surest that holds.
    """
    for name in CERTAINTY[:3]:
        if getattr(one, name) and getattr(one, name) == getattr(other, name):
            return name
    other_doi = bool(one.doi and other.doi)
    if one.title and one.title == other.title and not other_doi and _confirmed(one, other):
        return "title"
    if one.sketch and other.sketch:
        short = min(one.words, other.words) < FULL_TEXT_WORDS
        needed = NEAR_STRICT if other_doi or short else NEAR
        if resemblance(one.sketch, other.sketch) >= needed:
            return "near text"
    return ""


def resemblance(one: bytes, other: bytes) -> float:
    """Estimate, in [0, 1], of the share of word triples that two sketches' texts have in common.

    Its standard error is at most 0.046.
    """
    return float(np.mean(np.frombuffer(one, "<u4") == np.frombuffer(other, "<u4")))


def sketch(words: Sequence[str]) -> bytes:
    """MinHash of the words' triples."""
    first, second, third = _MIXERS
    hashes = np.fromiter(map(_word_hash, words), np.uint64, len(words))
    triples = hashes[:-2] * first + hashes[1:-1] * second + hashes[2:] * third
    minhash = _blank().copy()
    values = np.unique(triples >> np.uint64(32)).tolist()
    for start in range(0, len(values), _BATCH):
        minhash.update_batch(values[start : start + _BATCH])
    return bytes(minhash.hashvalues.astype("<u4").tobytes())


# One page asks for its words several times: to compare its text, its triples and its template.
@lru_cache(maxsize=2)
def word_list(text: str) -> tuple[str, ...]:
    """The words and numbers of a text in lower case, without accents and compatibility forms."""
    decomposed = unicodedata.normalize("NFKD", text.replace("\u00ad", "")).casefold()
    plain = decomposed if decomposed.isascii() else decomposed.translate(_WITHOUT_ACCENTS)
    return tuple(_WORD.findall(plain))


class _WithoutAccents(dict[int, int | None]):
    """Characters as they are, combining ones to nothing; each is looked up once."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.combining(chr(code)) else code
        return self[code]


_WITHOUT_ACCENTS = _WithoutAccents()


def template_hash(text: str) -> str:
    """Hash of a text's words without its numbers: pages that differ in a date or count are one.

    Empty for a text without words.
    """
    words = [word for word in word_list(text) if word.isalpha() or not _DIGIT.search(word)]
    return _digest(" ".join(words)) if words else ""


@cache
def _blank() -> MinHash:
    # It loads half of scipy, which takes longer than all else that a command needs to start.
    from datasketch import MinHash

    return MinHash(num_perm=_BANDS * _ROWS, seed=1, scheme="affine32", hashfunc=int)


@lru_cache(maxsize=200_000)
def _word_hash(word: str) -> int:
    digest = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _confirmed(one: Fingerprint, other: Fingerprint) -> bool:
    """Whether year or author say the same of two works of one title, and neither differs."""
    confirmed = False
    if one.year and other.year:
        # Published ahead of print, works appear under two years.
        if abs(one.year - other.year) > 1:
            return False
        confirmed = True
    if one.surnames and other.surnames:
        if not set(one.surnames) & set(other.surnames):
            return False
        confirmed = True
    return confirmed or len(one.title) >= _MIN_LONE_TITLE


def _title_key(title: str) -> str:
    words = word_list(title)
    if len(words) < 3 or _GENERIC_TITLE.fullmatch(" ".join(words)):
        return ""
    key = "".join(words)
    return key if len(key) >= _MIN_TITLE else ""


def _surname(author: str) -> str:
    """Of "Simmons, N. B.", "Nancy B. Simmons" and "Simmons NB" alike "simmons"."""
    family, comma, _ = author.partition(",")
    words = word_list(family)
    if not words:
        return ""
    if comma:
        return max(words, key=len)
    return words[-1] if len(words[-1]) > 2 else words[0]


def _work_doi(url: str) -> str:
    if not _WORK_ADDRESS.search(url) or _PART_ADDRESS.search(url):
        return ""
    return doi_from_url(url)


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
