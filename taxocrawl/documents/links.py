"""A page's links as absolute URLs, by the rules of the HTML and URL standards."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from taxocrawl.items import Outlink

if TYPE_CHECKING:
    from collections.abc import Iterable

    from taxocrawl.documents.blocks import Anchor

MAX_URL_CHARS = 2083
"""Longer addresses are traps or data; Scrapy's URLLENGTH_LIMIT."""

_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")
_ORIGIN = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*)://[^/?#]*")
_C0_AND_SPACE = "".join(map(chr, range(0x21)))
_LINE_BREAKS = str.maketrans("", "", "\t\n\r")
_NOT_FOLLOWED = frozenset({"nofollow", "ugc", "sponsored"})
_WEB = frozenset({"http", "https"})
_UNSAFE = re.compile(r"[\x00-\x20\"<>]")


class Base:
    """The address against which a page's relative links are resolved.

    `href` is that of the first base element that has one. As in the HTML standard it may itself
    be relative to the page, and one that is no web address is as good as none.
    """

    def __init__(self, page_url: str, href: str | None = None) -> None:
        self.url = page_url
        if href is not None:
            absolute, _ = Base(page_url).resolve(href)
            self.url = absolute or page_url
        match = _ORIGIN.match(self.url)
        self.origin, self.scheme = (match[0], match[1].lower()) if match else ("", "")

    def resolve(self, href: str) -> tuple[str, str]:
        """(absolute URL without fragment, '') or ('', why there is none)."""
        href = clean_href(href).partition("#")[0]
        match = _SCHEME.match(href)
        if match is None:
            absolute = self._join(href)
            if absolute.startswith(self.origin + "/") and len(absolute) <= MAX_URL_CHARS:
                return absolute, ""
        else:
            scheme = match[1].lower()
            if scheme not in _WEB:
                return "", f"scheme {scheme[:20]}"
            absolute = self._with_scheme(scheme, href[match.end() :])
        if len(absolute) > MAX_URL_CHARS:
            return "", "too long"
        return (absolute, "") if _has_host(absolute) else ("", "malformed")

    def _with_scheme(self, scheme: str, rest: str) -> str:
        """`https:path` is relative to a base of the same scheme; slashes too many are no path."""
        rest = _forward_slashes(rest)
        if not rest.startswith("/") and scheme == self.scheme:
            return self._join(rest)
        return f"{scheme}://{rest.lstrip('/')}"

    def _join(self, href: str) -> str:
        href = _forward_slashes(href)
        if href.startswith("/") and not href.startswith("//") and "/." not in href:
            return self.origin + href
        try:
            return urljoin(self.url, href) if href else self.url.partition("#")[0]
        except ValueError:
            return ""


def clean_href(href: str) -> str:
    """An address without white space around it and line breaks in it; unsafe characters encoded."""
    href = href.strip(_C0_AND_SPACE)
    if not href.isprintable():
        href = href.translate(_LINE_BREAKS)
    if _UNSAFE.search(href):
        href = _UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", href)
    return href


def outlinks(anchors: Iterable[Anchor], base: Base) -> tuple[tuple[Outlink, ...], Counter[str]]:
    """Each linked URL once, in document order, and the number of links dropped by reason.

    A URL linked several times has the text and context of its first link that has text, and is
    nofollow only if all its links are.
    """
    found: dict[str, Outlink] = {}
    dropped: Counter[str] = Counter()
    for anchor in anchors:
        url, reason = base.resolve(anchor.href)
        if anchor.hidden or reason:
            dropped[reason or "hidden"] += 1
            continue
        nofollow = bool(anchor.rel) and not _NOT_FOLLOWED.isdisjoint(anchor.rel.lower().split())
        known = found.get(url)
        if known is None:
            found[url] = Outlink(url, anchor.text or anchor.label, anchor.context, nofollow)
        elif (anchor.text and not known.anchor) or (known.nofollow and not nofollow):
            better = anchor if anchor.text and not known.anchor else None
            found[url] = Outlink(
                url,
                better.text if better else known.anchor,
                better.context if better else known.context,
                known.nofollow and nofollow,
            )
    return tuple(found.values()), dropped


def _forward_slashes(href: str) -> str:
    if "\\" not in href:
        return href
    path, mark, query = href.partition("?")
    return path.replace("\\", "/") + mark + query


def _has_host(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in _WEB and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False
