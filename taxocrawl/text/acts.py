"""Nomenclatural acts in a text, in the wordings and languages that taxonomists use.

`sp. nov.` and its orders and abbreviations, the Latin words in full, English and ten other
languages. What looks like an act and is none: a date (`Pteropus sp. Nov. 2019`), a sample size
(`sp. n = 12`), `sp. novel`, and new species as a subject of ecology (`new species record`,
`arrival of new species`).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from taxocrawl.text.act_words import (
    ABBREVIATIONS,
    CHINESE,
    EMENDED,
    ENGLISH,
    FURTHER,
    MARKERS,
    NEW,
    NO_ACT_AFTER,
    NO_ACT_BEFORE,
    NOUNS,
    REVISED,
)

_SUBJECT = rf"(?:{'|'.join(sorted(ABBREVIATIONS, key=len, reverse=True))})"
_SUBJECTS = rf"{_SUBJECT}(?:\.?[ \n]{{0,2}}(?:et|&|and|und|y|e|,)[ \n]{{1,2}}{_SUBJECT}){{0,2}}"
_QUALIFIER = r"(?:nova?|novum|novus|novae|n|rev|revis|rest|restit|resurr|emend)"
_ABBREVIATED = re.compile(
    rf"\b(?P<first>{_SUBJECTS})(?:\.[ \n]{{0,2}}|[ \n]{{1,2}})(?P<after>{_QUALIFIER})\b\.?"
    rf"|\b(?P<before>nov(?:a|um|us)?|n)(?:\.[ \n]{{0,2}}|[ \n]{{1,2}})(?P<second>{_SUBJECTS})\b\.?"
)
_PARTS = re.compile(_SUBJECT)
# A form or genus is abbreviated to one letter only beside its species: `n. g., n. sp.`.
_COMPOUND = re.compile(r"[,;]?[ \n](?:et|and|&|n\b)")
_NUMBER = re.compile(r"[ \n,]{0,3}\d")
_YEAR = re.compile(r"\s?,?\s?(?:1[789]|20)\d\d(?!\d)")
_NO_QUALIFIER = re.compile(r"\s?=|[-\w]")
_NOUN = rf"(?:{'|'.join(sorted(ENGLISH, key=len, reverse=True))})"
_ENGLISH = re.compile(
    rf"\bnew[ \n](?P<noun>{_NOUN})"
    rf"(?:(?:,|,?[ \n](?:and|&))[ \n](?:(?:\w{{1,8}}[ \n])?new[ \n])?(?P<more>{_NOUN}))?\b"
    rf"(?![ \n-](?:{NO_ACT_AFTER}))"
)
_BEFORE = re.compile(r"(\w+)[ \n](\w+)[ \n]$|(\w+)[ \n]$")
_NEW = re.compile(
    r"n(?<!\w.)(?:uev[oa]s?|ov[oa]s?|ouve(?:lles?|aux?)|eue[nrs]?|uov[aeio]|ieuwe?"
    r"|ow(?:ych|[ey])|ov(?:ý(?:ch)?|é))(?!\w)|н(?<!\w.)ов\w{0,3}(?!\w)|y(?<!\w.)eni(?!\w)"
)
_NOUN_AFTER = re.compile(r"[.]?[ \n](?:bir )?([\w-]{2,20})")
_NOUN_BEFORE = re.compile(r"(?<![\w-])([\w-]{2,20})[ \n]$")
_PAIRS = {
    (adjective, noun): kind
    for language, adjectives in NEW.items()
    for kind, nouns in NOUNS[language].items()
    for adjective in adjectives.split()
    for noun in nouns.split()
}
_CHINESE = re.compile(rf"新(?P<noun>{'|'.join(sorted(CHINESE, key=len, reverse=True))})")
_FURTHER = tuple((kind, re.compile(pattern)) for kind, pattern in FURTHER)


@dataclass(frozen=True, slots=True)
class Act:
    """One act as a text words it, from character `start` to `end`."""

    kind: str
    """new species, new genus, new combination, replacement name, new synonym, revised status ..."""
    verbatim: str
    start: int
    end: int


def find_acts(text: str) -> list[Act]:
    """The nomenclatural acts of a normalised text, in order, each mention.

    A wording of two acts (`gen. et sp. nov.`, `new genus and species`) gives both, with the same
    span.
    """
    lowered = _lowered(text)
    acts = [
        act
        for match in _ABBREVIATED.finditer(lowered)
        if _is_abbreviated_act(text, match)
        for act in _abbreviated_acts(text, match)
    ]
    acts += [
        Act(ENGLISH[noun], text[match.start() : match.end()], match.start(), match.end())
        for match in _ENGLISH.finditer(lowered)
        if _is_english_act(lowered, match)
        for noun in (match["noun"], match["more"])
        if noun
    ]
    spans = [span for match in _NEW.finditer(lowered) for span in _beside(lowered, match)]
    spans += [(CHINESE[match["noun"]], *match.span()) for match in _CHINESE.finditer(lowered)]
    spans += [
        (kind, *match.span())
        for kind, pattern in _FURTHER
        for match in pattern.finditer(lowered)
        if not lowered[match.start() - 1 : match.start()].isalnum()
    ]
    acts += [Act(kind, text[start:end], start, end) for kind, start, end in set(spans)]
    return sorted(acts, key=lambda act: (act.start, act.end))


def find_markers(text: str) -> Counter[str]:
    """How often a text has each part of a taxonomic treatment: holotype, type locality, key ...

    The names counted are the keys of `taxocrawl.text.act_words.MARKERS`.
    """
    lowered = "\n" + text.lower()
    counts = {name: sum(map(lowered.count, parts)) for name, parts in MARKERS.items()}
    return Counter({name: count for name, count in counts.items() if count})


def _lowered(text: str) -> str:
    """Lower case, character by character, so that positions stay (`İ` would become two)."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _beside(lowered: str, match: re.Match[str]) -> list[tuple[str, int, int]]:
    """Kind and span of the act that `match`, a word for new, makes with the noun beside it."""
    after = _NOUN_AFTER.match(lowered, match.end())
    before = _NOUN_BEFORE.search(lowered, max(0, match.start() - 22), match.start())
    if after and (kind := _PAIRS.get((match[0], after[1]))):
        return [(kind, match.start(), after.end())]
    if before and (kind := _PAIRS.get((match[0], before[1]))):
        return [(kind, before.start(), match.end())]
    return []


