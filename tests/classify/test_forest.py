from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from taxocrawl.classify import load_classifier
from taxocrawl.classify.examples import Examples
from taxocrawl.classify.forest import Forest
from taxocrawl.classify.model_folder import model_hash
from taxocrawl.exceptions import ModelError, TrainingError
from taxocrawl.items import Category

TOPIC = "railway train station locomotive track platform line tunnel".split()
OTHER = "bird feather nest bill plumage egg wing song".split()


def _texts(seed: int, number: int = 40) -> tuple[list[str], list[Category]]:
    rng = Random(seed)
    texts, labels = [], []
    for n in range(number):
        own = TOPIC if n % 2 else OTHER
        common = [f"word{rng.randrange(30)}" for _ in range(20)]
        texts.append(" ".join([*rng.choices(own, k=5), *common]))
        labels.append(Category.TAXONOMIC if n % 2 else Category.NON_TAXONOMIC)
    return texts, labels


@pytest.fixture(scope="module")
def forest() -> Forest:
    return Forest(trees=20).fit(*_texts(1))


def test_tells_the_topic_from_other_texts(forest: Forest) -> None:
    texts, labels = _texts(2)
    decisions = forest.decide_many(texts)
    right = sum(d.category is label for d, label in zip(decisions, labels, strict=True))
    assert right >= 0.9 * len(texts)
    assert forest.oob_accuracy_ > 0.8
    assert all(0.5 <= d.confidence <= 1 for d in forest.decide_many(texts))


def test_walks_its_trees_as_scikit_learn_does() -> None:
    import numpy as np
    from sklearn.ensemble import RandomForestClassifier

    texts, labels = _texts(3)
    forest = Forest(trees=10, random_state=5).fit(texts, labels)
    examples = Examples.of(texts, labels, None, forest.vectors_.count)
    rows = np.array([forest._row(counts) for counts in examples.counts])
    theirs = RandomForestClassifier(10, class_weight="balanced", random_state=5).fit(
        rows, [label is Category.TAXONOMIC for label in examples.labels]
    )
    unseen, _ = _texts(4)
    rows = np.array([forest._row(forest.vectors_.count(text)) for text in unseen])
    expected = 2 * theirs.predict_proba(rows)[:, 1] - 1
    assert [forest.margin(text) for text in unseen] == pytest.approx(expected.tolist())


def test_is_the_same_after_saving_and_from_the_same_seed(forest: Forest, tmp_path: Path) -> None:
    forest.save(tmp_path / "forest", card="# A forest")
    read = load_classifier(tmp_path / "forest")
    texts, _ = _texts(6)
    assert [read.decide(t).confidence for t in texts] == [
        forest.decide(t).confidence for t in texts
    ]
    assert Forest(trees=20).fit(*_texts(1)).sha256 == forest.sha256
    assert Forest(trees=20, random_state=1).fit(*_texts(1)).sha256 != forest.sha256


def test_an_empty_text_is_turned_away(forest: Forest) -> None:
    assert forest.decide(" ").category is Category.NON_TAXONOMIC
    assert forest.decide(" ").confidence == 0.5


def test_no_training_set(forest: Forest) -> None:
    with pytest.raises(TrainingError):
        Forest().fit([], [])
    with pytest.raises(TrainingError):
        Forest().fit(["a b", "b c"], [Category.TAXONOMIC] * 2)


@pytest.mark.parametrize(
    ("part", "value"),
    [("left", 0), ("right", 99999), ("feature", 99999), ("threshold", None)],
)
def test_damaged_trees_are_refused(
    forest: Forest, tmp_path: Path, part: str, value: int | None
) -> None:
    forest.save(tmp_path)
    path = tmp_path / "model.json"
    model = json.loads(path.read_text(encoding="utf-8"))
    if value is None:
        model["forest"][0][part] = []
    else:
        model["forest"][0][part][0] = value
    del model["sha256"]
    model["sha256"] = model_hash(model)
    path.write_text(json.dumps(model), encoding="utf-8")
    with pytest.raises(ModelError, match="damaged"):
        Forest.load(tmp_path)
