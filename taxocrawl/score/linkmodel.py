"""Models that score waiting links again as pages come in, by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from taxocrawl.exceptions import ArgumentError
from taxocrawl.frontier.urls import canonicalize, host_of
from taxocrawl.score.learned import LearnedLinks
from taxocrawl.score.linkstructure import ORDERINGS, LinkStructure
from taxocrawl.score.pagetexts import NO_TEXTS, PageTexts, lead

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from taxocrawl.items import Document, Outlink
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
        texts: PageTexts = NO_TEXTS,
    ) -> dict[str, float]:
        """Take in a fetched page; return the scores of those of its links that wait.

        Args:
            url: canonical, as all others.
            score: the page's topic score, in [0, 1].
            links: URL, host, and the scores of the link's parts.
            aliases: other URLs by which links lead to the page.
            texts: of the page and its links, for a model that reads them.
        """

    @property
    def reads_texts(self) -> bool:
        """Whether the model has a use for texts."""

    @property
    def due(self) -> bool:
        """Whether it is time to score waiting links again."""

    def rescore(self) -> dict[str, float]:
        """The scores, in [0, 1], of links that wait, by URL: at least of those whose score has
        changed enough to matter since it was last given."""


def learn(
    model: LinkModel,
    page: Document,
    score: float,
    urls: Sequence[str],
    links: Sequence[Outlink] = (),
    scores: Sequence[LinkScore] = (),
) -> tuple[list[float], dict[str, float]]:
    """Tell a model of a fetched page, and score waiting links again when it is time.

    Args:
        model: learns of the page.
        page: what was read of it.
        score: its topic score, in [0, 1].
        urls: by which it is known, the final one first.
        links: those of its links that are followed.
        scores: of the links, with their parts.

    Returns:
        The new scores of the links, as they were where the model has none; and by URL those of
        waiting links (`LinkModel.rescore`), or nothing when it was not time.
    """
    keys = [canonicalize(link.url) for link in links]
    told = [(key, host_of(key), found) for key, found in zip(keys, scores, strict=True)]
    url, *aliases = dict.fromkeys(map(canonicalize, urls))
    texts = NO_TEXTS
    if model.reads_texts:
        nearby = tuple(link.context for link in links)
        texts = PageTexts(lead(f"{page.title}\n{page.text}"), nearby)
    learned = model.add_page(url, score, told, aliases, texts)
    waiting = model.rescore() if model.due else {}
    learned |= {key: waiting[key] for key in learned if key in waiting}
    return [learned.get(key, s.score) for key, s in zip(keys, scores, strict=True)], waiting


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
