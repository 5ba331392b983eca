"""Nutch's scoring-similarity plugin, number for number, to compare runs with Nutch's.

Not for use: what this repeats on purpose are faults (docs/scorers.md lists them). The plugin's
source was read at Nutch's commit 7906941.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from taxocrawl.score.goldstandard import GoldStandardScorer
from taxocrawl.text.analysis import Analysis
from taxocrawl.text.stopwords import LUCENE_STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taxocrawl.items import Document
    from taxocrawl.topic import GoldStandard


class NutchScorer(GoldStandardScorer):
    """Term-frequency cosine over the plugin's terms, with the lines of gold standards fused.

    Args:
        goldstandards: at least one; of several the best counts.
        stopwords: added to Lucene's; left out of single words, but not of n-grams.
        ngrams: shortest and longest; a shortest of 1 means single words, whatever the longest.
    """

    name = "nutch"

    def __init__(
        self,
        goldstandards: Sequence[GoldStandard],
        stopwords: frozenset[str] = frozenset(),
        ngrams: tuple[int, int] = (1, 1),
    ) -> None:
        fused = [replace(gold, text="".join(gold.text.splitlines())) for gold in goldstandards]
        super().__init__(fused, nutch_analysis(stopwords, ngrams), "max")


def nutch_analysis(stopwords: frozenset[str], ngrams: tuple[int, int]) -> Analysis:
    """Standard tokeniser, lower case, Porter's stems; stop words only where n-grams are not."""
    if ngrams[0] > 1:
        return Analysis("lucene", frozenset(), "porter-lucene", ngrams)
    return Analysis("lucene", LUCENE_STOP_WORDS | stopwords, "porter-lucene")


def nutch_page_text(document: Document) -> str:
    """Text and description without anything between them, ``null`` for what is missing.

    Keywords are never there: the plugin asks for ``metatag.keyword``, which no page has.
    """
    return f"{document.text}{document.description or 'null'}null"
