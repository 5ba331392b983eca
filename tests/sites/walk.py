"""Walks the small web without a network: what an ideal crawler with perfect judgement would see."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

from tests.sites.answers import Answer, Request, answer
from tests.sites.content import hosts
from tests.sites.search import works

PORT = 8080
LINK = re.compile(r'<a href="([^"]+)"( rel="nofollow")?')
SESSION = re.compile(r";jsessionid=\w+|[?&]utm_\w+=\w+")


@dataclass(frozen=True, slots=True)
class Visit:
    """Where a request ended after redirects."""

    address: str
    """``//host/path``"""
    url: str
    answer: Answer


def address_of(url: str) -> str:
    """A URL as ``//host/path``."""
    parts = urlsplit(url)
    key = next(host.key for host in hosts().values() if host.address == parts.hostname)
    return f"//{key}{parts.path}{'?' if parts.query else ''}{parts.query}"


def visit(url: str, limit: int = 5) -> Visit | None:
    """Follow redirects, keeping cookies; None when they do not end."""
    cookie = ""
    for _ in range(limit):
        parts = urlsplit(url)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        found = answer(Request(str(parts.hostname), target, {"cookie": cookie}), PORT)
        cookie = found.headers.get("Set-Cookie", cookie).partition(";")[0]
        if "Location" not in found.headers:
            return Visit(address_of(url), url, found)
        url = urljoin(url, found.headers["Location"])
    return None


def links(found: Visit) -> list[tuple[str, bool]]:
    """(absolute URL without fragment, whether nofollow) of an HTML page's http links."""
    if b"<html" not in found.answer.body[:200]:
        return []
    page = found.answer.body.decode("utf-8", "replace")
    absolute = [(urljoin(found.url, unescape(href)), bool(rel)) for href, rel in LINK.findall(page)]
    return [(url, rel) for url, rel in absolute if url.startswith("http://127.")]


def allowed(url: str) -> bool:
    """Whether the host's robots.txt lets everybody fetch a URL."""
    parts = urlsplit(url)
    robots = answer(Request(str(parts.hostname), "/robots.txt"), PORT)
    rules = RobotFileParser()
    rules.parse(robots.body.decode("utf-8-sig").splitlines() if robots.status == 200 else [])
    return rules.can_fetch("taxocrawl", url)


def seeds(query: str) -> list[str]:
    """The best link of each search result: the PDF, else the resource, else the DOI's."""
    urls = []
    for item in works(f"query={query}&rows=100", PORT)["message"]["items"]:
        pdfs = [link["URL"] for link in item.get("link", [])]
        resource = item.get("resource", {}).get("primary", {}).get("URL")
        urls.append(pdfs[0] if pdfs else resource or item.get("URL"))
    return [url for url in urls if url]


def right_crawl(query: str, relevant: frozenset[str], iterations: int) -> dict[str, int]:
    """Addresses of the relevant documents that can be reached, with their iteration.

    Links of other documents, nofollow links and those of pages marked nofollow are not followed.
    """
    found: dict[str, int] = {}
    seen: set[str] = set()
    batch = seeds(query)
    for iteration in range(iterations + 1):
        following: list[str] = []
        for url in map(canonical, batch):
            if url in seen or not allowed(url):
                continue
            seen.add(url)
            end = visit(url)
            if end is None or end.answer.status != 200 or end.address not in relevant:
                continue
            directives = re.search(rb'name="robots" content="([^"]+)"', end.answer.body)
            if not directives or b"noindex" not in directives[1]:
                found.setdefault(end.address, iteration)
            if not directives or b"nofollow" not in directives[1]:
                following += [link for link, nofollow in links(end) if not nofollow]
        batch = following
    return found


def canonical(url: str) -> str:
    """Without session ids and tracking parameters."""
    return SESSION.sub("", url)
