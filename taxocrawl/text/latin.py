"""Which words look like the parts of scientific names, and which only look so."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache

from taxocrawl.text.wordlists import word_list

_GENUS_NO = re.compile(
    r"(?:ing|ed|ly|tion|sion|ment|ness|ity|ght|ck|sh|th|ive|[ai]ble|(?<!z)ous|ful|ism|ist|ology|ography"
    r"|(?<!ie)(?<!pe)ns|[bcdfgklmrtvw]s|[^aeo]al|ial|ical|[a-z]{3}an|ese|[ai][nd]ae|aceae|iformes|-like|-type)$"
)
_GENUS_LATIN = re.compile(
    r"(?:a|us|is|um|es|os|as|on|ops|ips|aps|eps|x|ys|er|or|en|an|in|o|e|i|iens|ens|ans|ns|au|ur|ar|yn|ot)$"
)
_EPITHET_LATIN = re.compile(
    r"(?:us|a|um|is|i|ae|ensis|ense|estre|orum|arum|ens|ans|x|as|os|ceps|eps|frons|gaster|venter|[a-z]{2}i[fg]er|[a-z]{2}color"
    r"|oides|odon|pogon|troglodytes|[^y]pes|ops|major|minor|ys)$|^(?:ater|niger|ruber|macer|asper|glaber|pulcher)$"
)
_EPITHET_ENGLISH = re.compile(
    r"(?:ing|ed|ly|tion|tions|sion|ment|ments|ness|ity|ous|ives?|[ai]ble|ful|less|ship|[ae]nces?|ism|isms"
    r"|ists?|ics|ical|[^o]gy|phy|ies|ders?|[bdklmnpt]ers|ors|[ae]ys?|ght|ths?|[sc]h|ck|eans|[aeio]ids?"
    r"|logenes|lysis|thesis|nesis|osis|stasis|itis|taxis|[lntr]esis|xes|sses|ts|ks|ds|gs|ls|rs|ms"
    r"|ians|apse|ee|w|q|v)$"
)
_INFRA_LATIN = re.compile(r"(?:us|a|um|is|i|ae|ensis|ense|orum|arum|oides|color)$")


class Form(IntEnum):
    """How much a word looks like part of a scientific name, from not at all to very much."""

    NEVER = 0
    """A function word, a place, or a mark of open nomenclature such as `sp` and `cf`."""
    COMMON = 1
    """English by list or ending; part of a name only where an authorship or act says so."""
    PLAIN = 2
    """Neither English nor Latin in form: `leo`, `rerio`, `demo`."""
    LATIN = 3


@lru_cache(maxsize=20_000)
def form_of_genus(word: str) -> Form:
    """What the form of a capitalised word says for its being a genus."""
    if word.lower() in word_list("not_genera.txt"):
        return Form.NEVER
    if _GENUS_NO.search(word) or not _GENUS_LATIN.search(word):
        return Form.COMMON
    return Form.LATIN


@lru_cache(maxsize=20_000)
def form_of_epithet(word: str) -> Form:
    """What the form of a lower-case word says for its being an epithet."""
    if len(word) < 2 or word in word_list("never_epithets.txt"):
        return Form.NEVER
    if word in word_list("rarely_epithets.txt") or _EPITHET_ENGLISH.search(word):
        return Form.COMMON
    return Form.LATIN if len(word) > 2 and _EPITHET_LATIN.search(word) else Form.PLAIN


def like_infraspecific(word: str) -> bool:
    """Whether a lower-case word after a binomial is an epithet; stricter, since prose goes on."""
    if len(word) < 4 or form_of_epithet(word) is not Form.LATIN:
        return False
    return _INFRA_LATIN.search(word) is not None
