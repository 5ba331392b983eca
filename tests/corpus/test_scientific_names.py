"""Names and acts on real articles and the species tables; figures in docs/names-and-acts.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.scientific_names import measure


@pytest.fixture(scope="module")
def figures(corpora: Path) -> dict[str, float]:
    return measure(corpora)


def test_mammals_parse_with_their_authorities(figures: dict[str, float]) -> None:
    # The one left has a surname in lower case: "Haddad, & Akbary rad, 2008".
    assert figures["mammal names parsed"] >= figures["mammal names"] - 1 > 6000


def test_names_are_found_with_few_mistakes(figures: dict[str, float]) -> None:
    assert figures["precision"] > 0.99
    assert figures["recall"] > 0.97


def test_acts_divide_taxonomy_from_ecology(figures: dict[str, float]) -> None:
    assert figures["documents taxonomic with acts"] >= 0.97 * figures["documents taxonomic"]
    negatives = figures["documents non-taxonomic"]
    assert figures["documents non-taxonomic with acts"] <= 0.05 * negatives
