"""What a page or its headers forbid robots to do (robots meta element, X-Robots-Tag)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from taxocrawl.items import Document

# Directives whose value follows a colon: what stands before it is no robot's name.
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


class RobotsDirectives(NamedTuple):
    """What is forbidden: to keep the page in an index, and to follow its links."""

    noindex: bool = False
    nofollow: bool = False


def robots_directives(values: Iterable[str], robot: str = "taxocrawl") -> RobotsDirectives:
    """Directives of X-Robots-Tag headers, or of the contents of robots meta elements.

    A value may begin with the name of the robot that it is for (``googlebot: noindex``); those
    for other robots than `robot` do not count. ``none`` is both.
    """
    words: set[str] = set()
    for value in values:
        applies = True
        for item in value.lower().split(","):
            name, colon, rest = item.partition(":")
            if colon and name.strip() not in _VALUED:
                applies = name.strip() in ("*", robot.lower())
                item = rest
            if applies:
                words.update(item.split())
    none = "none" in words
    return RobotsDirectives(none or "noindex" in words, none or "nofollow" in words)


def apply_directives(
    document: Document, header: RobotsDirectives, *, obey_nofollow: bool
) -> Document:
    """A document with what its headers forbid beside what its markup does.

    One that is not to be indexed gets the flag ``noindex``. Without `obey_nofollow` neither it nor
    any of its links is marked nofollow.
    """
    noindex = document.noindex or header.noindex
    flags = (*document.flags, "noindex") if noindex else document.flags
    document = replace(
        document,
        noindex=noindex,
        nofollow=document.nofollow or header.nofollow,
        flags=tuple(dict.fromkeys(flags)),
    )
    if obey_nofollow:
        return document
    links = tuple(replace(link, nofollow=False) for link in document.outlinks)
    return replace(document, nofollow=False, outlinks=links)
