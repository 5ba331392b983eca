"""What a page says of its article: Highwire, Dublin Core, PRISM and JSON-LD, in this order."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from taxocrawl.text.normalise import normalise_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TITLE = ("citation_title", "dc.title", "dcterms.title", "bepress_citation_title", "eprints.title")
_AUTHOR = (
    "citation_author",
    "bepress_citation_author",
    "eprints.creators_name",
    "dc.creator",
    "dcterms.creator",
    "dc.contributor",
)
_AUTHOR_LIST = ("citation_authors",)
_DATE = (
    "citation_publication_date",
    "citation_date",
    "citation_year",
    "citation_cover_date",
    "citation_online_date",
    "bepress_citation_date",
    "eprints.date",
    "prism.publicationdate",
    "dc.date",
    "dc.date.issued",
    "dcterms.issued",
    "dcterms.date",
    "article:published_time",
)
_DOI = (
    "citation_doi",
    "bepress_citation_doi",
    "prism.doi",
    "doi",
    "dc.identifier.doi",
    "eprints.doi",
)
_IDENTIFIER = ("dc.identifier", "dcterms.identifier")
_PDF = ("citation_pdf_url", "bepress_citation_pdf_url", "eprints.document_url")
_LANGUAGE = ("citation_language", "dc.language", "content-language", "og:locale")
_MAX_AUTHORS = 500
_MAX_JSON_LD_NODES = 2000

_DOI_PREFIX = re.compile(
    r"(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|info:doi/|urn:doi:|doi:?\s*)+", re.IGNORECASE
)
_DOI_FORM = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_ARTICLE_TYPE = re.compile(
    r"(?:Scholarly|Medical\w*|Tech|News)?Article$|^Report$|^Thesis$|^Book$|^Chapter$"
)

# ISO 639-2 codes seen in citation_language and dc.language, and their two-letter forms.
_TWO_LETTERS = {
    "ara": "ar", "bul": "bg", "cat": "ca", "ces": "cs", "chi": "zh", "cze": "cs", "dan": "da",
    "deu": "de", "dut": "nl", "ell": "el", "eng": "en", "est": "et", "fin": "fi", "fra": "fr",
    "fre": "fr", "ger": "de", "gre": "el", "hin": "hi", "hrv": "hr", "hun": "hu", "ind": "id",
    "ita": "it", "jpn": "ja", "kor": "ko", "lat": "la", "lav": "lv", "lit": "lt", "may": "ms",
    "msa": "ms", "nld": "nl", "nor": "no", "per": "fa", "fas": "fa", "pol": "pl", "por": "pt",
    "ron": "ro", "rum": "ro", "rus": "ru", "slk": "sk", "slo": "sk", "slv": "sl", "spa": "es",
    "srp": "sr", "swe": "sv", "tha": "th", "tur": "tr", "ukr": "uk", "vie": "vi", "zho": "zh",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bibliographic:
    """The article's data as its page states them; empty where it does not."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str = ""
    pdf_url: str = ""
    """As written: maybe relative."""
    language: str = ""


def bibliographic(metas: Sequence[tuple[str, str]], json_ld: Sequence[str] = ()) -> Bibliographic:
    """Read meta elements (lower-case name, content) and JSON-LD scripts of a page.

    The first vocabulary that has a value wins, field by field. Authors keep their order and the
    form in which they are written ("Last, First" stays one author).
    """
    named: dict[str, list[str]] = {}
    for name, content in metas:
        value = _line(content)
        if value:
            named.setdefault(name.replace("dc:", "dc.", 1), []).append(value)
    article = _article(json_ld)
    return Bibliographic(
        title=_first(named, _TITLE) or _text(article.get("headline") or article.get("name")),
        authors=_authors(named) or _json_authors(article.get("author") or article.get("creator")),
        year=_year(_first(named, _DATE) or _text(article.get("datePublished"))),
        doi=_doi(named, article),
        pdf_url=_first(named, _PDF) or _json_pdf(article),
        language=language_code(_first(named, _LANGUAGE)),
    )


