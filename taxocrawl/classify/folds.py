"""Division of a training set into folds that keep what belongs together on one side."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taxocrawl.items import Category


def category_sizes(labels: Sequence[Category], groups: Sequence[str]) -> Counter[Category]:
    """Number of groups (articles) of each category; a group counts where its first row belongs."""
    first: dict[str, Category] = {}
    for label, group in zip(labels, groups, strict=True):
        first.setdefault(group, label)
    return Counter(first.values())


def grouped_folds(
    labels: Sequence[Category], groups: Sequence[str], folds: int, *, seed: int = 0
) -> list[list[int]]:
    """The positions of each fold's rows, so that no group is split and categories are spread.

    Groups are shuffled by `seed` and dealt, largest first, to the fold that has the fewest rows of
    the group's category. The folds depend on the groups' names, not on the order of rows. Raises
    ValueError for fewer than 2 folds, or more folds than a category has groups.
    """
    smallest = min(category_sizes(labels, groups).values(), default=0)
    if not 2 <= folds <= smallest:
        raise ValueError(f"folds must be from 2 to {smallest} (groups in a category), not {folds}")
    members: dict[str, list[int]] = {}
    for position, group in enumerate(groups):
        members.setdefault(group, []).append(position)
    names = sorted(members)
    Random(seed).shuffle(names)
    names.sort(key=lambda name: -len(members[name]))
    dealt: list[list[int]] = [[] for _ in range(folds)]
    load: list[Counter[Category]] = [Counter() for _ in range(folds)]
    for name in names:
        rows = members[name]
        label = labels[rows[0]]
        fold = min(range(folds), key=lambda f: (load[f][label], len(dealt[f]), f))
        dealt[fold].extend(rows)
        load[fold].update(labels[row] for row in rows)
    return [sorted(rows) for rows in dealt]
