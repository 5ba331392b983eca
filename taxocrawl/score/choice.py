"""Scorers by their names, made for one topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.score.background import DocumentFrequencies, shipped
from taxocrawl.score.base import NoScorer
from taxocrawl.score.bm25 import Bm25Scorer
from taxocrawl.score.embeddings import EmbeddingScorer, load_vectors
from taxocrawl.score.encoder import load_encoder
from taxocrawl.score.goldstandard import GoldStandardScorer
from taxocrawl.score.nutch import NutchScorer, nutch_page_text
from taxocrawl.score.pages import DEFAULT_FIELDS, NUTCH_FIELDS, page_text
from taxocrawl.score.sbert import SentenceScorer
from taxocrawl.score.tfidf import TfidfScorer
from taxocrawl.text.analysis import Analysis
from taxocrawl.text.tokens import words
from taxocrawl.topic import GoldStandard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from taxocrawl.items import Document
    from taxocrawl.score.base import Scorer

# Words of an article of the shipped background, on average (what `words` finds).
_AVERAGE_LENGTH = 3_008.0
# Words of the query count this many mentions, beside a gold standard of some eighty words.
_QUERY_WEIGHT = 5.0


@dataclass(frozen=True, slots=True)
class TopicTexts:
    """What is known of a topic before its crawl.

    Raises InputFileError when neither gold standards nor query hold any text.
    """

    goldstandards: tuple[GoldStandard, ...] = ()
    query: str = ""
    stopwords: frozenset[str] = frozenset()
    background: DocumentFrequencies | None = None
    """None for the shipped one."""
    vectors: Path | None = None
    """File of word vectors, for the scorer `glove`."""
    sentence_model: Path | None = None
    """Folder of a sentence model, for the scorer `sbert`."""

    def __post_init__(self) -> None:
        if not self.query.strip() and not any(gold.text.strip() for gold in self.goldstandards):
            raise InputFileError("the topic is empty: expected a gold standard or a query")

    @property
    def expanded(self) -> str:
        """The gold standards and the query as one text."""
        return "\n".join([*(gold.text for gold in self.goldstandards), self.query])

    @property
    def documents(self) -> tuple[GoldStandard, ...]:
        """The gold standards; without any, the query in their place."""
        return self.goldstandards or (GoldStandard("query", self.query),)


def make_scorer(name: str, topic: TopicTexts, params: Mapping[str, Any] | None = None) -> Scorer:
    """The scorer of a name for a topic.

    Args:
        name: one of `SCORERS`.
        topic: what texts are compared with.
        params: the scorer's own parameters, see docs/scorers.md.

    Raises:
        ArgumentError: unknown name or parameter, or a value out of range.
        InputFileError: nothing of the topic is left without stop words.
    """
    if name not in SCORERS:
        raise ArgumentError(f"scorer {name!r}: expected one of {', '.join(SCORERS)}")
    given = dict(params or {})
    told = words(topic.expanded)
    if told and name != NoScorer.name and topic.stopwords.issuperset(told):
        raise InputFileError(
            "the topic holds nothing but stop words: expected other words in its gold standards "
            "or query"
        )
    scorer = SCORERS[name](topic, given)
    if given:
        raise ArgumentError(f"scorer {name!r}: unknown parameter {', '.join(sorted(given))}")
    return scorer


def page_reader(name: str, fields: tuple[str, ...] = ()) -> Callable[[Document], str]:
    """What a scorer reads of a page: the given fields, or those of its document."""
    if name == NutchScorer.name:
        return nutch_page_text
    fields = fields or (NUTCH_FIELDS if name == GoldStandardScorer.name else DEFAULT_FIELDS)
    return lambda document: page_text(document, fields)


def _analysis(topic: TopicTexts, params: dict[str, Any], tokeniser: str) -> Analysis:
    return Analysis(
        params.pop("tokeniser", tokeniser),
        topic.stopwords,
        params.pop("stemming", ""),
        _ngrams(params.pop("ngrams", (1, 1))),
    )


def _ngrams(value: Any) -> tuple[int, int]:
    """``2``, ``"1,2"`` or ``(1, 2)``, as Nutch's setting has it."""
    parts = value.split(",") if isinstance(value, str) else value
    try:
        numbers = [int(part) for part in (parts if isinstance(parts, list | tuple) else [parts])]
        lo, hi = numbers if len(numbers) == 2 else (*numbers, *numbers)
    except (TypeError, ValueError):
        raise ArgumentError(f"ngrams {value!r}: expected shortest,longest such as 1,2") from None
    return lo, hi


def _cosine(topic: TopicTexts, params: dict[str, Any]) -> Scorer:
    analysis = _analysis(topic, params, "document")
    return GoldStandardScorer(topic.documents, analysis, params.pop("combine", "max"))


def _nutch(topic: TopicTexts, params: dict[str, Any]) -> Scorer:
    return NutchScorer(topic.documents, topic.stopwords, _ngrams(params.pop("ngrams", (1, 1))))


def _tfidf(topic: TopicTexts, params: dict[str, Any]) -> Scorer:
    return TfidfScorer(
        "\n".join(gold.text for gold in topic.goldstandards),
        topic.background or shipped(),
        topic.stopwords,
        topic.query,
        params.pop("query_weight", _QUERY_WEIGHT),
        stemming=params.pop("stemming", ""),
        whole_text=bool(params.pop("whole_text", False)),
        sublinear=bool(params.pop("sublinear", False)),
    )


def _bm25(topic: TopicTexts, params: dict[str, Any]) -> Scorer:
    return Bm25Scorer(
        topic.expanded,
        topic.background or shipped(),
        params.pop("average_length", _AVERAGE_LENGTH),
        topic.stopwords,
        k1=params.pop("k1", 1.2),
        b=params.pop("b", 0.75),
    )


def _glove(topic: TopicTexts, params: dict[str, Any]) -> Scorer:
    if topic.vectors is None:
        raise ArgumentError("scorer 'glove': no word vectors; name their file in VECTORS_FILE")
    vectors = load_vectors(topic.vectors)
    pooling = params.pop("pooling", "min")
    scorer = EmbeddingScorer(topic.expanded, vectors, pooling, topic.stopwords, words)
    if not scorer.knows_topic:
        raise InputFileError(f"{topic.vectors}: expected vectors of the topic's words, has none")
    return scorer


def _sbert(topic: TopicTexts, params: dict[str, Any]) -> Scorer:
    if topic.sentence_model is None:
        raise ArgumentError(
            "scorer 'sbert': no sentence model; name its folder in SENTENCE_MODEL_DIR"
        )
    names = ("pooling", "chunk_words", "max_chunks")
    given = {name: params.pop(name) for name in names if name in params}
    return SentenceScorer(topic.expanded, load_encoder(topic.sentence_model), **given)


SCORERS: Mapping[str, Callable[[TopicTexts, dict[str, Any]], Scorer]] = {
    "none": lambda topic, params: NoScorer(),
    "cosine": _cosine,
    "nutch": _nutch,
    "tfidf": _tfidf,
    "bm25": _bm25,
    "glove": _glove,
    "sbert": _sbert,
}
"""What makes a scorer of a topic; takes its parameters out of the dict."""