def _abbreviated_acts(text: str, match: re.Match[str]) -> list[Act]:
    qualifier = match["after"] or match["before"]
    parts = _PARTS.findall(match["first"] or match["second"])
    if qualifier.startswith("emend"):
        kinds = [EMENDED]
    elif qualifier.startswith("r"):
        kinds = [REVISED[part] for part in parts if part in REVISED]
    else:
        kinds = [ABBREVIATIONS[part] for part in parts]
    verbatim = text[match.start() : match.end()]
    return [Act(kind, verbatim, match.start(), match.end()) for kind in kinds]


def _is_abbreviated_act(text: str, match: re.Match[str]) -> bool:
    """Whether capitals, full stops and what follows speak for an act, not for a date or number."""
    written = text[match.start() : match.end()]
    subject_first = match["after"] is not None
    qualifier = match["after"] or match["before"]
    following = text[match.end() : match.end() + 8]
    if text[match.start("after" if subject_first else "before")].isupper():
        # `N. sp.` is a species of a genus in N, and `sp. Nov. 2019` one of November.
        heading = written.isupper() or (subject_first and written[0].isupper())
        if not heading or _NUMBER.match(following):
            return False
    if qualifier == "n":
        dotted = written.endswith(".") and "." in written[:-1]
        if (subject_first and not dotted) or (not subject_first and written[1] != "."):
            return False
        if written.rstrip(".")[-1] in "gf" and not _COMPOUND.match(following):
            return False
    return not (_YEAR.match(following) or (subject_first and _NO_QUALIFIER.match(following)))


def _is_english_act(lowered: str, match: re.Match[str]) -> bool:
    """Whether `new species` is one that is described here; the other nouns leave no doubt."""
    if not match["noun"].startswith("species"):
        return True
    before = _BEFORE.search(lowered, max(0, match.start() - 40), match.start())
    if before is None:
        return True
    if before[2] == "of":
        return before[1].startswith(("descri", "diagnos"))
    return (before[2] or before[3]) not in NO_ACT_BEFORE
