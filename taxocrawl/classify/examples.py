"""A training set in one order, whatever order its rows came in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from taxocrawl.classify.folds import category_sizes, grouped_folds
from taxocrawl.exceptions import TrainingError
from taxocrawl.items import Category

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Examples:
    """What was counted in each training text, its category, and the article it belongs to."""

    counts: tuple[Any, ...]
    labels: tuple[Category, ...]
    groups: tuple[str, ...]

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        labels: Sequence[Category],
        groups: Sequence[str] | None,
        count: Callable[[str], Any],
    ) -> Self:
        """Check the texts and `count` them. Without `groups` only equal texts belong together.

        Rows are put in the order of category and text, so that a shuffled training set gives the
        same model (CLS-02). Raises TrainingError unless both categories occur.
        """
        check_categories(texts, labels)
        names = texts if groups is None else groups
        rows = sorted(zip(labels, texts, names, strict=True))
        return cls(
            tuple(count(text) for _, text, _ in rows),
            tuple(label for label, _, _ in rows),
            tuple(group for _, _, group in rows),
        )

    def __len__(self) -> int:
        return len(self.labels)

    def select(self, rows: Sequence[int]) -> Examples:
        """The examples at these positions."""
        return Examples(
            tuple(self.counts[row] for row in rows),
            tuple(self.labels[row] for row in rows),
            tuple(self.groups[row] for row in rows),
        )

    def of_category(self, category: Category) -> list[Any]:
        """The counts of one category's texts."""
        return [
            counts
            for counts, label in zip(self.counts, self.labels, strict=True)
            if label is category
        ]

    def folds(self, folds: int, seed: int) -> list[list[int]]:
        """Rows to hold out in turn; none when a category has but one article."""
        possible = min(folds, *category_sizes(self.labels, self.groups).values())
        if possible < 2:
            return []
        return grouped_folds(self.labels, self.groups, possible, seed=seed)

    def without(self, rows: Sequence[int]) -> Examples:
        """All examples but those at these positions."""
        left_out = set(rows)
        return self.select([row for row in range(len(self)) if row not in left_out])


def check_categories(texts: Sequence[str], labels: Sequence[Category]) -> None:
    """Raises TrainingError unless there is one label per text and both categories occur."""
    if len(texts) != len(labels):
        raise TrainingError(f"{len(texts)} training texts, but {len(labels)} labels")
    if not texts:
        raise TrainingError("the training set is empty; both categories are needed")
    found = Counter(labels)
    if len(found) < len(Category):
        raise TrainingError(
            f"all {len(texts)} training texts are {next(iter(found)).value}; "
            "both categories are needed"
        )
