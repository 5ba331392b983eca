"""The measures of ndeval, written down from their definitions and independent of its code.

Clarke et al. (SIGIR 2008, ICTIR 2009), Agrawal et al. (WSDM 2009), Zhai et al. (SIGIR 2003); scaled
as TREC's ndeval scales them: by a list that has every subtopic at every rank.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

ALPHA = BETA = 0.5
CUTOFFS = (5, 10, 20)
Subtopics = Mapping[str, set[str]]
"""Relevant documents of a query, each with the subtopics it is relevant to."""


def gains(subtopics: Subtopics, order: Sequence[str]) -> list[float]:
    """What each document adds: (1 - alpha)^(times seen before), over its subtopics."""
    seen: dict[str, int] = {}
    found = []
    for id_ in order:
        found.append(sum((1 - ALPHA) ** seen.get(one, 0) for one in subtopics.get(id_, ())))
        for one in subtopics.get(id_, ()):
            seen[one] = seen.get(one, 0) + 1
    return found


def ideal_order(subtopics: Subtopics) -> list[str]:
    """The greedy ideal; ties go to the id that is last in the alphabet."""
    order: list[str] = []
    seen: dict[str, int] = {}
    left = sorted(subtopics, reverse=True)
    while left:
        pick = max(
            left, key=lambda id_: sum((1 - ALPHA) ** seen.get(one, 0) for one in subtopics[id_])
        )
        left.remove(pick)
        order.append(pick)
        for one in subtopics[pick]:
            seen[one] = seen.get(one, 0) + 1
    return order


def figures(subtopics: Subtopics, order: Sequence[str]) -> dict[str, float]:
    """Every measure of one ranking."""
    names = set().union(*subtopics.values())
    own, best = gains(subtopics, order), gains(subtopics, ideal_order(subtopics))
    every = [len(names) * (1 - ALPHA) ** rank for rank in range(20)]
    found = {}
    for cutoff in CUTOFFS:
        for name, discount in (("alpha-DCG", _log), ("ERR-IA", _reciprocal)):
            total, ideal = _sum(own, cutoff, discount), _sum(best, cutoff, discount)
            normal = {"alpha-DCG": "alpha-nDCG", "ERR-IA": "nERR-IA"}[name]
            found[f"{name}@{cutoff}"] = total / _sum(every, cutoff, discount)
            found[f"{normal}@{cutoff}"] = total / ideal
        top = [subtopics.get(id_, set()) for id_ in order[:cutoff]]
        found[f"P-IA@{cutoff}"] = sum(map(len, top)) / cutoff / len(names)
        found[f"strec@{cutoff}"] = len(set().union(*top)) / len(names)
    patience = _sum(own, len(own), _patience)
    found["NRBP"] = patience * (1 - (1 - ALPHA) * BETA) / len(names)
    found["nNRBP"] = patience / _sum(best, len(best), _patience)
    found["MAP-IA"] = sum(_precision(subtopics, order, name) for name in names) / len(names)
    return found


def _log(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def _reciprocal(rank: int) -> float:
    return 1 / rank


def _patience(rank: int) -> float:
    return BETA ** (rank - 1)


def _sum(values: Sequence[float], cutoff: int, discount: Callable[[int], float]) -> float:
    return sum(value * discount(rank) for rank, value in enumerate(values[:cutoff], start=1))


def _precision(subtopics: Subtopics, order: Sequence[str], name: str) -> float:
    """Average precision for one subtopic."""
    relevant = {id_ for id_, found in subtopics.items() if name in found}
    hits, total = 0, 0.0
    for rank, id_ in enumerate(order, start=1):
        if id_ in relevant:
            hits += 1
            total += hits / rank
    return total / len(relevant)
