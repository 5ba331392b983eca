"""How near two texts are to being copies: the five levels of Sy (METU 3.2.2)."""

from __future__ import annotations

from enum import StrEnum

from taxocrawl.text.posts import PostWords, bare_text

STRONG = 0.54
WEAK = 0.33
LOW_OVERLAP = 0.17
"""Least share of the shorter text's words that the other one has, for each level.

The document names the levels and what they compare but no bounds. These lie midway between the
medians of this share (.67, .41, .25, .10) in 7,090 pairs of posts that six people judged to be
paraphrases 5-6, 4, 1-3 and 0 times.
"""
_WORDS = PostWords()


class DuplicateLevel(StrEnum):
    """From the nearest to no relation at all."""

    EXACT = "exact copy"
    """The same characters."""
    NEARLY_EXACT = "nearly exact copy"
    """The same characters but for hashtags, URLs, mentions and the retweet mark."""
    STRONG = "strong near-duplicate"
    """The same message; one may say more."""
    WEAK = "weak near-duplicate"
    """The same message beside words of its own in each."""
    LOW_OVERLAP = "low overlapping"
    """A few words in common."""
    NONE = "none"


def shared_words(first: str, second: str) -> float:
    """Share of the words of the shorter text that the other one has, in [0, 1].

    0 unless two words at least are shared: one word makes no message.
    """
    one, two = set(_WORDS(first)), set(_WORDS(second))
    shared = len(one & two)
    return shared / min(len(one), len(two)) if shared >= 2 else 0.0


def duplicate_level(first: str, second: str) -> DuplicateLevel:
    """The level of one pair of texts; the same whichever comes first.

    Texts of marks alone (`@user`, a URL) are no nearly exact copies of each other: they say
    nothing that could be the same.
    """
    if first == second:
        return DuplicateLevel.EXACT
    bare = bare_text(first)
    if bare and bare == bare_text(second):
        return DuplicateLevel.NEARLY_EXACT
    share = shared_words(first, second)
    for level, least in (
        (DuplicateLevel.STRONG, STRONG),
        (DuplicateLevel.WEAK, WEAK),
        (DuplicateLevel.LOW_OVERLAP, LOW_OVERLAP),
    ):
        if share >= least:
            return level
    return DuplicateLevel.NONE
