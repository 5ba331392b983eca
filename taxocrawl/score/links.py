"""How the scores of a page and of a link's parts make the link's score (METU eq. 4.3–4.5)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from taxocrawl.exceptions import ArgumentError
from taxocrawl.score.base import in_unit_interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from taxocrawl.items import Outlink
    from taxocrawl.score.base import Scorer

EQUAL_PARTS: Mapping[str, float] = {"url": 1.0, "anchor": 1.0, "context": 1.0}
_WORD_BREAK = re.compile(r"[^\w]+|_|(?<=[a-z])(?=[A-Z])|(?<=\D)(?=\d)|(?<=\d)(?=\D)")


@dataclass(frozen=True, slots=True)
class LinkScore:
    """A link's score and the parts that made it, each in [0, 1]."""

    score: float
    page: float
    url: float
    anchor: float
    context: float

    def parts(self) -> dict[str, Any]:
        """The fields by their names."""
        return {
            "score": self.score,
            "page": self.page,
            "url": self.url,
            "anchor": self.anchor,
            "context": self.context,
        }


@lru_cache(maxsize=50_000)
def url_text(url: str) -> str:
    """The words of a URL's path and query: the host says whose page it is, not what about."""
    split = urlsplit(url)
    parts = _WORD_BREAK.split(unquote(f"{split.path} {split.query}"))
    return " ".join(part for part in parts if part)


class LinkWeights:
    """How much of a link's score its page has, and each part of the link within its own.

    Args:
        page: lambda of eq. 4.4, in [0, 1]; 1 gives every link its page's score (Nutch), 0 leaves
            the page out.
        parts: weights of ``url``, ``anchor`` and ``context``, at least 0 and not all 0; one that
            is not given is 0. Equal weights are those of eq. 4.4.

    Raises ArgumentError for a weight out of its range or of another part.
    """

    def __init__(self, page: float = 0.5, parts: Mapping[str, float] = EQUAL_PARTS) -> None:
        if unknown := sorted(set(parts) - set(EQUAL_PARTS)):
            raise ArgumentError(f"link part {unknown[0]!r}: expected {', '.join(EQUAL_PARTS)}")
        weights = [float(parts.get(name, 0)) for name in EQUAL_PARTS]
        total = sum(weights)
        if not 0 <= page <= 1:
            raise ArgumentError(f"page weight {page}: expected a number in [0, 1]")
        if not (all(weight >= 0 for weight in weights) and 0 < total < math.inf):
            raise ArgumentError(f"weights of a link's parts {dict(parts)}: expected some above 0")
        self.page = page
        self.url, self.anchor, self.context = (weight / total for weight in weights)

    def combine(self, page: float, url: float, anchor: float, context: float) -> LinkScore:
        """Page weight · page + (1 - page weight) · weighted mean of the parts (METU eq. 4.4)."""
        page, url, anchor, context = map(in_unit_interval, (page, url, anchor, context))
        link = self.url * url + self.anchor * anchor + self.context * context
        score = in_unit_interval(self.page * page + (1 - self.page) * link)
        return LinkScore(score, page, url, anchor, context)


def score_links(
    scorer: Scorer, page: float, outlinks: Sequence[Outlink], weights: LinkWeights
) -> list[LinkScore]:
    """The scores of a page's links, in their order, from one call of the scorer.

    Nothing of the links is looked at when the page's score is all that counts.
    """
    if weights.page == 1:
        return [LinkScore(page, page, 0.0, 0.0, 0.0) for _ in outlinks]
    scores = scorer.score_many(link_texts(outlinks))
    return [weights.combine(page, *scores[n : n + 3]) for n in range(0, len(scores), 3)]


def link_texts(outlinks: Sequence[Outlink]) -> list[str]:
    """The URL's words, the anchor and the nearby text of each link, in their order."""
    return [text for link in outlinks for text in (url_text(link.url), link.anchor, link.context)]
