from __future__ import annotations

import math

import pytest

from taxocrawl.classify.features import (
    MarkerVectors,
    TermVectors,
    cosine,
    normalised,
    vectors_from_state,
    weights,
)
from taxocrawl.classify.rocchio import Rocchio
from taxocrawl.items import Category

DOCUMENTS = ["bat bat holotype", "bat cave", "moth lamp lamp"]


def fitted(**options) -> TermVectors:
    vectors = TermVectors(**options)
    return vectors.fit([vectors.count(text) for text in DOCUMENTS])


def test_idf_is_log_of_documents_by_documents_with_the_term() -> None:
    idf = fitted().idf_
    assert idf["bat"] == pytest.approx(math.log(3 / 2))
    assert idf["lamp"] == pytest.approx(math.log(3))


def test_a_vector_is_tf_idf_divided_by_its_length() -> None:
    vectors = fitted()
    vector = vectors.vector(vectors.count("bat bat holotype unknown"))
    bat, holotype = 2 * math.log(3 / 2), math.log(3)
    length = math.hypot(bat, holotype)
    assert vector == pytest.approx({"bat": bat / length, "holotype": holotype / length})


def test_a_term_of_every_document_weighs_nothing() -> None:
    vectors = TermVectors()
    vectors.fit([vectors.count("bat cave"), vectors.count("bat moth")])
    assert vectors.vector(vectors.count("bat")) == {}


def test_only_the_top_words_count_and_ties_go_by_the_alphabet() -> None:
    vectors = fitted(top_words=2)
    vector = vectors.vector(vectors.count("moth lamp holotype cave bat"))
    assert list(vector) == ["cave", "holotype"]


def test_stop_words_are_left_out_and_nothing_is_stemmed() -> None:
    assert TermVectors({"the"}).count("The bats of the caves") == {"bats": 1, "of": 1, "caves": 1}
    assert TermVectors(stem=True).count("bats caves") == {"bat": 1, "cave": 1}


def test_all_in_training_keeps_every_word_of_a_training_document_only() -> None:
    vectors = fitted(top_words=1, all_in_training=True)
    counts = vectors.count("holotype cave moth")
    assert len(vectors.training_vector(counts)) == 3
    assert len(vectors.vector(counts)) == 1


def test_the_superdocument_merges_the_top_words_of_each_document() -> None:
    vectors = fitted(top_words=1)
    counts = [vectors.count(text) for text in DOCUMENTS[:2]]
    # Document 1 gives holotype (log 3 > 2 log 1.5), document 2 gives cave; bat is in neither top.
    assert vectors.superdocument(counts) == pytest.approx(
        {"holotype": 1 / math.sqrt(2), "cave": 1 / math.sqrt(2)}
    )


def test_the_document_rocchio_by_hand() -> None:
    texts = ["holotype wing", "holotype skull", "trap wing", "trap light"]
    labels = [Category.TAXONOMIC] * 2 + [Category.NON_TAXONOMIC] * 2
    classifier = Rocchio("document").fit(texts, labels)
    holotype, once = math.log(4 / 2), math.log(4)
    wing = math.log(4 / 2)
    taxonomic = normalised({"holotype": 2 * holotype, "wing": wing, "skull": once})
    other = normalised({"trap": 2 * holotype, "wing": wing, "light": once})
    assert classifier.prototypes_[Category.TAXONOMIC] == pytest.approx(taxonomic)
    query = normalised({"holotype": holotype, "light": once})
    expected = cosine(query, taxonomic) - cosine(query, other)
    assert classifier.margin("holotype light") == pytest.approx(expected)
    assert classifier.threshold_ == 0.0


def test_cosine_of_an_empty_vector_is_zero() -> None:
    assert cosine({}, {"a": 1.0}) == 0.0
    assert normalised({"a": 0.0}) == {}


def test_markers_are_taken_relative_to_the_training_texts() -> None:
    vectors = MarkerVectors()
    counts = [vectors.count("Aus bus sp. nov., holotype"), vectors.count("patients and mice")]
    vectors.fit(counts)
    taxonomic = vectors.vector(counts[0])
    assert taxonomic["holotype"] > 0 > taxonomic["medicine"]
    assert math.fsum(value**2 for value in taxonomic.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("vectors", [fitted(top_words=7), fitted(top_words=None, stem=True)])
def test_term_vectors_come_back_from_their_state(vectors: TermVectors) -> None:
    again = vectors_from_state(vectors.state())
    assert again.state() == vectors.state()


@pytest.mark.parametrize(
    "state",
    [None, {}, {"name": "other"}, {"name": "best", "standardise": True, "smoothing": 0.1,
                                   "mean": {}, "spread": {}}],
)  # fmt: skip
def test_what_is_no_state_is_refused(state: object) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        vectors_from_state(state)


@pytest.mark.parametrize("value", [None, [1.0], {"a": "1"}, {"a": True}, {"a": math.nan}])
def test_weights_are_finite_numbers(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        weights(value)


def test_arguments_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError):
        TermVectors(top_words=0)
    with pytest.raises(ValueError):
        MarkerVectors(smoothing=0)
