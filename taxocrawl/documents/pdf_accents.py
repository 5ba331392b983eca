"""Letters whose accents a PDF draws, and its text gives, as signs of their own."""

from __future__ import annotations

import re
import unicodedata

# Spacing accent: combining accent, and the letters that bear it in the languages of papers.
_ACCENTS = {
    "\u00b4": ("\u0301", frozenset("aeiouyAEIOUY\u0131")),
    "\u00a8": ("\u0308", frozenset("aeiouyAEIOUY\u0131")),
    "\u02c6": ("\u0302", frozenset("aeiouAEIOU\u0131")),
    "\u02dc": ("\u0303", frozenset("anoANO")),
    "\u02c7": ("\u030c", frozenset("cenrszCENRSZ")),
    "\u02da": ("\u030a", frozenset("auAU")),
    "\u00b8": ("\u0327", frozenset("cstCST")),
}
_MARKS = "".join(_ACCENTS)
_LETTER = r"[^\W\d_]"
_MARKED = re.compile(rf"({_LETTER})([{_MARKS}])( ?)(?=({_LETTER})?)")
_LEADING = re.compile(rf"(?<!\d)([{_MARKS}])({_LETTER})")


def with_accents(text: str) -> str:
    """The text with accents set on their letters: `Jos´e` and `Gonza´lez` to José and González.

    TeX draws the accent before its letter, other programs after it; where both neighbours could
    bear it, the way of the rest of the text decides. Accents without such a letter stay.
    """
    if not any(mark in text for mark in _MARKS):
        return text
    followed = sum(_bears(mark, letter) for mark, letter in _LEADING.findall(text))
    preceded = sum(_bears(match[2], match[1]) for match in _MARKED.finditer(text))
    text = _MARKED.sub(lambda match: _on_letter_before(match, followed >= preceded), text)
    return _LEADING.sub(lambda match: _accented(match[2], match[1]) or match[0], text)


def _on_letter_before(match: re.Match[str], mostly_after: bool) -> str:
    letter, mark, blank, following = match.groups()
    also_after = bool(following) and not blank and _bears(mark, following)
    if not _bears(mark, letter) or (also_after and mostly_after):
        return match[0]
    return (_accented(letter, mark) or letter + mark) + ("" if following else blank)


def _bears(mark: str, letter: str) -> bool:
    return letter in _ACCENTS[mark][1]


def _accented(letter: str, mark: str) -> str:
    """The letter with the accent; empty if it does not bear that."""
    if not _bears(mark, letter):
        return ""
    base = "i" if letter == "\u0131" else letter
    return unicodedata.normalize("NFC", base + _ACCENTS[mark][0])
