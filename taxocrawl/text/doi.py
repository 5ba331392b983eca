"""DOIs: found in text, read from URLs, brought to one spelling."""

from __future__ import annotations

import html
import re
from urllib.parse import quote, unquote

from taxocrawl.text.normalise import normalise_text

_PREFIX = r"10\.\d{4,9}(?:\.\d{1,9}){0,4}"
# Printable ASCII without quotes, braces, bars and carets, with the hyphens that typesetting makes.
_CANDIDATE = re.compile(rf"{_PREFIX}(?:/|%2[fF])[!#-\[\]_a-z~\u2010\u2011\u2013\u2212]{{1,400}}")
_NEXT = re.compile(r"[,;]?(?:https?:|doi:)|[,;]10\.\d{4,9}/", re.IGNORECASE)
_DASHES = str.maketrans("\u2010\u2011\u2013\u2212", "----")
# The only `<...>` that belongs to a DOI is that of a SICI: `<118::AID-DEMO2>3.0.CO;2-G`.
_SICI_ANGLES = re.compile(r"<[^<>\s]{0,60}:[^<>\s]{0,60}>(?=\d\.\d)")
_QUERY = re.compile(r"[?#]|&(?:amp;)?\w{1,40}=|;[a-z_]{2,40}=", re.IGNORECASE)
_PAGE = re.compile(
    r"""(?: /(?:abstract|abs|full|fulltext|pdf|epdf|pdfplus|pdfdirect|epub|html?|xml|summary|meta|
               references|citedby|citations?|metrics|figures|tables|powerpoint|originalimage|largerimage|issuetoc|download|
               supplementary-material|supplemental|standard|related|asset/.*|suppl_file/.*)
          | \.(?:pdf|epdf|full|abstract|html?|xml|short|full-text|long) )+ $""",
    re.VERBOSE,
)
_PREPRINT_VERSION = re.compile(r"(?<=\d{6})v\d{1,2}$")
_ARTICLE_NUMBER = re.compile(r"(?<=[a-z]\d{3})/\d{5,9}$|(?<=\d{4})/\d{5,9}$")
_END = re.compile(r"[^!#-\[\]_a-z~]")
_CLOSING = {")": "(", "]": "[", ">": "<"}
_TRAILING = ".,;:!?'*&/-_"


def find_dois(text: str) -> list[str]:
    """The DOIs of a text, normalised, each once, in order of appearance.

    Works on plain text and on HTML source (``&lt;``, a tag after the DOI).
    """
    found: dict[str, None] = {}
    for start, candidate in _candidates(text):
        before = text[max(0, start - 3) : start]
        if (before[-1:].isalnum() or before[-1:] == ".") and before.lower() != "doi":
            continue
        if doi := _clean(candidate):
            found[doi] = None
    return list(found)


def normalise_doi(text: str) -> str:
    """The DOI in a string, in the one spelling used here; empty when there is none.

    Lower case, without resolver, `doi:`, HTML entities, percent encoding, query, the sentence's
    punctuation or a publisher's page name (`/abstract`, `/pdf`). Brackets stay when they are
    balanced. Applying it twice gives the same as once.
    """
    dois = find_dois(_unquote(normalise_text(text)))
    return dois[0] if dois else ""


def doi_from_url(url: str) -> str:
    """The normalised DOI that a URL names in its path or query; empty when it names none."""
    doi = normalise_doi(url)
    if "/doi/" in url and "article" in url:
        # OUP writes /article/doi/<DOI>/<its own number>.
        return _ARTICLE_NUMBER.sub("", doi)
    return doi


def doi_url(doi: str) -> str:
    """The address of a DOI at doi.org, percent-encoded where RFC 3986 asks for it (`<` as %3C).

    Raises ValueError for a string that is no DOI.
    """
    normalised = normalise_doi(doi)
    if not normalised:
        raise ValueError(f"expected a DOI (10.<number>/<name>), not {doi!r}")
    return "https://doi.org/" + quote(normalised, safe="/:;()!$'*+,=@&~")


def _candidates(text: str) -> list[tuple[int, str]]:
    candidates: list[tuple[int, str]] = []
    match = _CANDIDATE.search(text)
    while match:
        candidate = match[0]
        following = _NEXT.search(candidate)
        end = following.start() if following else len(candidate)
        candidates.append((match.start(), candidate[:end]))
        match = _CANDIDATE.search(text, match.start() + max(end, 1))
    return candidates


def _unquote(text: str) -> str:
    # Links are sometimes encoded twice (%252F).
    for _ in range(3):
        if "%" not in text:
            break
        text = unquote(text, errors="replace")
    return text


def _clean(candidate: str) -> str:
    """The DOI at the start of a run of characters, or an empty string."""
    doi = html.unescape(html.unescape(_unquote(candidate))).translate(_DASHES)
    doi = _cut_at_tag(_END.split(normalise_text(doi), maxsplit=1)[0])
    if query := _QUERY.search(doi):
        doi = doi[: query.start()]
    doi = doi.lower()
    previous = None
    while doi != previous:
        previous = doi
        doi = _PAGE.sub("", _trim(doi))
    if doi.startswith("10.1101/"):
        doi = _PREPRINT_VERSION.sub("", doi)
    return doi if re.match(rf"{_PREFIX}/.", doi) else ""


def _cut_at_tag(doi: str) -> str:
    """The string up to its first angle bracket that is not a SICI's."""
    kept = 0
    for match in re.finditer("[<>]", doi):
        if match.start() < kept:
            continue
        sici = _SICI_ANGLES.match(doi, match.start())
        if sici is None:
            return doi[: match.start()]
        kept = sici.end()
    return doi


def _trim(doi: str) -> str:
    """The string without the marks after it; a closing bracket goes when it opened nowhere."""
    while doi:
        last = doi[-1]
        unopened = last in _CLOSING and doi.count(last) > doi.count(_CLOSING[last])
        if last not in _TRAILING and not unopened and last not in _CLOSING.values():
            break
        doi = doi[:-1]
    return doi
