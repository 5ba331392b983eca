"""Text that came from the web, made harmless for a page: filters for every template."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from taxocrawl.runs.markup import shown as shown_markup
from taxocrawl.runs.markup import web_link
from taxocrawl.text.normalise import fold_whitespace, normalise_text

register = template.Library()


@register.filter
def shown(value: object, limit: int = 300) -> SafeString:
    """A value on one line, escaped, without control and direction marks, kept apart by `bdi`."""
    text = "" if value is None else str(value)
    return mark_safe(shown_markup(text, limit))  # escaped by shown_markup


@register.filter
def plain(value: object, limit: int = 300) -> str:
    """The same for attributes and for elements that hold no other: template escapes it."""
    text = fold_whitespace(normalise_text("" if value is None else str(value)))
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


@register.filter
def weblink(url: object, text: object = "") -> SafeString:
    """A link out of the desk; the text alone for what is no http or https address."""
    return mark_safe(web_link(str(url or ""), str(text or "")))  # escaped by web_link


@register.filter
def percent(value: object) -> str:
    """A share in [0, 1] in percent; n/a for none."""
    return f"{100 * value:.1f} %" if isinstance(value, int | float) else "n/a"


@register.filter
def kappa(value: object) -> str:
    """A kappa; n/a where it is not defined."""
    return f"{value:.3f}" if isinstance(value, int | float) else "n/a"
