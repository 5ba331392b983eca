"""Experiment 1 of the KU document: accuracy by number of training documents (tables 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import mean
from typing import TYPE_CHECKING

from taxocrawl.classify.training import draw_per_category
from taxocrawl.evaluate.classifiers import confusion_of, judge
from taxocrawl.evaluate.confusion import UNDEFINED, percent
from taxocrawl.evaluate.tables import markdown
from taxocrawl.items import Category

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from taxocrawl.classify.recipes import Recipe
    from taxocrawl.classify.training import Sample

SIZES = tuple(range(5, 55, 5))
"""Training documents per category."""

PRINTED: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    "pdf": {
        "svm": (75, 60, 67.5, 77.5, 57.5, 60, 52.5, 57.5, 70, 55),
        "rocchio": (35, 57.5, 50, 50, 57.5, 62.5, 52.5, 60, 70, 62.5),
    },
    "html": {
        "rocchio": (52.5, 67.5, 72.5, 82.5, 80, 80, 85, 80, 85, 82.5),
        "svm": (55, 77.5, 57.5, 77.5, 82.5, 82.5, 82.5, 82.5, 82.5, 82.5),
    },
}
"""Accuracies in per cent as the document prints them, for the sizes of `SIZES`."""


@dataclass(frozen=True, slots=True)
class SizeRow:
    """One line of the table."""

    name: str
    accuracies: tuple[float | None, ...]
    """Mean over the repetitions, in [0, 1]; None where there are too few documents."""


def accuracy_by_size(
    name: str,
    recipe: Recipe,
    samples: Sequence[Sample],
    *,
    repetitions: int,
    test_per_category: int,
    progress: Callable[[str], None] = lambda _: None,
) -> SizeRow:
    """Accuracy on a random test set for each training size, meaned over seeded repetitions.

    As in the document, training and test documents are drawn at random and have no article in
    common; the test set of a repetition is the same for every size and recipe.
    """
    counted: dict[str, object] = {}
    sums: dict[int, list[float]] = {size: [] for size in SIZES}
    for seed in range(repetitions):
        test = draw_per_category(samples, test_per_category, seed=seed)
        groups = {sample.group for sample in test}
        training = [sample for sample in samples if sample.group not in groups]
        available = min(
            sum(sample.category is category for sample in training) for category in Category
        )
        for size in SIZES:
            if size <= available:
                sized = replace(recipe, per_category=size, seed=seed)
                judged = judge(sized.train(training, counted), test)
                sums[size].append(confusion_of(judged).accuracy or 0.0)
        progress(f"{name}: repetition {seed + 1} of {repetitions}")
    return SizeRow(name, tuple(mean(values) if values else None for values in sums.values()))


def size_table(kind: str, rows: Sequence[SizeRow]) -> str:
    """The table in the document's shape, its own figures first, as Markdown."""
    printed = [
        [f"{algorithm} (printed)", *(percent(value / 100) for value in values)]
        for algorithm, values in PRINTED[kind].items()
    ]
    ours = [
        [row.name, *(UNDEFINED if value is None else percent(value) for value in row.accuracies)]
        for row in rows
    ]
    header = [f"{kind}: documents per category", *(str(size) for size in SIZES)]
    return markdown(header, [*printed, *ours])
