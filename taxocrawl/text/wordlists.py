"""The word lists that ship inside the package, in `data/`."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of one list, divided by white space."""
    text = resources.files("taxocrawl.text").joinpath("data", name).read_text("utf-8")
    return frozenset(text.split())
