"""What marks a taxonomic text, whoever published it: counts of acts, types, treatment parts.

The words of a publisher's pages tell one publisher from another; the markers counted here are asked
for by the codes of nomenclature and by the habits of taxonomists, in every journal and language.
Some markers speak for the other side (statistics, patients, news, menus).

Punctuation is taken for a blank before anything is counted, so ``n.sp.``, ``n. sp.`` and
``(n. sp.)`` are one phrase. A phrase is only searched for when the text has all its words.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import chain
from math import log1p

from taxocrawl.classify.lexicon import PHRASES, UNSPACED, WORDS

ZONE_CHARACTERS = 1500
"""The first characters of a text, where its title and abstract stand."""

ZONE_PREFIX = "zone "

NAMES: tuple[str, ...] = (
    *PHRASES,
    *WORDS,
    "authority",
    "old year",
    *(f"{ZONE_PREFIX}{name}" for name in chain(PHRASES, WORDS)),
    "act without support",
    "length",
)
"""Every marker, in the order of `marker_values`. "authority" counts names followed by comma and
year ("(Linnaeus, 1758)"), "old year" years from 1700 to 1959; "act without support" counts the
acts of a text that has nothing of `SUPPORT`, such as a table of contents."""

ACTS = ("act on species", "act on higher taxon", "act of change", "new taxon")
SUPPORT = (
    "described",
    "type",
    "material",
    "treatment",
    "holotype",
    "paratype",
    "other type",
    "etymology",
    "diagnosis",
    "measure",
)
"""Markers of what stands around an act in a treatment or in its abstract."""

_ACT_PLACES = tuple(NAMES.index(name) for name in ACTS)
_SUPPORT_PLACES = tuple(NAMES.index(name) for name in SUPPORT)

_EVIDENCE_PLACES = tuple(
    NAMES.index(name)
    for name in (*ACTS, *SUPPORT, "code", "synonymy", "registry")
    if name != "measure"
)

_AUTHORITY = re.compile(r", 1[789]\d\d\b")
_BLANKED = bytes(32 if chr(code) in "\"'()[]{}<>,;:!?/\\|*=.-_#" else code for code in range(256))
_OLD_YEARS = range(1700, 1960)


@dataclass(frozen=True, slots=True)
class _Passage:
    """A text cut up once for all counts."""

    spaced: bytes
    """Lower-case words with one blank before, between and after."""
    counts: Counter[bytes]
    size: int
    """Number of words."""

    @classmethod
    def of(cls, text: str) -> _Passage:
        tokens = text.lower().encode("utf-8", "replace").translate(_BLANKED).split()
        return cls(b" " + b" ".join(tokens) + b" ", Counter(tokens), len(tokens))

    def phrase_counts(self) -> list[int]:
        known = self.counts.keys()
        return [
            sum(self.spaced.count(phrase) for phrase, needed in phrases if needed <= known)
            for phrases in _phrases()
        ]

    def word_counts(self) -> list[int]:
        counts = self.counts
        return [sum(counts[word] for word in words if word in counts) for words in _words()]

    def old_years(self) -> int:
        return sum(
            count
            for token, count in self.counts.items()
            if len(token) == 4 and token.isdigit() and int(token) in _OLD_YEARS
        )


def marker_values(text: str) -> tuple[float, ...]:
    """The value of each marker of `NAMES` in a text: non-negative, 0 when absent.

    A marker of the whole text is ``log(1 + count * 3000 / (words + 500))``, so that an abstract
    and a monograph compare; one of the title zone is ``log(1 + count)``; "length" is
    ``log(1 + words / 1000)``.
    """
    whole, zone = _Passage.of(text), _Passage.of(text[:ZONE_CHARACTERS])
    share = 3000 / (whole.size + 500)
    counts = [
        *whole.phrase_counts(),
        *whole.word_counts(),
        len(_AUTHORITY.findall(text)),
        whole.old_years(),
    ]
    return (
        *(log1p(count * share) for count in counts),
        *(log1p(count) for count in zone.phrase_counts()),
        *(log1p(count) for count in zone.word_counts()),
        log1p(_acts_without_support(counts) * share),
        log1p(whole.size / 1000),
    )


def has_evidence(values: tuple[float, ...]) -> bool:
    """Whether a text has any marker of an act, a type or a part of a treatment.

    A page without one is no treatment, however much its site's name speaks of taxonomy.
    """
    return any(values[place] for place in _EVIDENCE_PLACES)


def _acts_without_support(counts: list[int]) -> int:
    if any(counts[place] for place in _SUPPORT_PLACES):
        return 0
    return sum(counts[place] for place in _ACT_PLACES)


@cache
def _phrases() -> tuple[tuple[tuple[bytes, frozenset[bytes]], ...], ...]:
    """Per marker its phrases between blanks, each with the words that a text must have."""
    spaced = (
        tuple((f" {phrase} ".encode(), frozenset(phrase.encode().split())) for phrase in phrases)
        + tuple((phrase.encode(), frozenset[bytes]()) for phrase in UNSPACED.get(name, ()))
        for name, phrases in PHRASES.items()
    )
    return tuple(spaced)


@cache
def _words() -> tuple[tuple[bytes, ...], ...]:
    return tuple(tuple(word.encode() for word in words) for words in WORDS.values())
