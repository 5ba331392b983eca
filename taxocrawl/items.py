"""The few nouns that every room shares."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from taxocrawl.documents.duplicates import Fingerprint


UNCHANGED = "unchanged"
"""Reason of a second download whose text is the one that was had before."""
NOT_MODIFIED = "not modified"
"""Reason of a conditional request that was answered with status 304."""


class Kind(StrEnum):
    """What a download really is, decided by its bytes first."""

    HTML = "html"
    PDF = "pdf"
    TEXT = "text"
    OTHER = "other"


class Category(StrEnum):
    """The classifier's two categories (KU 3.1)."""

    TAXONOMIC = "taxonomic"
    NON_TAXONOMIC = "non-taxonomic"


@dataclass(frozen=True, slots=True)
class Outlink:
    """A link of a page, absolute and without fragment, with what stands around it."""

    url: str
    anchor: str = ""
    context: str = ""
    """Text near the link in reading order, the anchor included."""
    nofollow: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """What extraction made of one download: its text, metadata and outlinks.

    A document without usable text has a `reason` (see docs/reasons.md) and may still have text
    that was recovered before extraction failed; it is then flagged ``partial``.
    """

    kind: Kind
    text: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str = ""
    language: str = ""
    """ISO 639-1 code, empty when unknown."""
    keywords: str = ""
    description: str = ""
    canonical_url: str = ""
    pdf_url: str = ""
    """Absolute `citation_pdf_url` of a landing page."""
    outlinks: tuple[Outlink, ...] = ()
    dropped_links: Mapping[str, int] = field(default_factory=dict)
    """Number of links left out by reason, such as ``scheme mailto``."""
    image_text: str = ""
    """Titles and alternative texts of a page's images, one a line."""
    noindex: bool = False
    nofollow: bool = False
    pages: int | None = None
    flags: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """A classifier's answer for one document."""

    category: Category
    confidence: float
    """In [0.5, 1]: how sure the classifier is of `category`."""
    model: str = ""
    """Name and version of the model that decided."""

    @property
    def taxonomic(self) -> bool:
        return self.category is Category.TAXONOMIC


def is_passed(record: Mapping[str, Any]) -> bool:
    """Whether the download of a fetch record went through the page filter.

    In a run without a filter, whose records have no category, what was exported did.
    """
    category = record.get("category")
    if category:
        return bool(category == Category.TAXONOMIC)
    return record.get("reason") in ("", "duplicate", "noindex")


def is_unchanged(record: Mapping[str, Any]) -> bool:
    """Whether a fetch record is of a second download that found nothing new."""
    return record.get("reason") in (UNCHANGED, NOT_MODIFIED)


@dataclass(slots=True)
class Page:
    """One settled download on its way through the item pipelines.

    Also stands for downloads that failed: then `reason` says why and `document` may be None.
    """

    entry_id: int
    url: str
    final_url: str
    fetched_at: float
    """Seconds since the epoch, UTC."""
    status: int = 0
    """HTTP status; 0 when there was no answer."""
    body: bytes = b""
    etag: str = ""
    last_modified: str = ""
    document: Document | None = None
    decision: Decision | None = None
    passed: bool = False
    """Whether the page filter let it through; without a filter, whether it has text to judge."""
    score: float = 0.0
    """The link score, in [0, 1], with which the URL stood in the frontier."""
    page_score: float = 0.0
    """The page's own topic score in [0, 1], set by the link-score pipeline."""
    parts: tuple[float, ...] = ()
    """Scores to the topic and to each aspect that make `page_score`; empty without aspects."""
    aspect_scores: Mapping[str, float] = field(default_factory=dict)
    """Cosine to each aspect of the topic, in [0, 1], for the figures (METU 4.4.1.1); empty in a run
    without aspects."""
    totals: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """What the page adds to running totals of the frontier, by their names."""
    iteration: int = 0
    depth: int = 0
    """Number of links from a seed; redirects do not count."""
    referrer: str = ""
    reason: str = ""
    """Why the page was not exported; empty for an exported page."""
    state: str = "done"
    """The state that its URL goes to: done, failed or gone."""
    aliases: tuple[str, ...] = ()
    """Other addresses that were seen to lead to the same document (redirects, canonical URL)."""
    links: list[object] = field(default_factory=list)
    """`taxocrawl.frontier.base.Candidate` for each link to follow, set by the link scorer."""
    refused: Counter[str] = field(default_factory=Counter)
    """Number of its outlinks that are not followed, by reason, set by the link scorer."""
    fetch: dict[str, object] | None = None
    """The download's line of fetches.csv, set by the frontier pipeline when it is committed."""
    record: dict[str, object] | None = None
    """The document's line of documents.jsonl, set by the export pipeline when it is exported."""
    fingerprint: Fingerprint | None = None
    """What tells the document's copies, set with `record`."""
