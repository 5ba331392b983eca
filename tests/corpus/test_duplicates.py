"""Copies of real documents are found, and different documents are not taken for copies."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from benchmarks.duplicates import Sample, samples
from taxocrawl.documents.duplicates import FULL_TEXT_WORDS, same_work


@pytest.fixture(scope="module")
def found(shared: Path) -> list[Sample]:
    return samples(shared, every=4)


def _share_found(found: list[Sample], how: str) -> float:
    originals = {
        sample.work: sample
        for sample in found
        if sample.how == "original" and sample.marks.words > 1.2 * FULL_TEXT_WORDS
    }
    copies = [sample for sample in found if sample.how == how and sample.work in originals]
    assert len(copies) > 30
    return sum(bool(same_work(originals[copy.work].marks, copy.marks)) for copy in copies) / len(
        copies
    )


@pytest.mark.parametrize(
    "how", ["other menus", "1 % misread", "3 % misread", "hyphenated", "10 % cut", "jats"]
)
def test_copies_of_full_texts_are_found_by_their_text(found: list[Sample], how: str) -> None:
    assert _share_found(found, how) >= 0.97


def test_different_documents_are_not_copies(found: list[Sample]) -> None:
    different = [sample for sample in found if sample.how in ("original", "template")]
    assert len(different) > 300
    wrong = [
        (one.work, other.work, how)
        for one, other in itertools.combinations(different, 2)
        if one.work != other.work and (how := same_work(one.marks, other.marks))
    ]
    assert wrong == []
