"""The contract of `taxocrawl.classify.base.Classifier`, for every classifier."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from taxocrawl.classify import Rocchio, Svm, load_classifier, text_of
from taxocrawl.exceptions import ModelError, TrainingError
from taxocrawl.items import Category, Document, Kind
from tests.classify.corpus import LABELS, STOPWORDS, TEXTS

Make = Callable[[], Rocchio | Svm]
COSTS = (0.5, 2.0)
KINDS: dict[str, Make] = {
    "rocchio document": lambda: Rocchio("document", stopwords=STOPWORDS),
    "rocchio best": lambda: Rocchio("best"),
    "svm document": lambda: Svm("document", stopwords=STOPWORDS, costs=COSTS),
    "svm best": lambda: Svm("best", costs=COSTS),
    "svm rbf": lambda: Svm(
        "document", stopwords=STOPWORDS, kernel="rbf", costs=COSTS, gammas=(0.01, 0.1)
    ),
}


@pytest.fixture(params=KINDS)
def make(request: pytest.FixtureRequest) -> Make:
    return KINDS[request.param]


@pytest.fixture(scope="module")
def trained() -> dict[str, Rocchio | Svm]:
    return {name: make().fit(TEXTS, LABELS) for name, make in KINDS.items()}


@pytest.fixture(params=KINDS)
def classifier(request: pytest.FixtureRequest, trained: dict[str, Rocchio | Svm]) -> Rocchio | Svm:
    return trained[request.param]


NEW = "Nyctalus parvus sp. nov. Holotype female, two paratypes. Diagnosis: differs by small ears."
ECOLOGY = "We tested effects of noise on moths; abundance was significantly lower (p < 0.01)."


def test_it_tells_the_categories_apart(classifier: Rocchio | Svm) -> None:
    assert classifier.decide(NEW).category is Category.TAXONOMIC
    assert classifier.decide(ECOLOGY).category is Category.NON_TAXONOMIC
    assert classifier.margin(NEW) > 0 > classifier.margin(ECOLOGY)


def test_confidence_lies_between_a_half_and_one(classifier: Rocchio | Svm) -> None:
    for decision in classifier.decide_many([*TEXTS, NEW, ECOLOGY, "", "x"]):
        assert 0.5 <= decision.confidence <= 1.0


def test_cls02_a_shuffled_training_set_gives_the_same_decisions(make: Make) -> None:
    forward = make().fit(TEXTS, LABELS)
    pairs = list(zip(TEXTS, LABELS, strict=True))
    for seed in range(2):
        random.Random(seed).shuffle(pairs)
        shuffled = make().fit([text for text, _ in pairs], [label for _, label in pairs])
        assert shuffled.decide_many([NEW, ECOLOGY]) == forward.decide_many([NEW, ECOLOGY])
        assert shuffled.sha256 == forward.sha256


@pytest.mark.parametrize("text", ["", " \n\t", "\u3000"])
def test_an_empty_text_is_non_taxonomic_with_confidence_a_half(
    classifier: Rocchio | Svm, text: str
) -> None:
    decision = classifier.decide(text)
    assert (decision.category, decision.confidence) == (Category.NON_TAXONOMIC, 0.5)


def test_a_text_is_read_up_to_200_000_characters(classifier: Rocchio | Svm) -> None:
    filler = "lorem ipsum dolor " * 12_000
    assert classifier.margin(filler + NEW * 500) == classifier.margin(filler)


@pytest.mark.parametrize(
    "text", ["\ud800 broken", "\x00\x01", "🦇" * 50, "新种 " * 30, "p" * 10_000]
)
def test_odd_text_gets_a_decision(classifier: Rocchio | Svm, text: str) -> None:
    assert 0.5 <= classifier.decide(text).confidence <= 1.0


def test_a_saved_model_decides_the_same(classifier: Rocchio | Svm, tmp_path) -> None:
    classifier.save(tmp_path / "model", "# card\n")
    loaded = load_classifier(tmp_path / "model")
    assert type(loaded) is type(classifier)
    for text in [*TEXTS, NEW, ECOLOGY]:
        assert loaded.margin(text) == classifier.margin(text)
        assert loaded.decide(text).confidence == classifier.decide(text).confidence
    assert loaded.name.startswith("model ")
    assert (tmp_path / "model" / "MODEL.md").read_text() == "# card\n"


def test_no_file_of_a_model_is_a_pickle(classifier: Rocchio | Svm, tmp_path) -> None:
    classifier.save(tmp_path / "model")
    assert {path.suffix for path in (tmp_path / "model").iterdir()} <= {".json", ".txt"}
    assert all(path.read_bytes().isascii() or path.suffix == ".json"
               for path in (tmp_path / "model").iterdir())  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "labels", "message"),
    [
        ([], [], "empty"),
        (TEXTS[:3], LABELS[:3], "all 3 training texts are taxonomic"),
        (TEXTS[-2:], LABELS[-2:], "all 2 training texts are non-taxonomic"),
        (TEXTS, LABELS[:-1], "16 training texts, but 15 labels"),
    ],
)
def test_cls03_both_categories_are_needed(make: Make, texts, labels, message) -> None:
    with pytest.raises(TrainingError, match=message):
        make().fit(texts, labels)


def test_one_text_of_each_category_is_enough_to_learn_from(make: Make) -> None:
    classifier = make().fit([NEW, ECOLOGY], [Category.TAXONOMIC, Category.NON_TAXONOMIC])
    assert classifier.decide(NEW).taxonomic
    assert not classifier.decide(ECOLOGY).taxonomic


def test_a_model_of_the_other_algorithm_is_refused(tmp_path, trained) -> None:
    trained["rocchio best"].save(tmp_path / "r")
    trained["svm best"].save(tmp_path / "s")
    with pytest.raises(ModelError):
        Svm.load(tmp_path / "r")
    with pytest.raises(ModelError):
        Rocchio.load(tmp_path / "s")


@pytest.mark.parametrize("kind", [Rocchio, Svm])
def test_unknown_features_are_refused(kind) -> None:
    with pytest.raises(ValueError, match="document, best"):
        kind("wordy")


def test_svm_takes_the_smallest_cost_among_equals(trained) -> None:
    assert trained["svm best"].kernel_.cost == min(COSTS)


def test_the_text_of_a_document_is_its_title_and_its_text() -> None:
    assert text_of(Document(Kind.HTML, text="Body.", title="Title")) == "Title\nBody."
    assert text_of(Document(Kind.HTML, text="Body.")) == "Body."
    assert text_of(Document(Kind.PDF)) == ""
