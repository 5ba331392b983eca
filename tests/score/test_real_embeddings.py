"""GloVe, MiniLM and WordNet as they are published; data of `scrapy resources`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from taxocrawl.diversify.wordnet import WordNet
from taxocrawl.rerank.representations import TextModel
from taxocrawl.score.choice import TopicTexts, make_scorer
from taxocrawl.score.embeddings import load_vectors
from taxocrawl.score.encoder import load_encoder
from taxocrawl.topic import GoldStandard

TEXTS = (
    "The flying fox eats figs and pollinates trees at night.",
    "A colony of vampire bats roosts in the cave.",
    "The central bank raised the interest rate on Tuesday.",
    "She parked the lorry behind the railway station.",
)


def topic(glove: Path | None = None, minilm: Path | None = None) -> TopicTexts:
    gold = GoldStandard("gold", "Bats are flying mammals that roost in caves and eat fruit.")
    return TopicTexts((gold,), "fruit bats", frozenset({"the", "a"}), None, glove, minilm)


def test_glove_is_the_published_table(glove: Path) -> None:
    """Numbers of `the` in glove.6B.50d.txt, and a neighbour of `king`."""
    vectors = load_vectors(glove)
    assert (len(vectors.rows), vectors.dimensions) == (400_000, 50)
    assert vectors.of(["the"])[0, :3] == pytest.approx([0.418, 0.24968, -0.41242], abs=1e-3)
    king, prince, coffee = vectors.of(["king", "prince", "coffee"])

    def cosine(a: np.ndarray, b: np.ndarray) -> float:
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    assert cosine(king, prince) == pytest.approx(0.8236, abs=1e-3)
    assert cosine(king, coffee) < 0.4


@pytest.mark.parametrize("pooling", ["mean", "min", "max"])
def test_glove_scores_the_topic_above_other_texts(glove: Path, pooling: str) -> None:
    scorer = make_scorer("glove", topic(glove=glove), {"pooling": pooling})
    scores = scorer.score_many(TEXTS)
    assert all(0 <= score <= 1 for score in scores)
    assert scorer.score("zzqx qqzz") == 0
    if pooling == "mean":
        assert min(scores[:2]) > max(scores[2:])


def test_minilm_gives_the_published_cosines(minilm: Path) -> None:
    """Cosines of the full-precision model: 0.7553, -0.1050, -0.0610; whole numbers lose 0.03."""
    encode = load_encoder(minilm)
    vectors = encode(
        ["A man is eating food.", "A man is eating a piece of bread.", "The girl carries a baby."]
    )
    assert vectors.shape == (3, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert vectors[0] @ vectors[1] == pytest.approx(0.7553, abs=0.03)
    assert abs(vectors[0] @ vectors[2]) < 0.15


def test_minilm_does_not_depend_on_what_is_encoded_with_a_text(minilm: Path) -> None:
    encode = load_encoder(minilm)._encoder
    together = encode([*TEXTS, "bat " * 300])
    for text, vector in zip(TEXTS, together, strict=False):
        assert encode([text])[0] == pytest.approx(vector, abs=1e-5)


def test_sbert_scores_the_topic_above_other_texts(minilm: Path) -> None:
    scorer = make_scorer("sbert", topic(minilm=minilm))
    scores = scorer.score_many(TEXTS)
    assert min(scores[:2]) > max(scores[2:]) + 0.2
    assert scorer.score("  \n") == scorer.score("?! ...") == 0
    assert scorer.score("\ud800 bat") > 0


def test_sbert_reads_a_long_page_in_chunks(minilm: Path) -> None:
    filler = "The committee approved the annual budget of the council. " * 40
    page = filler + TEXTS[0] + " " + TEXTS[1]
    few = make_scorer("sbert", topic(minilm=minilm), {"max_chunks": 1}).score(page)
    whole = make_scorer("sbert", topic(minilm=minilm), {"pooling": "max"}).score(page)
    assert whole > few


def test_rerank_compares_by_the_real_data(glove: Path, minilm: Path, wordnet: Path) -> None:
    """NLTK documents Lin's similarity of dog and cat over SemCor: 0.8863."""
    network = WordNet.open(wordnet)
    assert network.lin("dog", "cat") == pytest.approx(0.8863288628086228)
    model = TextModel(vectors=load_vectors(glove), encoder=load_encoder(minilm), wordnet=network)
    for method in ("sentences", "words-mean"):
        relevance = model.relevance(method, "bats in a cave", TEXTS)
        assert int(np.argmax(relevance)) == 1, method


def test_pages_are_encoded_in_a_thread_before_they_are_scored(minilm: Path) -> None:
    """The pipeline's result: scoring the page afterwards asks the model for nothing."""
    from taxocrawl.items import Document, Kind, Outlink, Page
    from taxocrawl.pipelines.embeddings import EmbeddingPipeline
    from taxocrawl.score.links import LinkWeights, score_links

    scorer = make_scorer("sbert", topic(minilm=minilm))
    link = Outlink("http://a.example/wiki/Flying_fox", "flying fox", "see flying fox, a bat")
    document = Document(Kind.HTML, f"{TEXTS[0]} {len(TEXTS)} pages", outlinks=(link,))
    page = Page(1, "http://a.example/", "http://a.example/", 0.0, document=document, passed=True)
    pipeline = EmbeddingPipeline(scorer.prepare, lambda document: document.text)  # type: ignore[attr-defined]
    assert asyncio.run(pipeline.process_item(page)) is page
    pipeline.close_spider()

    def refuse(texts: object) -> np.ndarray:
        raise AssertionError(texts)

    encoder = load_encoder(minilm)
    kept, encoder._encoder = encoder._encoder, refuse
    try:
        assert scorer.score(document.text) > 0.3
        assert score_links(scorer, 0.5, [link], LinkWeights())[0].score > 0.3
    finally:
        encoder._encoder = kept
