"""Text as extraction yields it, made fit for names and tokens to be found in it."""

from __future__ import annotations

import re
import unicodedata

_LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Tab and line feed stay; U+FFFE and U+FFFF count as controls because XML cannot hold them.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
# Zero-width and direction marks: invisible, and within a word they hide it (`Myo<U+200B>tis`).
_INVISIBLE = re.compile("[\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_SOFT_HYPHEN = re.compile("\u00ad(?:[ \t]*\n[ \t]*)?")
_ODD_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_LETTER = r"[^\W\d_]"
_LINE_HYPHEN = re.compile(
    rf"(?<=\w)[-\u2010\u2011][ \t]{{0,8}}\n[ \t]{{0,8}}(?={_LETTER}|\d)", re.UNICODE
)
_LEFT_PART = re.compile(rf"{_LETTER}{{1,40}}\Z")
_RIGHT_PART = re.compile(rf"{_LETTER}{{1,40}}")
_INNER_HYPHEN = re.compile(rf"{_LETTER}{{1,40}}[-\u2010\u2011]{_LETTER}{{1,40}}")
_WORD = re.compile(rf"{_LETTER}+")
_OPEN_COMPOUNDS = frozenset({"and", "or", "und", "oder"})
_KEPT_PREFIXES = frozenset({"non", "self", "well"})


def normalise_counted(text: str) -> tuple[str, int]:
    """Normalised text, and how many control characters were taken out of it.

    NFC; Latin ligatures (U+FB00-FB06) spelled out; soft hyphens removed together with a line break
    after them; every kind of line end becomes a line feed, every odd space a blank; zero-width and
    direction marks removed; unpaired surrogates replaced by U+FFFD. The count is of C0 and C1
    controls (U+0000 above all: what a PDF's lost ligature leaves), other than tab and line ends.
    Applying it twice gives the same text as once.
    """
    if text.isascii() and text.isprintable():
        return text, 0
    text = _LINE_END.sub("\n", text)
    text, removed = _CONTROL.subn("", text)
    if not text.isascii():
        text = _INVISIBLE.sub("", text)
        if _SURROGATE.search(text):
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        text = _ODD_SPACE.sub(" ", text)
        text = _SOFT_HYPHEN.sub("", text)
        text = _LIGATURE.sub(lambda match: _LIGATURES[match[0]], text)
        text = unicodedata.normalize("NFC", text)
    return text, removed


def normalise_text(text: str) -> str:
    """Normalised text; see `normalise_counted`."""
    return normalise_counted(text)[0]


def fold_whitespace(text: str) -> str:
    """Text on one line: every run of white space becomes one blank, none at either end."""
    return " ".join(text.split())


def join_hyphenated(text: str) -> str:
    """Text whose words divided at line ends are whole again.

    `classi-` + `fied` gives `classified`. The hyphen stays (and only the line break goes) before a
    capital or a digit (`Lobão-Vale`, `1999-2001`), after `non`, `self` and `well`, and where the
    text has the hyphenated word elsewhere but not the joined one. `pre-` + `and` stays two words.
    """
    if not _LINE_HYPHEN.search(text):
        return text
    words = {word.lower() for word in _WORD.findall(text)}
    compounds = {word.lower() for word in _INNER_HYPHEN.findall(text)}
    parts: list[str] = []
    end = 0
    for match in _LINE_HYPHEN.finditer(text):
        parts.append(text[end : match.start()])
        parts.append(_seam(text, match, words, compounds))
        end = match.end()
    parts.append(text[end:])
    return "".join(parts)


def _seam(text: str, match: re.Match[str], words: set[str], compounds: set[str]) -> str:
    """What stands for a hyphen and its line break: nothing, the hyphen, or hyphen and blank."""
    hyphen = match[0][0]
    left = _LEFT_PART.search(text, max(0, match.start() - 40), match.start())
    right = _RIGHT_PART.match(text, match.end())
    if left is None or right is None or not right[0][0].islower():
        return hyphen
    before, after = left[0].lower(), right[0].lower()
    if before + after in words:
        return ""
    if after in _OPEN_COMPOUNDS:
        return f"{hyphen} "
    prefixed = before in _KEPT_PREFIXES and len(after) > 3
    return hyphen if prefixed or f"{before}-{after}" in compounds else ""
