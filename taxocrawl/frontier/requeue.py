"""Settled URLs that are to be asked for once more because somebody says so."""

from __future__ import annotations

import re
from fnmatch import translate
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError
from taxocrawl.frontier.base import State

if TYPE_CHECKING:
    from taxocrawl.frontier.base import Frontier

_SETTLED = (State.DONE, State.FAILED, State.GONE)


def requeue(frontier: Frontier, wanted: str) -> int:
    """Select again, for the iteration under way, what is settled; return how many URLs.

    Args:
        frontier: open for writing.
        wanted: ``done``, ``failed`` or ``gone`` for all of that state; else a pattern for whole
            URLs in which ``*`` stands for any text and ``?`` for one character.

    Raises:
        ArgumentError: for the name of a state whose URLs were not asked for yet.
    """
    if wanted in set(State) - set(_SETTLED):
        raise ArgumentError(
            f"requeue {wanted}: expected done, failed, gone, or a pattern of URLs with * and ?"
        )
    iteration = frontier.get_meta("iteration", 0)
    matches = re.compile(translate(wanted)).match
    number = 0
    for entry in frontier.entries():
        if entry.state in _SETTLED and (entry.state == wanted or matches(entry.url)):
            frontier.revisit(entry.url, iteration)
            number += 1
    return number
