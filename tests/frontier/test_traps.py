"""Which links are refused by their URL, and when a pattern of URLs is given up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

import pytest

from taxocrawl.documents.duplicates import template_hash
from taxocrawl.frontier.base import Candidate, Frontier, Outcome, State
from taxocrawl.frontier.canonical import trusted_canonical
from taxocrawl.frontier.selection import All
from taxocrawl.frontier.traps import (
    BOILERPLATE,
    CALENDAR,
    PAGINATION,
    Yield,
    pattern_of,
    refusal,
    spent,
)
from tests.frontier.conftest import Open, offer

OJS = "https://j.example/index.php/mammals"
REFUSED = [
    ("https://e.org/" + "a/b1/" * 9, "path too deep"),
    ("https://e.org/a/b/a/b/a/b", "repeated segments"),
    ("https://e.org/x/news/news/news/1", "repeated segments"),
    ("https://e.org/a/b/c/a/b/c/a/b/c/page.html", "repeated segments"),
    ("https://e.org/x?" + "&".join(f"p{n}=1" for n in range(11)), "parameters"),
    ("https://e.org/x?f=1&f=2&f=3", "parameters"),
    (f"{OJS}/stats?statisticsYear=7749", "calendar"),
    ("https://e.org/archive?year=1066", "calendar"),
    (f"{OJS}/about/statistics?statisticsYear=2019", "journal system"),
    (f"{OJS}/about/editorialPolicies", "journal system"),
    (f"{OJS}/en_US/about", "journal system"),
    (f"{OJS}/search/authors/view?firstName=A", "journal system"),
    (f"{OJS}/login", "journal system"),
    (f"{OJS}/user/register", "journal system"),
    (f"{OJS}/rt/captureCite/12/34/BibtexCitationPlugin", "journal system"),
    ("https://j.example/rt/printerFriendly/12/34", "journal system"),
    ("https://j.example/mammals/rt/metadata/12/0", "journal system"),
    (f"{OJS}/citationstylelanguage/get/apa?submissionId=12", "journal system"),
    (
        "https://j.example/mammals/citationstylelanguage/download/ris?submissionId=12",
        "journal system",
    ),
    (f"{OJS}/article/view/12?setLocale=pt_BR", "journal system"),
    ("https://j.example/mammals/user/setLocale/fr_CA?source=%2Fmammals", "journal system"),
    (f"{OJS}/oai?verb=ListRecords", "journal system"),
    (f"{OJS}/gateway/plugin/WebFeedGatewayPlugin/rss2", "journal system"),
    (f"{OJS}/issue/feed", "journal system"),
    ("https://p.example/action/showCitFormats?doi=10.5555/x.1", "journal system"),
    ("https://p.example/article/12/export/bibtex", "journal system"),
    ("https://eprints.example/cgi/export/12/BibTeX/12.bib", "journal system"),
    ("https://e.org/wiki/Bat?printable=yes", "printable copy"),
    ("https://e.org/a/12/print", "printable copy"),
    ("https://e.org/a?id=12&tmpl=component", "printable copy"),
    ("https://e.org/search?q=bat&sort=date", "search results"),
    ("https://e.org/discover?filtertype=author&filter=x&order=asc", "search results"),
    ("https://e.org/products?sort=price&dir=asc", "search results"),
    ("https://e.org/w/index.php?title=Bat&action=edit", "service page"),
    ("https://e.org/w/index.php?title=Bat&oldid=1234", "service page"),
    ("https://blog.example/2019/03/bats/feed/", "service page"),
    ("https://blog.example/2019/03/bats/?replytocom=12", "service page"),
    ("https://e.org/login?back=/x", "service page"),
]
FOLLOWED = [
    f"{OJS}/article/view/1905/12",
    f"{OJS}/article/download/1905/12",
    f"{OJS}/issue/view/7",
    f"{OJS}/issue/archive",
    "https://j.example/mammals/article/view/12",
    "https://doi.org/10.5555/about.search.login",
    "https://j.example/doi/full/10.5555/stats.2019.1",
    "https://zookeys.example/article/1905/list/12/",
    "https://e.org/toc/12/12/12",
    "https://repo.example/handle/123456789/4711",
    "https://repo.example/bitstream/handle/1/2/a.pdf?sequence=1&isAllowed=y",
    "https://e.org/search?q=pteropus",
    "https://e.org/browse?type=dateissued&rpp=20",
    "https://e.org/a/b/a/b",
    "https://e.org/en/en/x",
    "https://e.org/news/printing-of-the-atlas",
    "https://e.org/logins-of-the-past.html",
    "https://blog.example/2019/03/bats-of-laos/",
    "https://e.org/x?year=2019&issue=3",
    "https://e.org/about",
]


@pytest.mark.parametrize(("url", "reason"), REFUSED)
def test_refused_by_url(url: str, reason: str) -> None:
    assert refusal(url) == reason


@pytest.mark.parametrize("url", FOLLOWED)
def test_followed(url: str) -> None:
    assert refusal(url) == ""


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://e.org/stats?year=2020", CALENDAR),
        ("https://e.org/calendar/2007/1", CALENDAR),
        ("https://e.org/events?date=2020-05-01", CALENDAR),
        ("https://e.org/x?tribe-bar-date=2020-05-01", CALENDAR),
        ("https://e.org/2007/05/", CALENDAR),
        ("https://e.org/2007-05-31", CALENDAR),
        ("https://e.org/j?statisticsYear=2020", CALENDAR),
        ("https://e.org/list?page=2", PAGINATION),
        ("https://e.org/list?cat=bats&start=20", PAGINATION),
        ("https://e.org/list/page/2", PAGINATION),
        ("https://e.org/list/page2.html", PAGINATION),
        ("https://e.org/toc?vol=2", BOILERPLATE),
        ("https://e.org/article/1905/12", BOILERPLATE),
        ("https://e.org/article?year=2007&id=12", BOILERPLATE),
        ("https://e.org/2007/05/bats-of-laos", BOILERPLATE),
        ("https://e.org/pages/bats", BOILERPLATE),
        ("https://e.org/calendar", BOILERPLATE),
    ],
)
def test_kind_of_pattern(url: str, kind: str) -> None:
    assert pattern_of(url).kind == kind


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://e.org/stats?year=2020", "https://e.org/stats?year=2021", True),
        ("https://e.org/calendar/2007/1", "https://e.org/calendar/1999/12", True),
        ("https://e.org/list?cat=bats&page=1", "https://e.org/list?cat=bats&page=2", True),
        ("https://e.org/list?cat=bats&page=1", "https://e.org/list?cat=rats&page=1", False),
        ("https://e.org/slow/Bat", "https://e.org/slow/Rat", True),
        ("https://e.org/slow/Bat", "https://e.org/fast/Bat", False),
        ("https://e.org/slow/Bat", "https://f.org/slow/Bat", False),
        ("https://e.org/slow/Bat", "https://e.org:81/slow/Bat", False),
        ("https://e.org/about", "https://e.org/help", False),
        ("https://e.org/edit/12/history", "https://e.org/edit/13/history", True),
    ],
)
def test_same_pattern(one: str, other: str, same: bool) -> None:
    assert (pattern_of(one).key == pattern_of(other).key) is same


def _after(kind_of: str, brought: Iterable[bool], **more: int) -> bool:
    past = Yield()
    for productive in brought:
        past.add(productive=productive)
    return spent(pattern_of(kind_of), past, **more)


def test_when_a_pattern_is_spent() -> None:
    calendar, pages, other = "http://e.org/s?year=1", "http://e.org/l?page=1", "http://e.org/a/b"
    assert not _after(calendar, [False] * 9)
    assert _after(calendar, [False] * 10)
    assert _after(calendar, [False] * 8, under_way=2)
    assert _after(calendar, [True] + [False] * 9)
    assert not _after(calendar, [True, True, False] * 20)
    assert not _after(pages, [True] * 39 + [False])
    assert _after(pages, [True] * 39 + [False] * 2)
    assert not _after(pages, [False, True] * 9)
    assert not _after(other, [True] * 5 + [False] * 14)
    assert _after(other, [True] * 5 + [False] * 15)
    assert _after(other, [False] * 3, budget=3)


Site = Callable[[str], tuple[str, list[str]]]


def _crawl(frontier: Frontier, start: list[str], site: Site, limit: int = 500) -> list[str]:
    """Crawl as the pipelines do; the site gives text and links for a path with query."""
    frontier.push([offer(url) for url in start], -1)
    asked: list[str] = []
    for iteration in range(200):
        if not frontier.select(All(), iteration):
            break
        while entry := frontier.pop():
            if entry.depth and (reason := frontier.trap(entry.url)):
                frontier.settle(Outcome(entry.id, State.DONE, reason, refused={reason: 1}))
                continue
            asked.append(entry.url)
            assert len(asked) < limit
            text, links = site(entry.url)
            frontier.settle(
                Outcome(
                    entry.id,
                    State.DONE if text else State.GONE,
                    fetch={"url": entry.url},
                    links=[
                        Candidate(link, 0.5, depth=entry.depth + 1)
                        for link in links
                        if not refusal(link) and not frontier.trap(link)
                    ],
                    template_hash=template_hash(text),
                )
            )
    return asked


MENUS = [f"http://e.org/menu/{n}" for n in range(40)]


def _counters(url: str) -> tuple[str, list[str]]:
    """URL-06: statistics without end, twelve volumes, a list that goes on when it is empty."""
    parts = urlsplit(url)
    value = parts.query.partition("=")[2]
    if parts.path == "/stats":
        year = int(value)
        links = [f"http://e.org/stats?year={year - 1}", f"http://e.org/stats?year={year + 1}"]
        return f"Statistics of {year}", MENUS + links
    if parts.path == "/toc":
        volume = int(value)
        articles = [f"http://e.org/article/{volume}-{n}" for n in range(8)]
        following = [f"http://e.org/toc?vol={volume + 1}"] if volume < 12 else []
        return f"Volume {volume}", articles + following
    if parts.path == "/list":
        page = int(value)
        items = [f"http://e.org/item/{page}-{n}" for n in range(5)] if page <= 40 else []
        return f"Page {page}", [*items, f"http://e.org/list?page={page + 1}"]
    letters = "".join(chr(97 + int(digit)) for digit in url if digit.isdigit())
    return f"A page of its own: {parts.path} {letters}", []


def test_counters_without_an_end(frontier: Frontier) -> None:
    """URL-06"""
    starts = ["stats?year=2020", "toc?vol=1", "list?page=1"]
    asked = _crawl(frontier, [f"http://e.org/{path}" for path in starts], _counters)

    def number(path: str) -> int:
        return sum(url.startswith(f"http://e.org/{path}") for url in asked)

    assert number("stats") == 4
    assert number("toc") == 12
    assert number("article") == 96
    assert 40 < number("list") <= 43
    assert number("item") == 200
    assert (number("stats") - 1 + number("list") - 40) / len(asked) <= 0.05
    refusals = frontier.refusals()
    assert refusals["calendar"] >= 1
    assert refusals["pagination"] == 1


def test_state_survives_a_restart(open_frontier: Open) -> None:
    frontier = open_frontier()
    asked = _crawl(frontier, ["http://e.org/stats?year=2020"], _counters)
    frontier.close()
    frontier = open_frontier()
    assert frontier.trap("http://e.org/stats?year=1950") == "calendar"
    assert _crawl(frontier, ["http://e.org/stats?year=1950"], _counters) == [
        "http://e.org/stats?year=1950"
    ]
    assert len([url for url in asked if "stats" in url]) == 4
    frontier.close()


def test_pages_of_one_text_are_given_up(frontier: Frontier) -> None:
    links = [f"http://e.org/slow/{name}" for name in map(chr, range(97, 123))]
    asked = _crawl(
        frontier,
        ["http://e.org/"],
        lambda url: ("Home", links) if url.endswith("/") else ("Statistics: counting", []),
    )
    # The first has a text of its own; each of the others weighs as much as four dead links.
    assert len(asked) == 1 + 1 + 3
    assert frontier.refusals() == {"boilerplate": 26 - 4}


def test_dead_links_are_given_up_but_not_dois(frontier: Frontier) -> None:
    links = [f"http://e.org/{kind}/{n}" for kind in ("gone", "doi/10.5555") for n in range(30)]
    asked = _crawl(
        frontier, ["http://e.org/"], lambda url: ("Home", links) if url.endswith("/") else ("", [])
    )
    assert sum("gone" in url for url in asked) == 10
    assert sum("doi" in url for url in asked) == 30


def test_shortcuts_to_known_pages_are_given_up(frontier: Frontier) -> None:
    frontier.push([offer("http://e.org/wiki/bat")], -1)
    frontier.push([offer(f"http://e.org/go/{n}") for n in range(12)], -1)
    frontier.push([offer(f"http://f.org/w/{n}") for n in range(12)], -1)
    frontier.push([offer(f"https://f.org/w/{n}") for n in range(12)], -1)
    frontier.select(All(), 0)
    refused = []
    while entry := frontier.pop():
        if frontier.trap(entry.url):
            refused.append(entry.url)
        elif "/go/" in entry.url:
            frontier.redirect(entry.id, "http://e.org/wiki/bat", "")
        elif entry.url.startswith("http://f.org"):
            # The same address by https is no shortcut.
            frontier.redirect(entry.id, entry.url.replace("http:", "https:"), "")
    assert refused == [f"http://e.org/go/{n}" for n in range(4, 12)]


def _site_of_many_hosts(url: str) -> tuple[str, list[str]]:
    """Each host has statistics of one text, dead links, and articles of their own."""
    parts = urlsplit(url)
    if parts.path == "/":
        paths = [f"{kind}/{n}" for kind in ("slow", "gone", "article") for n in "abcdefghijkl"]
        return f"Home of {parts.hostname}", [f"http://{parts.netloc}/{path}" for path in paths]
    if parts.path.startswith("/slow"):
        return "Statistics: counting", []
    return ("" if parts.path.startswith("/gone") else f"Article {url}"), []


def test_what_is_barren_on_several_hosts_is_tried_once_on_others(frontier: Frontier) -> None:
    homes = [f"http://{name}.org/" for name in "pqrstuvwxyz"]
    asked = _crawl(frontier, homes, _site_of_many_hosts)
    hosts = Counter((urlsplit(url).path.split("/")[1], urlsplit(url).netloc[0]) for url in asked)
    for kind, first_hosts in (("slow", 4), ("gone", 10)):
        numbers = sorted((hosts[kind, name] for name in "pqrstuvwxyz"), reverse=True)
        assert max(numbers) <= first_hosts
        assert numbers[3:] == [1] * 8, kind
    assert all(hosts["article", name] == 12 for name in "pqrstuvwxyz")


def test_one_page_that_brings_something_opens_the_form_again() -> None:
    pattern = pattern_of("http://e.org/a/b")
    here, anywhere = Yield(), Yield()
    for _ in range(30):
        anywhere.add(productive=False)
    assert not spent(pattern, here, anywhere=anywhere)
    here.add(productive=False)
    assert spent(pattern, here, anywhere=anywhere)
    anywhere.add(productive=True)
    assert not spent(pattern, here, anywhere=anywhere)


def test_failures_say_nothing(frontier: Frontier) -> None:
    frontier.push([offer(f"http://e.org/x/{n}") for n in range(30)], -1)
    frontier.select(All(), 0)
    while entry := frontier.pop():
        frontier.settle(Outcome(entry.id, State.FAILED, "timeout", fetch={"status": None}))
    assert frontier.trap("http://e.org/x/99") == ""


@pytest.mark.parametrize(
    ("url", "canonical", "trusted"),
    [
        ("http://www.e.org/a/1", "https://e.org/a/1", True),
        ("http://e.org/a/1?ref=home", "http://e.org/a/1", True),
        ("http://e.org/view.php?id=7", "http://e.org/item/7", True),
        ("http://e.org/a/1", "http://e.org/a/1", False),
        ("http://e.org/a/1", "http://f.org/a/1", False),
        ("http://e.org/a/1", "http://e.org:81/a/1", False),
        ("http://e.org/a/1", "http://e.org/", False),
        ("http://e.org/list?page=7", "http://e.org/list", False),
        ("http://e.org/article.php?id=7", "http://e.org/article.php", False),
        ("http://e.org/a/1", "javascript:x()", False),
        ("http://e.org/a/1", "", False),
    ],
)
def test_which_canonical_is_trusted(url: str, canonical: str, trusted: bool) -> None:
    assert bool(trusted_canonical(url, canonical)) is trusted


def test_many_links_are_asked_about_at_once(frontier: Frontier) -> None:
    lists = [f"http://a.example/list?page={n}" for n in range(8)]
    frontier.push([offer(url) for url in lists[:4]], -1)
    frontier.select(All(), 0)
    while entry := frontier.pop():
        frontier.settle(Outcome(entry.id, State.DONE, fetch={"url": entry.url}))
    assert frontier.trapped([*lists[4:], "http://a.example/", lists[5]]) == {
        url: frontier.trap(url) for url in lists[4:]
    }
    assert frontier.trapped([]) == {}
