from __future__ import annotations

import pytest

from taxocrawl.frontier.robots import MAX_BYTES, RobotsRules, read_robots

HOME = "https://site.example"
SECRET = "User-agent: *\nDisallow: /secret/\n"
WILD = """User-agent: *
Disallow: /*q=
Disallow: /item%2Fprivate
Disallow: /café
Disallow: /*.pdf$
Allow: /open/*.pdf$
"""


def rules(content: str | bytes, user_agent: str = "taxocrawl") -> RobotsRules:
    return RobotsRules(content, user_agent)


@pytest.mark.parametrize(
    "content",
    [
        SECRET,
        SECRET.encode(),
        f"\ufeff{SECRET}",
        f"\ufeff{SECRET}".encode(),
        f"\ufeff\ufeff{SECRET}".encode(),
        f"\u00ef\u00bb\u00bf{SECRET}",
        f"# joined from two files\nUser-agent: other\nDisallow:\n\ufeff{SECRET}".encode(),
        f"User-agent: other\rDisallow:\r\u00ef\u00bb\u00bf{SECRET}",
        SECRET.replace("Disallow", "\u200bDisallow"),
        SECRET.encode("utf-16"),
        SECRET.encode("utf-16-be").join((b"\xfe\xff", b"")),
        SECRET.replace("\n", "\r\n").encode(),
        SECRET.replace("\n", "\r"),
    ],
)
def test_byte_order_marks(content: str | bytes) -> None:
    """ROB-01."""
    assert not rules(content).allows(f"{HOME}/secret/y")
    assert rules(content).allows(f"{HOME}/x")


@pytest.mark.parametrize("content", [WILD, WILD.encode(), f"\ufeff{WILD}".encode()])
@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/?q=bat", False),
        ("/q/", True),
        ("/p?iq=1", False),
        ("/item/private", True),
        ("/item%2fprivate", False),
        ("/caf%C3%A9", False),
        ("/a.pdf", False),
        ("/a.pdf?x=1", True),
        ("/open/a.pdf", True),
        ("/A.PDF", True),
    ],
)
def test_wildcards(content: str | bytes, path: str, allowed: bool) -> None:
    """ROB-03."""
    assert rules(content).allows(HOME + path) is allowed


@pytest.mark.parametrize("path", ["/caf%C3%A9/x", "/caf%E9/x", "/café/x"])
def test_bytes_that_are_not_utf_8(path: str) -> None:
    """Either way of writing the path is forbidden; its neighbours are not."""
    latin = "User-agent: *\nDisallow: /café\n".encode("latin-1")
    assert not rules(latin).allows(HOME + path)
    assert rules(latin).allows(f"{HOME}/caf")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0\0\0",
        b"<!DOCTYPE html><html><body><h1>404</h1>\nDisallow: /\n</body></html>",
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20,
        b"Disallow: /\n",  # for nobody
        b"User-agent: googlebot\nDisallow: /\n",
        b"User-agent: *\nDisallow:\n",
        b"User-agent: *\nDisallow: /\n\nUser-agent: taxocrawl\nAllow: /\n",
        b"User-agent: *\nDisallow: /\n\nUser-agent: TaxoCrawl\nDisallow: /other\n",
    ],
)
def test_what_allows(content: bytes) -> None:
    assert rules(content).allows(f"{HOME}/x")


@pytest.mark.parametrize(
    "content",
    [
        b"User-agent: *\nDisallow: /\n",
        b"user-agent:taxocrawl\ndisallow:/\n",
        b"User-agent: a\nUser-agent: taxocrawl\nDisallow: /\n",
        b"# hello\n\n  User-agent: *   # all\n\n\n Disallow: / # everything\n",
        b"User-agent: *\n\0Disallow: /\n",
    ],
)
def test_what_forbids(content: bytes) -> None:
    assert not rules(content).allows(f"{HOME}/x")


@pytest.mark.parametrize("kind", [str, bytes])
def test_size(kind: type) -> None:
    filler = "# nothing at all\n" * (MAX_BYTES // 17 - 5)
    text = f"User-agent: *\nDisallow: /early\n{filler}Disallow: /private{'x' * 99}\nDisallow: /z\n"
    read = rules(text if kind is str else text.encode())
    assert not read.allows(f"{HOME}/early")
    # Half of the last line that would fit in is no rule.
    assert read.allows(f"{HOME}/private")
    assert read.allows(f"{HOME}/z")
    assert read.size <= MAX_BYTES


def test_one_endless_line() -> None:
    assert read_robots(b"Disallow: /" + b"x" * MAX_BYTES) == ""
    assert read_robots("Disallow: /" + "x" * MAX_BYTES) == ""


@pytest.mark.parametrize(
    ("lines", "delay"),
    [
        ("", 0.0),
        ("Crawl-delay: 5", 5.0),
        ("Crawl-delay: 0.25", 0.25),
        ("Crawl-delay: -1", 0.0),
        ("Crawl-delay: soon", 0.0),
        ("Crawl-delay: nan", 0.0),
        ("Crawl-delay: 1e999", 0.0),
        ("Request-rate: 1/10s", 10.0),
        ("Request-rate: 30/1m 0600-0845", 2.0),
        ("Crawl-delay: 3\nRequest-rate: 1/10", 10.0),
        ("Crawl-delay: 30\nRequest-rate: 1/10", 30.0),
        ("Request-rate: 1/0", 0.0),
    ],
)
def test_crawl_delay(lines: str, delay: float) -> None:
    assert rules(f"User-agent: *\n{lines}\n").crawl_delay == delay


def test_crawl_delay_of_our_group() -> None:
    text = "User-agent: *\nCrawl-delay: 9\n\nUser-agent: taxocrawl\nCrawl-delay: 2\n"
    assert rules(text).crawl_delay == 2
