"""The authors of a paper: the names printed below its title."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from taxocrawl.documents.pdf_accents import with_accents
from taxocrawl.documents.pdf_lines import rows
from taxocrawl.text.normalise import fold_whitespace, join_hyphenated, normalise_text

if TYPE_CHECKING:
    from taxocrawl.documents.pdf_lines import Line

_NAME = re.compile(
    r"(?:[^\W\d_a-z][\w.'’-]*\.?|de|da|do|dos|del|della|van|von|der|den|la|le|el|di|du|bin|y|e)"
)
_NAME_SPLIT = re.compile(r"\s*(?:,|;|&|\band\b|\bund\b|\bet\b|\|)\s*")
_NAME_MARKS = re.compile(r"[\d*†‡§¶#ª°¹²³⁴-⁹]+|\b[a-f](?=\s*(?:,|;|$))|(?<=[a-z])[,\s]+[a-f]\b")
_NO_NAME = re.compile(
    r"universit|institut|department|museum|abstract|school|college|laborator|herbarium|botanic"
    r"|received|centre|center|faculty|introduction|summary|research|email|journal|australia",
    re.IGNORECASE,
)
_NO_AUTHOR = re.compile(
    r"^(?:unknown|administrator|admin|user|owner|author|lenovo|dell|hp|pc|windows.*|microsoft.*|-)?$",
    re.IGNORECASE,
)
_LABEL = re.compile(r"authors?:?|by", re.IGNORECASE)
_AUTHOR_LINES = 6
_SAME_SIZE = 0.5
"""Points by which the type of author lines may differ."""


def printed_authors(page: list[Line], title: list[Line]) -> tuple[str, ...]:
    """Names from the lines below the title, up to the first that holds something else."""
    if not title:
        return ()
    bottom = min(line.y0 for line in title)
    below = [line for line in page if line.angle == 0 and line.middle < bottom]
    texts: list[str] = []
    size = 0.0
    for row in rows(below)[:_AUTHOR_LINES]:
        text = " ".join(line.text.strip() for line in row)
        if _LABEL.fullmatch(text.strip()):
            continue
        size = size or row[0].size
        if _NO_NAME.search(text) or abs(row[0].size - size) > _SAME_SIZE:
            break
        texts.append(text)
    # A name may go on in the next line, so that only the whole shows whether it is one.
    for count in range(len(texts), 0, -1):
        if names := _names(join_hyphenated("\n".join(texts[:count]))):
            return tuple(dict.fromkeys(names))
    return ()


def _names(text: str) -> list[str]:
    """The personal names that make up a line; empty when it holds anything else."""
    plain = _NAME_MARKS.sub(
        ",", re.sub(r"(?<=\w)- (?=\w)", "-", with_accents(normalise_text(text)))
    )
    names = [fold_whitespace(part).strip(" .,") for part in _NAME_SPLIT.split(plain)]
    names = [name for name in names if name]
    return names if names and all(map(_is_name, names)) else []


def _is_name(name: str) -> bool:
    parts = name.split()
    return (
        2 <= len(parts) <= 6
        and all(_NAME.fullmatch(part) for part in parts)
        and any(len(part) > 2 for part in parts)
    )


def stated_authors(stated: str) -> tuple[str, ...]:
    """Names from a PDF's Info dictionary; none for what a program or a typist left there."""
    if _NO_AUTHOR.match(stated) or " " not in stated.strip():
        return ()
    names = (fold_whitespace(normalise_text(name)) for name in _NAME_SPLIT.split(stated))
    return tuple(name for name in names if name)
