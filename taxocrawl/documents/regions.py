"""What a page's markup says of its parts: main part, navigation and the like, hidden, italic."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAX_VALUE_CHARS = 1000

# Words of class names and ids that name what is around an article rather than the article.
_BOILERPLATE_WORDS = """
nav navbar navigation menu menubar submenu subnav topbar toolbar breadcrumb breadcrumbs pagination
pager skip skiplink footer masthead sidebar cookie cookies consent gdpr onetrust share sharing
social related recommended recommendation recommendations advert advertisement ad ads promo
outbrain taboola newsletter subscribe login signin modal popup altmetric metrics comments disqus
""".split()
# As a word of its own (`site-nav`, not `navy`; not `has-sidebar`), or in camel case (`siteNav`).
_BOILERPLATE = re.compile(
    "(?<![a-zA-Z])(?<!has-)(?<!with-)(?<!no-)(?:{low})(?![a-z])|(?<=[a-z])(?:{high})(?![a-z])".format(
        low="|".join(f"[{word[0]}{word[0].upper()}]{word[1:]}" for word in _BOILERPLATE_WORDS),
        high="|".join(word.capitalize() for word in _BOILERPLATE_WORDS),
    )
)
_BOILERPLATE_TAGS = frozenset({"nav", "footer", "aside", "menu", "dialog", "search"})
_BOILERPLATE_ROLES = frozenset(
    {"navigation", "contentinfo", "complementary", "banner", "search", "dialog", "alert", "menu"}
)
_WHOLE_PAGE = frozenset({"html", "body"})
_MAIN_TAGS = frozenset({"main", "article"})
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_ITALIC = re.compile(r"\bitalic\b", re.IGNORECASE)


def is_main(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element holds the page's main part."""
    return tag in _MAIN_TAGS or attributes.get("role") == "main"


def is_boilerplate(tag: str, attributes: Mapping[str, str], in_main: bool) -> bool:
    """Whether an element is navigation, a banner, a footer or the like.

    A header is the page's banner unless it stands `in_main`, where it has the article's title.
    """
    if tag in _WHOLE_PAGE:
        return False
    if tag in _BOILERPLATE_TAGS or (tag == "header" and not in_main):
        return True
    if not attributes:
        return False
    names = f"{attributes.get('class', '')} {attributes.get('id', '')}"
    return attributes.get("role") in _BOILERPLATE_ROLES or _names_boilerplate(
        names[:_MAX_VALUE_CHARS]
    )


@lru_cache(maxsize=4096)
def _names_boilerplate(names: str) -> bool:
    return _BOILERPLATE.search(names) is not None


def is_hidden(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element is hidden by its own attributes; the whole page never counts as hidden."""
    if tag in _WHOLE_PAGE or tag in _MAIN_TAGS:
        return False
    if "hidden" in attributes:
        return attributes["hidden"].lower() != "until-found"
    style = attributes.get("style", "")
    return bool(style) and _HIDDEN_STYLE.search(style[:_MAX_VALUE_CHARS]) is not None


def is_italic(attributes: Mapping[str, str]) -> bool:
    """Whether an element's style or class sets its text in italics."""
    values = (attributes.get("style", ""), attributes.get("class", ""))
    return any(_ITALIC.search(value[:_MAX_VALUE_CHARS]) for value in values if value)
