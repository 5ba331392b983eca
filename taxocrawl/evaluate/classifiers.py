"""How well a recipe for a classifier does on documents it was not trained on."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from taxocrawl.classify.folds import grouped_folds
from taxocrawl.evaluate.confusion import Confusion
from taxocrawl.items import Category

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from taxocrawl.classify.base import Classifier
    from taxocrawl.classify.recipes import Recipe
    from taxocrawl.classify.training import Sample
    from taxocrawl.items import Decision

PUBLISHERS = {
    "rossmounce/plosonehtml": "PLOS",
    "PLOS/allofplos": "PLOS",
    "pensoft/OpenBiodiv": "Pensoft",
    "pensoft/ZooKeys-xml": "Pensoft",
}
"""Collections of one publisher in the shared corpora; any other source stands for itself."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled text and what a classifier said that had not seen it."""

    sample: Sample
    decision: Decision

    @property
    def pair(self) -> tuple[bool, bool]:
        """Actually and predicted taxonomic."""
        return self.sample.category is Category.TAXONOMIC, self.decision.taxonomic


def judge(classifier: Classifier, samples: Sequence[Sample]) -> list[Judged]:
    """What a trained classifier says of samples."""
    decisions = classifier.decide_many([sample.text for sample in samples])
    return [Judged(sample, one) for sample, one in zip(samples, decisions, strict=True)]


def confusion_of(judged: Iterable[Judged]) -> Confusion:
    """The confusion counts, taxonomic being positive."""
    return Confusion.from_pairs(one.pair for one in judged)


def confusion_by(judged: Iterable[Judged], key: Callable[[Sample], str]) -> dict[str, Confusion]:
    """The confusion counts of each part of the samples, in the order of the parts' names."""
    parts: dict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        parts[key(one.sample)].append(one)
    return {name: confusion_of(parts[name]) for name in sorted(parts)}


def cross_validate(
    recipe: Recipe,
    samples: Sequence[Sample],
    *,
    extra: Sequence[Sample] = (),
    folds: int = 5,
    seed: int = 0,
) -> list[Judged]:
    """Each sample judged by a classifier trained on the other folds (and on `extra`).

    Articles are kept together, also with those of `extra`: what belongs to an article under test
    is left out of training. Raises ValueError for more folds than a category has articles.
    """
    labels = [sample.category for sample in samples]
    groups = [sample.group for sample in samples]
    judged: list[Judged] = []
    counted: dict[str, Any] = {}
    for rows in grouped_folds(labels, groups, folds, seed=seed):
        judged += _held_out(recipe, [samples[row] for row in rows], [*samples, *extra], counted)
    return judged


def leave_one_publisher_out(
    recipe: Recipe, samples: Sequence[Sample], *, extra: Sequence[Sample] = ()
) -> list[Judged]:
    """Each sample judged by a classifier that saw nothing of its publisher (source).

    A publisher without whom a category would be missing is left out of the answer.
    """
    everything = [*samples, *extra]
    judged: list[Judged] = []
    counted: dict[str, Any] = {}
    for publisher in sorted({publisher_of(sample) for sample in samples}):
        training = [sample for sample in everything if publisher_of(sample) != publisher]
        if len({sample.category for sample in training}) < len(Category):
            continue
        test = [sample for sample in samples if publisher_of(sample) == publisher]
        judged += _held_out(recipe, test, training, counted)
    return judged


def publisher_of(sample: Sample) -> str:
    """The publisher of a sample, or its source where no publisher is known."""
    return PUBLISHERS.get(sample.source, sample.source)


def _held_out(
    recipe: Recipe,
    test: Sequence[Sample],
    candidates: Sequence[Sample],
    counted: dict[str, Any],
) -> list[Judged]:
    under_test = {sample.group for sample in test}
    training = [sample for sample in candidates if sample.group not in under_test]
    return judge(recipe.train(training, counted), test)
