"""Models that score waiting links again as pages come in, by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from taxocrawl.exceptions import ArgumentError
from taxocrawl.score.learned import LearnedLinks
from taxocrawl.score.linkstructure import ORDERINGS, LinkStructure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from taxocrawl.score.links import LinkScore

LEARNED = "learned"


class LinkModel(Protocol):
    """Knows the links between pages, and which links wait."""

    def add_page(
        self,
        url: str,
        score: float,
        links: Sequence[tuple[str, str, LinkScore]],
        aliases: Sequence[str] = (),
    ) -> dict[str, float]:
        """Take in a fetched page; return the scores of those of its links that wait.

        Args:
            url: canonical, as all others.
            score: the page's topic score, in [0, 1].
            links: URL, host, and the scores of the link's parts.
            aliases: other URLs by which links lead to the page.
        """

    @property
    def due(self) -> bool:
        """Whether it is time to score waiting links again."""

    def rescore(self) -> dict[str, float]:
        """The scores, in [0, 1], of all links that wait, by URL."""


def make_link_model(name: str, params: Mapping[str, Any] | None = None) -> LinkModel | None:
    """The model of a name, ``learned`` or one of `ORDERINGS`; None for an empty name.

    Raises ArgumentError for an unknown name or parameter, or a value out of range.
    """
    if not name:
        return None
    if name != LEARNED and name not in ORDERINGS:
        raise ArgumentError(
            f"LINKSCORE_MODEL={name}: expected {', '.join((LEARNED, *ORDERINGS))} or nothing"
        )
    try:
        if name == LEARNED:
            return LearnedLinks(**(params or {}))
        return LinkStructure(name, **(params or {}))
    except TypeError as error:
        raise ArgumentError(f"LINKSCORE_MODEL_PARAMS: {error}") from error
