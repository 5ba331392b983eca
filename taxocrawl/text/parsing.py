"""One scientific name: its parts, its authorship, and what a whole string is."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from taxocrawl.text.authorship import Authorship, authorship_in_prose, parse_authorship
from taxocrawl.text.latin import Form, form_of_epithet, form_of_genus, like_infraspecific
from taxocrawl.text.wordlists import word_list

UPPER = "A-ZÀÄÅÆÉÖØŒÜ"
_LOWER = "a-zàáâãäåæçèéêëíîïñóôõöøùúûüœ"
GENUS_REST = rf"[{_LOWER}]{{1,40}}+(?:-[{_LOWER}]{{2,20}}+)?"
_EPITHET = rf"(?:[a-z]-)?[{_LOWER}]{{2,40}}+(?:-[{_LOWER}]{{1,30}}+){{0,2}}"
GAP = r"(?:[ \t]{1,4}\n?[ \t]{0,4}|\n[ \t]{0,4})"
_RANKS = {
    "subsp": "subspecies",
    "ssp": "subspecies",
    "var": "variety",
    "subvar": "subvariety",
    "f": "form",
    "fo": "form",
    "forma": "form",
    "ab": "aberration",
    "convar": "convariety",
}
_GROUP_RANKS = {
    "idae": "family",
    "aceae": "family",
    "inae": "subfamily",
    "oideae": "subfamily",
    "oidea": "superfamily",
    "ini": "tribe",
    "eae": "tribe",
    "iformes": "order",
    "ales": "order",
}
# A pattern that begins with a set of letters is searched three times as fast as one that begins
# with a look-behind, so the look-behinds stand after the first letter.
_GENUS_START = rf"[{UPPER}](?<![\w'’].)"
FULL = re.compile(
    rf"(?P<genus>{_GENUS_START}{GENUS_REST})(?:{GAP}?\((?P<subgenus>[{UPPER}]{GENUS_REST})\))?"
    rf"{GAP}(?P<cross>×[ ]?|x[ ])?(?P<epithet>{_EPITHET})(?![\w@])"
)
SHORT = re.compile(
    rf"(?P<genus>{_GENUS_START}(?<!\..)(?<![{UPPER}]\.[ ].)[{_LOWER}]?)\.[ \n]{{0,2}}"
    rf"(?P<epithet>{_EPITHET})(?![\w@])"
)
# A cross between two names (`Lepus europaeus x Lepus timidus`) belongs to neither.
_GRAFT_BEFORE = re.compile(r"(?:×|(?:^|[.,;:(\n]\s?)[×x]\s)$")
_INFRASPECIFIC = re.compile(
    rf"{GAP}?(?:(?P<rank>{'|'.join(_RANKS)})(?:\.[ \t\n]{{0,4}}|{GAP})|(?<=\s))"
    rf"(?P<epithet>{_EPITHET})(?![\w@])"
)
_UNINOMIAL = re.compile(rf"(?P<genus>[{UPPER}]{GENUS_REST})(?![\w@.])")
_OPEN_AFTER = re.compile(r"\s?\?|\.?\s?(?:cf|aff|nr)\b")
_BEFORE_NAME = re.compile(r"\s*(?:×\s*|x\s+)?")
_CROSS = re.compile(r"\s[x×]\s?")
NO_GENUS = word_list("not_abbreviated_genera.txt")


@dataclass(frozen=True, slots=True)
class ScientificName:
    """One name in a text, from character `start` to `end`, authorship included."""

    verbatim: str
    canonical: str
    """Genus spelled out where it is known, without authorship, subgenus and rank marks.

    A hybrid's cross is written ``x``.
    """
    rank: str
    """species, subspecies, variety, form ...; of a uninomial genus, family ..."""
    authors: tuple[str, ...]
    year: int | None
    bracketed: bool
    """Whether the original authorship is in brackets (it was described in another genus)."""
    hybrid: bool
    start: int
    end: int


def parse_name(text: str) -> ScientificName | None:
    """The one name that a string is, with its authorship; None when it names no taxon.

    More may follow it (`comb. nov.`, a page), which is left out. Open nomenclature, words of
    prose and an empty string give None. A uninomial counts when nothing but its authorship follows.
    The hybrid formula of two names is one name.
    """
    before = _BEFORE_NAME.match(text)
    name = _name_at(text, before.end() if before else 0)
    cross = _CROSS.match(text, name.end) if name else None
    other = _name_at(text, cross.end()) if cross else None
    if name is None or other is None:
        return name
    canonical = f"{name.canonical} x {other.canonical.removeprefix('x ')}"
    verbatim = text[name.start : other.end]
    return replace(name, verbatim=verbatim, canonical=canonical, hybrid=True, end=other.end)


def _name_at(text: str, start: int) -> ScientificName | None:
    match = FULL.match(text, start) or SHORT.match(text, start)
    if match is None:
        return _uninomial(text, start)
    genus = match["genus"]
    if genus in NO_GENUS or not form_of_genus(genus):
        return None
    if not form_of_epithet(match["epithet"]) or _OPEN_AFTER.match(text, match.end("epithet")):
        return None
    return complete_name(text, match, prose=False)


def complete_name(text: str, match: re.Match[str], *, prose: bool) -> ScientificName:
    """The name whose genus and species `match` found, with what belongs to it after them."""
    groups = match.groupdict()
    genus = groups["genus"] + ("" if match.re is FULL else ".")
    parts = [genus, *(["x"] if groups.get("cross") else []), groups["epithet"]]
    rank, end = "species", match.end("epithet")
    authorship: Authorship | None = None
    while True:
        # After an authorship only a ranked epithet goes on: `Aus bus L. var. cus Willd.`.
        infra = _INFRASPECIFIC.match(text, end)
        if infra and _is_infraspecific(infra, parts, prose=prose, after_author=bool(authorship)):
            rank = _RANKS[infra["rank"]] if infra["rank"] else "subspecies"
            parts.append(infra["epithet"])
            end, authorship = infra.end("epithet"), None
            continue
        following = (authorship_in_prose if prose else parse_authorship)(text, end)
        if authorship or following is None:
            break
        authorship, end = following, following.end
    graft = _GRAFT_BEFORE.search(text, max(0, match.start() - 4), match.start())
    start = graft.start() if graft else match.start()
    return ScientificName(
        verbatim=text[start:end],
        canonical=" ".join((["x"] if graft else []) + parts),
        rank=rank,
        authors=authorship.authors if authorship else (),
        year=authorship.year if authorship else None,
        bracketed=bool(authorship and authorship.bracketed),
        hybrid=bool(graft or groups.get("cross")),
        start=start,
        end=end,
    )


def _is_infraspecific(
    match: re.Match[str], parts: list[str], *, prose: bool, after_author: bool
) -> bool:
    """Whether a word after the parts of a name is one more of them."""
    epithet = match["epithet"]
    if match["rank"]:
        return form_of_epithet(epithet) > Form.NEVER
    if after_author or len(parts) > 2 + ("x" in parts):
        return False
    if not prose or epithet == parts[-1]:
        return form_of_epithet(epithet) > Form.NEVER
    return like_infraspecific(epithet)


def _uninomial(text: str, start: int) -> ScientificName | None:
    match = _UNINOMIAL.match(text, start)
    if match is None or not form_of_genus(match["genus"]):
        return None
    genus, end = match["genus"], match.end()
    authorship = parse_authorship(text, end)
    if authorship:
        end = authorship.end
    if text[end:].strip(" \t\n.,;"):
        return None
    rank = next((rank for ending, rank in _GROUP_RANKS.items() if genus.endswith(ending)), "genus")
    return ScientificName(
        verbatim=text[start:end],
        canonical=genus,
        rank=rank,
        authors=authorship.authors if authorship else (),
        year=authorship.year if authorship else None,
        bracketed=bool(authorship and authorship.bracketed),
        hybrid=False,
        start=start,
        end=end,
    )
