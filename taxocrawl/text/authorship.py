"""Authorships of scientific names: `(Vahl) Kunth`, `e Souza Júnior & Prado, 1998`.

Read token by token within a fixed window, so that no text takes more than linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from taxocrawl.text.latin import Form, form_of_epithet
from taxocrawl.text.wordlists import word_list

_WINDOW = 600
_LETTERS = r"[^\W\d_]"
_YEAR = r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)(?:[a-z](?![^\W_]))?(?:[-–/]\d\d(?:\d\d)?(?!\d))?\??"
# A word that runs into a number is no name (`DQ210235`), unless into a year (`Temminck1837`).
_WORD = rf"['’]t\b|{_LETTERS}++(?:(?:\.-|[-‐'’`]){_LETTERS}++)*+\.?(?!\d(?!\d\d\d(?!\d)))"
_TOKEN = re.compile(
    rf"(?P<year>{_YEAR})|(?P<word>{_WORD})|(?P<number>\d++)|(?P<mark>[^\s\[\]\"“”])"
)
PARTICLES = word_list("particles.txt")
_CONNECTORS = frozenset({"&", ",", ";", "and", "et", "und", "y", "e", "i"})
_SUFFIXES = frozenset({"f.", "fil.", "fil", "filius", "filho", "jr.", "jr", "sr.", "bis", "pat."})
_SUFFIX_PERSONS = frozenset({"Jr.", "Jr", "Sr.", "Sr", "Júnior", "Junior", "II", "III", "Filho"})
_FIRST_WORD = re.compile(r"[\s\[(]{0,6}('t|[^\W\d_]{1,40}+['’]?)")
_LOWER_WORDS = PARTICLES | _CONNECTORS | _SUFFIXES | {"ex", "in", "apud", "al", "al."}
_NO_AUTHORS = word_list("not_authors.txt")
_GROUP_NAME = re.compile(r"(?:idae|inae|oidea|aceae|ales|ptera|formes|morpha|poda|zoa|phyta)$")
CITED_SINCE = 1960


@dataclass(frozen=True, slots=True)
class Authorship:
    """Who named a taxon and when; `end` is the position in the text after it."""

    authors: tuple[str, ...]
    year: int | None
    bracketed: bool
    end: int
    cited: bool = False
    """Whether it may be a citation of later literature, such as `(Smith et al. 2001)`."""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


def parse_authorship(text: str, start: int) -> Authorship | None:
    """The authorship that begins at `start` (white space and a comma before it are allowed).

    Authors come in order, those of a bracketed original combination first; `ex` joins both teams,
    the work after `in` is left out, and so is `et al.`. The year is the first one given.
    """
    tokens = _tokens(text, start)
    at = 1 if tokens and tokens[0].text == "," else 0
    if at < len(tokens) and tokens[at].text == "(":
        return _bracketed(text, tokens, at + 1)
    return _plain(text, tokens, at)


def authorship_in_prose(text: str, start: int) -> Authorship | None:
    """The authorship that follows a name in running text, or None where it may be anything else.

    Without a year only what is surely one counts: `L.`, other abbreviations, `(Vahl) Kunth`.
    """
    first_word = _FIRST_WORD.match(text, start)
    if first_word is None or not (
        first_word[1][0].isupper() or first_word[1] in PARTICLES or first_word[1][-1] in "'’"
    ):
        return None
    found = parse_authorship(text, start)
    if found is None or found.cited:
        return None
    if found.year is not None or (found.bracketed and len(found.authors) > 1):
        return found
    first = found.authors[0]
    if all(author.endswith(".") for author in found.authors):
        return found
    if found.bracketed or not first.endswith("."):
        return None
    return Authorship((first,), None, bracketed=False, end=text.index(first, start) + len(first))


def _tokens(text: str, start: int) -> list[_Token]:
    """The tokens from `start` on, up to the first word that no authorship contains."""
    tokens: list[_Token] = []
    for match in _TOKEN.finditer(text, start, min(len(text), start + _WINDOW)):
        token = _Token(match.lastgroup or "", match[0], match.start(), match.end())
        tokens.append(token)
        if token.kind == "word" and token.text.islower() and token.text not in _LOWER_WORDS:
            break
    return tokens


def _bracketed(text: str, tokens: list[_Token], at: int) -> Authorship | None:
    original = _plain(text, tokens, at)
    if original is None or any(_GROUP_NAME.search(author) for author in original.authors):
        return None
    at = _index_after(tokens, original.end)
    if at >= len(tokens) or tokens[at].text != ")":
        return None
    inside = text[tokens[0].start : tokens[at].start]
    cited = bool(original.year and original.year >= CITED_SINCE) and (
        "," not in inside or "et al" in inside
    )
    end = tokens[at].end
    combining = _plain(text, tokens, at + 1)
    authors = original.authors
    # Zoology names no combining author and botany no year: capitals after `(X, 1758)` are prose.
    if combining is not None and (combining.year or not original.year):
        authors += combining.authors
        end = combining.end
    return Authorship(authors, original.year, bracketed=True, end=end, cited=cited)


def _plain(text: str, tokens: list[_Token], at: int) -> Authorship | None:
    authors, at = _team(text, tokens, at)
    if not authors:
        return None
    while at + 1 < len(tokens) and tokens[at].text in {"ex", "in", "apud", ":"}:
        others, after = _team(text, tokens, at + 1)
        if not others:
            break
        if tokens[at].text == "ex":
            authors += others
        at = after
    year, after = _year(tokens, at)
    end = tokens[(at if year is None else after) - 1].end
    return Authorship(tuple(authors), year, bracketed=False, end=end)


def _year(tokens: list[_Token], at: int) -> tuple[int | None, int]:
    """The year from token `at` on, and the index of the first token after it and its pages.

    `, 1758`, `1758a`, `(1758)`, `1758: 12-14` and `(1758: 12)`.
    """
    kinds = [token.kind for token in tokens[at : at + 2]]
    bracket = kinds == ["mark", "year"] and tokens[at].text == "("
    if bracket or (kinds == ["mark", "year"] and tokens[at].text in {",", "."}):
        at += 1
    if at >= len(tokens) or tokens[at].kind != "year":
        return None, at
    year = int(tokens[at].text[:4])
    while at < len(tokens) and tokens[at].kind == "year":
        at += 1
    after = at
    if after < len(tokens) and tokens[after].text == ":":
        after += 1
        while after < len(tokens) and (
            tokens[after].kind == "number" or tokens[after].text in "-–,"
        ):
            after += 1
    if bracket:
        closed = after < len(tokens) and tokens[after].text == ")"
        return (year, after + 1) if closed else (None, at)
    return year, after if after < len(tokens) and tokens[after].text == ")" else at


def _team(text: str, tokens: list[_Token], at: int) -> tuple[list[str], int]:
    """The persons from token `at` on, and the index of the first token after them."""
    authors: list[str] = []
    ahead = at
    while True:
        person, after = _person(text, tokens, ahead)
        if person is None:
            break
        _add(authors, person)
        at = ahead = after
        while ahead < len(tokens) and tokens[ahead].text in _CONNECTORS:
            if [token.text for token in tokens[ahead + 1 : ahead + 2]] in (["al."], ["al"]):
                return authors, ahead + 2
            ahead += 1
        if ahead == at:
            break
    return authors, at


def _add(authors: list[str], person: str) -> None:
    """Add a person, or what a comma divided from the one before: `Thomas, O.`, `Smith, Jr.`."""
    initials = all(len(part) == 1 for part in re.split(r"[.\s-]+", person.rstrip(".")))
    if authors and person in _SUFFIX_PERSONS:
        authors[-1] += f" {person}"
    elif authors and initials and len(authors[-1]) > 4 and not authors[-1].endswith("."):
        authors[-1] = f"{person} {authors[-1]}"
    else:
        authors.append(person)


def _person(text: str, tokens: list[_Token], at: int) -> tuple[str | None, int]:
    first, named = at, False
    while at < len(tokens) and at - first < 8:
        token = tokens[at]
        if _is_name(token) and not _begins_a_name(text, tokens, at):
            named = True
        elif not (named and _is_suffix(tokens, at)) and not _leads_on(tokens, at, named):
            break
        at += 1
    if not named:
        return None, first
    words = text[tokens[first].start : tokens[at - 1].end].split()
    return " ".join(_recased(word) for word in words), at


def _is_name(token: _Token) -> bool:
    if token.kind != "word" or token.text.rstrip(".") in _NO_AUTHORS:
        return False
    initial, _, rest = token.text.replace("’", "'").partition("'")
    return initial[:1].isupper() or (len(initial) <= 4 and rest[:1].isupper())


def _begins_a_name(text: str, tokens: list[_Token], at: int) -> bool:
    """Whether a capital is the genus of the next name (`P. rubricaulis Kunth`, then `P. alba`)."""
    token, following = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
    if following is None or following.kind != "word" or not following.text[0].islower():
        return False
    if len(token.text) > 2 and text[token.start - 1] != "\n":
        return False
    word = following.text.rstrip(".")
    return word in {"sp", "spp"} or form_of_epithet(word) is Form.LATIN


def _is_suffix(tokens: list[_Token], at: int) -> bool:
    if tokens[at].text not in _SUFFIXES:
        return False
    if tokens[at].text != "f." or at + 1 == len(tokens):
        return True
    # `L. f. minor` is a form, not the son of Linnaeus.
    following = tokens[at + 1]
    return following.kind != "word" or not following.text[0].islower() or (
        following.text in _CONNECTORS or following.text in {"ex", "in"}
    )  # fmt: skip


def _leads_on(tokens: list[_Token], at: int, named: bool) -> bool:
    """Whether token `at` is a particle with the name it belongs to after it."""
    if tokens[at].text not in PARTICLES or (named and tokens[at].text in _CONNECTORS | {"in"}):
        return False
    ahead = at + 1
    while ahead < len(tokens) and ahead - at < 4 and tokens[ahead].text in PARTICLES:
        ahead += 1
    return ahead < len(tokens) and _is_name(tokens[ahead])


def _recased(word: str) -> str:
    """`LINNAEUS` as `Linnaeus`; initials and `DC.` stay."""
    letters = sum(char.isalpha() for char in word)
    return word.title() if letters > 3 and word.isupper() and "." not in word[:-1] else word


def _index_after(tokens: list[_Token], end: int) -> int:
    return next((i for i, token in enumerate(tokens) if token.start >= end), len(tokens))
