from __future__ import annotations

import pytest

from taxocrawl.evaluate.agreement import cohen_kappa, consensus, fleiss_kappa


def test_cohens_kappa_of_a_known_table() -> None:
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert cohen_kappa(pairs) == pytest.approx(0.4)


def test_cohens_kappa_of_full_agreement_and_of_its_opposite() -> None:
    assert cohen_kappa([(1, 1), (0, 0)]) == 1
    assert cohen_kappa([(1, 0), (0, 1)]) == -1


@pytest.mark.parametrize("pairs", [[], [(1, 1)], [(1, 1)] * 5])
def test_cohens_kappa_is_undefined_where_chance_explains_all(pairs: list[tuple[int, int]]) -> None:
    assert cohen_kappa(pairs) is None


# The example of Fleiss (1971) as reference works print it: 10 subjects, 14 raters, 5 categories.
FLEISS = [
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
]


def labels(counts: tuple[int, ...]) -> list[int]:
    return [label for label, count in enumerate(counts) for _ in range(count)]


def test_fleiss_kappa_of_a_known_table() -> None:
    assert fleiss_kappa(map(labels, FLEISS)) == pytest.approx(0.210, abs=0.0005)


def test_fleiss_kappa_leaves_out_what_one_person_judged() -> None:
    documents = [["y", "y"], ["n", "n"], ["y", "n"]]
    assert fleiss_kappa([*documents, ["y"], []]) == fleiss_kappa(documents)


def test_fleiss_kappa_takes_documents_with_more_judges_than_others() -> None:
    assert fleiss_kappa([["y", "y", "y"], ["n", "n"]]) == 1


@pytest.mark.parametrize("documents", [[], [["y"]], [["y", "y"], ["y", "y"]]])
def test_fleiss_kappa_is_undefined_where_chance_explains_all(documents: list[list[str]]) -> None:
    assert fleiss_kappa(documents) is None


@pytest.mark.parametrize(
    ("given", "expected"),
    [([], "?"), (["y"], "y"), (["y", "n"], "?"), (["y", "n", "y"], "y"), (["y", "n", "m"], "?")],
)
def test_consensus_is_what_more_than_half_say(given: list[str], expected: str) -> None:
    assert consensus(given, "?") == expected
