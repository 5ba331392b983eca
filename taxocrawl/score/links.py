"""How the scores of a page and of a link's parts make the link's score (METU eq. 4.3–4.5)."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taxocrawl.items import Outlink
    from taxocrawl.score.base import Scorer

_WORD_BREAK = re.compile(r"[^\w]+|_|(?<=[a-z])(?=[A-Z])|(?<=\D)(?=\d)|(?<=\d)(?=\D)")


@dataclass(frozen=True, slots=True)
class LinkScore:
    """A link's score and the parts that made it, each in [0, 1]."""

    score: float
    page: float
    url: float
    anchor: float
    context: float

    def parts(self) -> dict[str, float]:
        return asdict(self)


@lru_cache(maxsize=50_000)
def url_text(url: str) -> str:
    """The words of a URL's path and query: the host says whose page it is, not what about."""
    split = urlsplit(url)
    return " ".join(_WORD_BREAK.split(unquote(f"{split.path} {split.query}"))).strip()


def combine(page: float, url: float, anchor: float, context: float, weight: float) -> LinkScore:
    """weight · page + (1 - weight) · (url + anchor + context) / 3 (METU eq. 4.4).

    Args:
        weight: lambda, in [0, 1]; 1 gives every link its page's score (Nutch), 0 the link's alone.
    """
    score = weight * page + (1 - weight) * (url + anchor + context) / 3
    return LinkScore(min(1.0, max(0.0, score)), page, url, anchor, context)


def score_links(
    scorer: Scorer, page: float, outlinks: Sequence[Outlink], weight: float
) -> list[LinkScore]:
    """The scores of a page's links, in their order, from one call of the scorer."""
    texts = [text for link in outlinks for text in (url_text(link.url), link.anchor, link.context)]
    scores = scorer.score_many(texts)
    return [
        combine(page, scores[3 * n], scores[3 * n + 1], scores[3 * n + 2], weight)
        for n in range(len(outlinks))
    ]
