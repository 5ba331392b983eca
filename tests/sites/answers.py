"""From a host and a request to an answer: looks up the route and renders what stands there."""

from __future__ import annotations

import gzip
import html
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from urllib.parse import quote, unquote

from tests.sites import behaviours, render, search
from tests.sites.content import CONTENT, Host, Route, absolute, doi_targets, hosts, lookup

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Request:
    """What the server read from the client."""

    address: str
    target: str
    """Path and query as sent."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """By name in lower case."""

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        return self.target.partition("?")[2]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server sends; status -1 closes the connection without a word."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def answer(request: Request, port: int) -> Answer:
    """The answer of the small web on `port` to a request."""
    host = _hosts_by_address()[request.address]
    if host.key == "search" and (found := _service(request, port)):
        return found
    route = lookup(host, unquote(request.target))
    if route is None:
        return _unknown(host, request, port)
    if route.behaviour:
        return _behaviour(host, route, request, port)
    return _settled(host, route, port)


@cache
def _hosts_by_address() -> dict[str, Host]:
    return {host.address: host for host in hosts().values()}


def _service(request: Request, port: int) -> Answer | None:
    """The search and the DOI resolver."""
    if request.path == "/works":
        try:
            return _json(200, search.works(request.query, port))
        except search.BadQueryError as error:
            return _json(400, search.refusal(str(error)))
    if request.path.startswith("/works/"):
        found = search.work(unquote(request.path.removeprefix("/works/")), port)
        return (
            _json(200, found) if found else Answer(404, b"Resource not found.", _type("text/plain"))
        )
    if request.path.startswith("/doi/"):
        target = doi_targets().get(unquote(request.path.removeprefix("/doi/")).lower())
        return _redirect(302, target, port) if target else None
    return None


def _json(status: int, body: object) -> Answer:
    headers = {
        "Content-Type": "application/json",
        "x-rate-limit-limit": "50",
        "x-rate-limit-interval": "1s",
    }
    return Answer(status, json.dumps(body, ensure_ascii=False).encode(), headers)


def _type(value: str) -> dict[str, str]:
    return {"Content-Type": value}


def _redirect(status: int, target: str, port: int) -> Answer:
    location = quote(absolute(target, port), safe="/:?&=;%")
    return Answer(status, b"", {"Location": location, "Content-Type": HTML})


@cache
def _settled(host: Host, route: Route, port: int) -> Answer:
    """An answer that is the same for every request."""
    if route.redirect:
        return _redirect(route.status or 302, route.redirect, port)
    if route.error:
        return _error(host, route.error, port)
    body, kind = _content(host, route, port)
    if route.gzipped:
        body = gzip.compress(body, mtime=0)
    if route.cut:
        body = body[: route.cut]
    named = {"Content-Type": route.type or kind, "Content-Disposition": route.disposition}
    headers = {name: value for name, value in named.items() if value not in {"", "none"}}
    return Answer(route.status or 200, body, headers)


def _content(host: Host, route: Route, port: int) -> tuple[bytes, str]:
    if route.pdf:
        return (CONTENT / "pdf" / f"{route.pdf}.pdf").read_bytes(), "application/pdf"
    if route.file:
        return (CONTENT / "files" / route.file).read_bytes(), "application/octet-stream"
    renderer = render.article if route.article else render.landing if route.landing else render.page
    body = renderer(host, route, port).encode(route.encoding, "xmlcharrefreplace")
    return body, HTML if route.encoding == "utf-8" else "text/html"


def _error(host: Host, status: int, port: int) -> Answer:
    if status < 0:
        return Answer(status)
    phrase = HTTPStatus(status).phrase
    body = render.simple(host, phrase, f"<p>{status}: {phrase}.</p>", port)
    return Answer(status, body.encode(), _type(HTML))


def _unknown(host: Host, request: Request, port: int) -> Answer:
    if not host.soft404 or request.path == "/robots.txt":
        return _error(host, 404, port)
    body = (
        f"<p>Sorry, the page {html.escape(request.path)} has moved to a better place. Try the "
        '<a href="/">home page</a> or <a href="help/search.html">search for it</a>.</p>'
    )
    return Answer(200, render.simple(host, "Sorry", body, port).encode(), _type(HTML))


def _behaviour(host: Host, route: Route, request: Request, port: int) -> Answer:
    outcome = behaviours.BEHAVIOURS[route.behaviour](request.target, request.headers)
    headers = {"Set-Cookie": outcome.cookie} if outcome.cookie else {}
    if outcome.location:
        found = _redirect(302, outcome.location, port)
    elif outcome.body:
        page = render.simple(host, outcome.title, outcome.body, port)
        found = Answer(200, page.encode(), _type(HTML))
    else:
        found = _settled(host, _without_behaviour(route), port)
    return Answer(found.status, found.body, {**found.headers, **headers})


def _without_behaviour(route: Route) -> Route:
    return Route(article=route.article, landing=route.landing, page=route.page, pdf=route.pdf)
