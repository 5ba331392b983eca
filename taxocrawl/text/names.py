"""Scientific names found in running text.

Binomials and trinomials with or without authorship, hybrids and abbreviated genera. A name in open
nomenclature (`Myotis sp.`, `Helicella nr. demo`) names no species and is left out.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from taxocrawl.text.authorship import CITED_SINCE
from taxocrawl.text.latin import Form, form_of_epithet, form_of_genus
from taxocrawl.text.parsing import (
    FULL,
    GAP,
    GENUS_REST,
    NO_GENUS,
    SHORT,
    UPPER,
    ScientificName,
    complete_name,
    parse_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ScientificName", "find_names", "parse_name"]

_GENUS_MENTION = re.compile(
    rf"[Gg](?:en(?:us|era|re)|énero|ênero|attung){GAP}(?P<genus>[{UPPER}]{GENUS_REST})"
)
_OPEN_BEFORE = re.compile(r"\b(?:cf|aff|nr|near|prope)\.?\s$")
_ACT_AFTER = re.compile(
    r"[\s,]{1,3}(?:(?:n|nov|spp?|gen|comb|stat|nom|subsp)\.\s?(?:n|nov|sp|spec|rev|et)\b)"
)


@dataclass(frozen=True, slots=True)
class _Sight:
    """A candidate, and the evidence for it."""

    name: ScientificName
    genus: str
    epithet: str
    form: Form
    vouched: bool
    """Whether an authorship with a year or a nomenclatural act follows."""

    @property
    def key(self) -> tuple[str, str]:
        return self.genus[0], self.epithet

    @property
    def sure(self) -> bool:
        return self.vouched or self.form is Form.LATIN or self.genus.lower() == self.epithet


def find_names(text: str) -> list[ScientificName]:
    """The species and infraspecific names of a normalised text, in order, each occurrence.

    A name counts where genus and epithet look Latin, or where an authorship with a year or a
    nomenclatural act vouches for it, there or elsewhere in the text; one that looks neither Latin
    nor English also where the text has it both in full and with abbreviated genus. The genus of
    `P. hypomelanus` is the last one before it that carried this epithet, else the last one before
    it that begins so; where there is none the name stays abbreviated.
    """
    matches = list(FULL.finditer(text))
    full = [sight for match in matches if (sight := _full_sight(text, match))]
    short = [sight for match in SHORT.finditer(text) if (sight := _short_sight(text, match))]
    vouched = {sight.key for sight in (*full, *short) if sight.vouched}
    both = {s.key for s in full if s.form > Form.COMMON} & {s.key for s in short}
    kept = [s for s in (*full, *short) if s.sure or s.key in vouched or s.key in both]
    kept.sort(key=lambda sight: sight.name.start)
    return _with_genera(kept, _genus_mentions(text, matches) if short else [])


def _full_sight(text: str, match: re.Match[str]) -> _Sight | None:
    genus, epithet = match["genus"], match["epithet"]
    forms = form_of_genus(genus), form_of_epithet(epithet)
    form = min(forms)
    if not form or forms == (Form.COMMON, Form.COMMON):
        return None
    if _OPEN_BEFORE.search(text, max(0, match.start() - 7), match.start()):
        return None
    return _sight(text, match, form)


def _short_sight(text: str, match: re.Match[str]) -> _Sight | None:
    form = form_of_epithet(match["epithet"])
    return _sight(text, match, form) if form and match["genus"] not in NO_GENUS else None


def _sight(text: str, match: re.Match[str], form: Form) -> _Sight:
    name = complete_name(text, match, prose=True)
    vouched = _ACT_AFTER.match(text, match.end()) is not None or _is_authority(name, form)
    return _Sight(name, match["genus"], match["epithet"], form, vouched)


def _is_authority(name: ScientificName, form: Form) -> bool:
    """Whether the authorship of a candidate is one for sure, and no citation or grant number."""
    if name.year is None or name.year < CITED_SINCE or form is Form.LATIN:
        return name.year is not None
    return "," in name.verbatim and not (form is Form.COMMON and name.bracketed)


def _genus_mentions(text: str, matches: Iterable[re.Match[str]]) -> list[tuple[int, str]]:
    """Where a text names a genus alone, by the words around it (`genus Aus`, `Aus sp.`)."""
    alone = (match for match in matches if match["epithet"] in {"sp", "spp", "gen", "n"})
    found = [(m.start("genus"), m["genus"]) for m in (*_GENUS_MENTION.finditer(text), *alone)]
    return sorted((start, genus) for start, genus in found if form_of_genus(genus) is Form.LATIN)


def _with_genera(sights: Iterable[_Sight], mentions: list[tuple[int, str]]) -> list[ScientificName]:
    """The names, abbreviated genera spelled out by the genera before them."""
    last: dict[str, str] = {}
    carried: dict[tuple[str, str], str] = {}
    names: list[ScientificName] = []
    waiting = iter([*mentions, (sys.maxsize, "")])
    position, mentioned = next(waiting)
    for sight in sights:
        while position < sight.name.start:
            last.update(dict.fromkeys((mentioned[:1], mentioned[:2]), mentioned))
            position, mentioned = next(waiting)
        name = sight.name
        if len(sight.genus) > 2:
            for short in (sight.genus[:1], sight.genus[:2]):
                last[short] = sight.genus
                carried[short, sight.epithet] = sight.genus
        elif genus := carried.get((sight.genus, sight.epithet)) or last.get(sight.genus):
            rest = name.canonical.split(" ", 1)[1]
            name = replace(name, canonical=f"{genus} {rest}")
        names.append(name)
    return names
