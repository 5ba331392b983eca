"""The exported documents as a bibliography, in BibTeX and RIS.

The records are those of documents.jsonl. Titles and names come from the web: whatever they hold,
one record makes one entry, with balanced braces and one field a line.
"""

from __future__ import annotations

import re
import string
import unicodedata
from itertools import count, product
from typing import TYPE_CHECKING, Any

from taxocrawl.text.doi import normalise_doi
from taxocrawl.text.normalise import fold_whitespace, normalise_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# A brace counts for BibTeX's balance even behind a backslash, so braces are spelled out.
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "$": r"\$",
        "&": r"\&",
        "%": r"\%",
        "#": r"\#",
        "_": r"\_",
    }
)
# BibTeX and biblatex print these two fields as they stand, so they take no LaTeX escapes.
_VERBATIM = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C", " ": "%20"})
_LETTERS = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L", "æ": "ae", "Æ": "Ae"}
    | {"œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th", "ð": "d", "ı": "i"}
)
# "and" divides names, "others" stands for et al., and more than two commas are no name.
_NOT_ONE_NAME = re.compile(r"\band\b|^others$|,.*,.*,", re.IGNORECASE)
_KEY_PART = 24


def bibtex(records: Iterable[Mapping[str, Any]]) -> str:
    """A BibTeX database in UTF-8: `@article` for a document with a DOI, else `@misc`.

    Citation keys are `AuthorYearWord` in ASCII, such as ``Simmons2005Order``. The first document
    with a key has it bare, the next ones get a, b, …: documents that are added later do not
    change the keys of those before them.
    """
    return "\n".join(_bibtex_entry(key, record) for key, record in _with_keys(records))


def ris(records: Iterable[Mapping[str, Any]]) -> str:
    """The same documents in RIS: type JOUR for a document with a DOI, else ELEC."""
    return "".join(_ris_entry(key, record) for key, record in _with_keys(records))


def _bibtex_entry(key: str, record: Mapping[str, Any]) -> str:
    doi, url = _doi(record), _url(record)
    fields = {
        "author": " and ".join(_bibtex_name(name) for name in _authors(record)),
        # The second pair of braces keeps a genus' capital from styles that lower titles.
        "title": f"{{{title.translate(_LATEX)}}}" if (title := _line(record.get("title"))) else "",
        "year": _year(record),
        "doi": doi.translate(_VERBATIM),
        "url": url.translate(_VERBATIM),
        "language": _line(record.get("language")).translate(_LATEX),
        "file": _line(record.get("path")).translate(_VERBATIM),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{'article' if doi else 'misc'}{{{key},", *lines, "}", ""])


def _bibtex_name(name: str) -> str:
    escaped = name.translate(_LATEX)
    return f"{{{escaped}}}" if _NOT_ONE_NAME.search(name) else escaped


def _ris_entry(key: str, record: Mapping[str, Any]) -> str:
    doi = _doi(record)
    tags = [
        ("TY", "JOUR" if doi else "ELEC"),
        ("ID", key),
        *(("AU", name) for name in _authors(record)),
        ("TI", _line(record.get("title"))),
        ("PY", _year(record)),
        ("DO", doi),
        ("UR", _url(record)),
        ("LA", _line(record.get("language"))),
        ("L1", _line(record.get("path"))),
    ]
    lines = [f"{tag}  - {value}\r\n" for tag, value in tags if value]
    return "".join([*lines, "ER  - \r\n", "\r\n"])


def _with_keys(
    records: Iterable[Mapping[str, Any]],
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    taken: set[str] = set()
    untried: dict[str, Iterator[str]] = {}
    for record in records:
        key = _key(record)
        # BibTeX takes keys that differ in case alone for the same key.
        suffixes = untried.setdefault(key.casefold(), _suffixes())
        key = next(key + s for s in suffixes if (key + s).casefold() not in taken)
        taken.add(key.casefold())
        yield key, record


def _suffixes() -> Iterator[str]:
    """Nothing, then a … z, aa, ab, …"""
    for length in count():
        for letters in product(string.ascii_lowercase, repeat=length):
            yield "".join(letters)


def _key(record: Mapping[str, Any]) -> str:
    authors = _authors(record)
    family = _ascii(_family_name(authors[0])) if authors else ""
    words = re.findall("[A-Za-z]+", _ascii_words(_line(record.get("title"))))
    word = next((word for word in words if len(word) > 3), words[0] if words else "")
    word = word or str(record.get("content_hash") or "")[:8]
    parts = (family or "Anon", _year(record) or "nd", _ascii(word).capitalize())
    return "".join(part[:_KEY_PART] for part in parts)


def _family_name(name: str) -> str:
    family, comma, _ = name.partition(",")
    return family if comma else name.split()[-1]


def _ascii_words(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return folded.encode("ascii", "ignore").decode("ascii")


def _ascii(text: str) -> str:
    return re.sub("[^A-Za-z0-9]", "", _ascii_words(text))


def _authors(record: Mapping[str, Any]) -> list[str]:
    return [name for author in record.get("authors") or () if (name := _line(author))]


def _line(value: object) -> str:
    """Text on one line, without control and direction marks."""
    return fold_whitespace(normalise_text(str(value))) if value else ""


def _doi(record: Mapping[str, Any]) -> str:
    return normalise_doi(_line(record.get("doi")))


def _url(record: Mapping[str, Any]) -> str:
    url = _line(record.get("final_url")) or _line(record.get("url"))
    return url if re.match("https?://", url, re.IGNORECASE) else ""


def _year(record: Mapping[str, Any]) -> str:
    year = _line(record.get("year"))
    return year if re.fullmatch("[0-9]{4}", year) else ""
