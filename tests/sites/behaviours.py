"""Paths whose answer depends on the request: cookies, login, a calendar without end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, quote


@dataclass(frozen=True, slots=True)
class Outcome:
    """A redirect, a page made on the spot, or (all empty) the route's own content."""

    location: str = ""
    title: str = ""
    body: str = ""
    cookie: str = ""


def self_cookie(target: str, headers: Mapping[str, str]) -> Outcome:
    """Redirects to itself until the client brings the cookie back."""
    if "seen=1" in headers.get("cookie", ""):
        return Outcome()
    return Outcome(location=target, cookie="seen=1; Path=/")


def cookie_never_taken(target: str, _headers: Mapping[str, str]) -> Outcome:
    """Redirects to itself for ever."""
    return Outcome(location=target, cookie="seen=0; Path=/; Max-Age=0")


def login_wall(target: str, _headers: Mapping[str, str]) -> Outcome:
    """Sends every reader to the login form."""
    return Outcome(location=f"/login?next={quote(target)}")


def login_form(_target: str, _headers: Mapping[str, str]) -> Outcome:
    """The form itself."""
    body = (
        '<form method="post" action="/login"><label>E-mail <input name="user" type="email"></label>'
        '<label>Password <input name="password" type="password"></label>'
        "<button>Sign in</button></form>"
        "<p>Access to this article is for subscribers. Sign in to read on, or ask your library.</p>"
    )
    return Outcome(title="Sign in", body=body)


def calendar(target: str, _headers: Mapping[str, str]) -> Outcome:
    """A month without events that links to the next month and to the one before, without end."""
    values = parse_qs(target.partition("?")[2])
    year, month = int(values.get("year", ["2020"])[0]), int(values.get("month", ["1"])[0])
    later, earlier = year * 12 + month, year * 12 + month - 2
    links = "".join(
        f'<p><a href="/events?year={months // 12}&amp;month={months % 12 + 1}">{label}</a></p>'
        for months, label in ((later, "Next month"), (earlier, "Previous month"))
    )
    return Outcome(title=f"Events {year}-{month:02}", body=f"<p>No events.</p>{links}")


BEHAVIOURS: dict[str, Callable[[str, Mapping[str, str]], Outcome]] = {
    function.__name__: function
    for function in (self_cookie, cookie_never_taken, login_wall, login_form, calendar)
}