def bare_doi(value: str) -> str:
    """A DOI without resolver or label, lower case; empty when the value is none."""
    value = value.strip()
    prefix = _DOI_PREFIX.match(value)
    if prefix:
        value = value[prefix.end() :]
        value = unquote(value) if "/" in prefix[0] else value
    match = _DOI_FORM.match(value.strip())
    return match[0].rstrip(".,;").lower() if match else ""


def language_code(value: str) -> str:
    """The ISO 639-1 code of a language tag such as ``en-GB``, ``pt_BR`` or ``eng``; else empty."""
    primary = re.split(r"[-_,;\s]", value.strip().lower(), maxsplit=1)[0]
    if len(primary) == 2 and primary.isascii() and primary.isalpha():
        return primary
    return _TWO_LETTERS.get(primary, "")


def _line(value: str) -> str:
    return " ".join(normalise_text(value).split())


def _first(named: dict[str, list[str]], names: Sequence[str]) -> str:
    return next((named[name][0] for name in names if name in named), "")


def _authors(named: dict[str, list[str]]) -> tuple[str, ...]:
    for name in (*_AUTHOR[:1], *_AUTHOR_LIST, *_AUTHOR[1:]):
        values = named.get(name)
        if not values:
            continue
        if name in _AUTHOR_LIST or (len(values) == 1 and ";" in values[0]):
            values = [part for value in values for part in value.split(";")]
        unique = dict.fromkeys(value.strip(" ;,") for value in values[:_MAX_AUTHORS])
        return tuple(author for author in unique if author)
    return ()


def _year(date: str) -> int | None:
    match = _YEAR.search(date)
    return int(match[1]) if match else None


def _doi(named: dict[str, list[str]], article: dict[str, Any]) -> str:
    stated = [value for name in (*_DOI, *_IDENTIFIER) for value in named.get(name, ())]
    identifiers = article.get("identifier")
    for item in identifiers if isinstance(identifiers, list) else [identifiers]:
        stated += [_text(item.get("value") if isinstance(item, dict) else item)]
    stated += [_text(article.get("@id")), _text(article.get("sameAs"))]
    return next(filter(None, map(bare_doi, stated)), "")


def _article(scripts: Sequence[str]) -> dict[str, Any]:
    """The first JSON-LD object whose type is an article; empty when there is none."""
    for script in scripts:
        if "Article" not in script and "Thesis" not in script and "Report" not in script:
            continue
        try:
            data = json.loads(script)
        except (ValueError, RecursionError):
            continue
        for node in _nodes(data):
            types = node.get("@type")
            if any(
                _ARTICLE_TYPE.search(_text(t))
                for t in (types if isinstance(types, list) else [types])
            ):
                return node
    return {}


def _nodes(data: Any) -> Iterator[dict[str, Any]]:
    """The objects of a JSON-LD document, outer before inner."""
    queue = [data]
    for index, node in enumerate(queue):
        if index > _MAX_JSON_LD_NODES:
            return
        if isinstance(node, list):
            queue += node[:_MAX_JSON_LD_NODES]
        elif isinstance(node, dict):
            yield node
            queue += [node[key] for key in ("@graph", "mainEntity") if key in node]


def _text(value: Any) -> str:
    return _line(value) if isinstance(value, str) else ""


def _json_authors(value: Any) -> tuple[str, ...]:
    people = value if isinstance(value, list) else [value]
    names = (
        _text(p.get("name")) if isinstance(p, dict) else _text(p) for p in people[:_MAX_AUTHORS]
    )
    return tuple(dict.fromkeys(filter(None, names)))


def _json_pdf(article: dict[str, Any]) -> str:
    encodings = article.get("encoding") or article.get("associatedMedia")
    for item in encodings if isinstance(encodings, list) else [encodings]:
        if isinstance(item, dict) and "pdf" in _text(item.get("encodingFormat")).lower():
            return _text(item.get("contentUrl"))
    return ""
