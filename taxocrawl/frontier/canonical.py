"""Which rel=canonical is believed: it makes another address an alias that is never asked for."""

from __future__ import annotations

from taxocrawl.frontier.traps import PAGINATION, pattern_of
from taxocrawl.frontier.urls import canonicalize, unfetchable


def trusted_canonical(url: str, canonical_url: str) -> str:
    """The canonical address of a page when it is to be an alias of it; else empty.

    It must be of the same site (``www.`` and https aside), and name the page as closely as its own
    address does: templates that name the home page, the first page of a list, or the address
    without the article's number on every page would hide pages that nobody has seen.

    Args:
        url: the page's address, after redirects.
        canonical_url: absolute, as the page names it.
    """
    if not canonical_url or unfetchable(canonical_url):
        return ""
    own, named = canonicalize(url), canonicalize(canonical_url)
    own_site, own_path, own_arguments = _parts(own)
    site, path, arguments = _parts(named)
    if own == named or site != own_site:
        return ""
    if path.strip("/") == "" and not arguments and own_path.strip("/") != "":
        return ""
    if pattern_of(own).kind == PAGINATION and pattern_of(named).kind != PAGINATION:
        return ""
    values = {argument.partition("=")[2] for argument in arguments}
    numbers = {value for a in own_arguments if (value := a.partition("=")[2]).isdecimal()}
    # A number may have moved from the query into the path.
    return named if all(n in values or n in path for n in numbers) else ""


def _parts(canonical: str) -> tuple[str, str, list[str]]:
    """Site (without scheme and ``www.``), path and arguments of a canonical URL."""
    head, _, query = canonical.partition("://")[2].partition("?")
    site, _, path = head.partition("/")
    return site.removeprefix("www."), path, query.split("&") if query else []
