from __future__ import annotations

import random
from collections import Counter

import pytest

from taxocrawl.classify.folds import category_sizes, grouped_folds
from taxocrawl.items import Category

LABELS = [Category.TAXONOMIC] * 12 + [Category.NON_TAXONOMIC] * 8
GROUPS = [f"article {n // 2}" for n in range(12)] + [f"other {n}" for n in range(8)]


def test_every_row_is_held_out_once_and_no_group_is_split() -> None:
    folds = grouped_folds(LABELS, GROUPS, 3)
    assert sorted(row for fold in folds for row in fold) == list(range(20))
    for group in set(GROUPS):
        assert sum(any(GROUPS[row] == group for row in fold) for fold in folds) == 1


def test_categories_are_spread() -> None:
    for fold in grouped_folds(LABELS, GROUPS, 3):
        assert Counter(LABELS[row] for row in fold)[Category.TAXONOMIC] == 4


def test_folds_depend_on_the_seed_and_not_on_the_order_of_rows() -> None:
    order = list(range(20))
    random.Random(1).shuffle(order)
    shuffled = grouped_folds([LABELS[n] for n in order], [GROUPS[n] for n in order], 3)
    as_groups = [{GROUPS[order[row]] for row in fold} for fold in shuffled]
    assert as_groups == [{GROUPS[row] for row in fold} for fold in grouped_folds(LABELS, GROUPS, 3)]
    assert grouped_folds(LABELS, GROUPS, 3, seed=1) != grouped_folds(LABELS, GROUPS, 3, seed=2)


@pytest.mark.parametrize("folds", [0, 1, 7])
def test_too_few_or_too_many_folds_are_refused(folds: int) -> None:
    with pytest.raises(ValueError, match="from 2 to 6"):
        grouped_folds(LABELS, GROUPS, folds)


def test_sizes_count_groups() -> None:
    assert category_sizes(LABELS, GROUPS) == {
        Category.TAXONOMIC: 6,
        Category.NON_TAXONOMIC: 8,
    }
