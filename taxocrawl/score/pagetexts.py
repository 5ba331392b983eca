"""The texts of a page by which a link model learns the topic's words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

_LEAD_WORDS = 2_000
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class PageTexts:
    """What a page says at its beginning, and near each of its links."""

    lead: str = ""
    contexts: tuple[str, ...] = ()
    """Of the links, in their order."""


NO_TEXTS = PageTexts()


def lead(text: str) -> str:
    """The first 2,000 words of a text: enough to tell what it is about."""
    return " ".join(match[0] for match in islice(_WORD.finditer(text), _LEAD_WORDS))
