from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from taxocrawl.frontier.urls import (
    _normalised,
    canonicalize,
    host_of,
    request_form,
    unfetchable,
    work_of,
)

SAME = [
    ("HTTP://Example.ORG/a", "http://example.org/a"),
    ("http://example.org", "http://example.org/"),
    ("http://example.org:80/a", "http://example.org/a"),
    ("https://example.org:443/a", "https://example.org/a"),
    ("http://example.org./a", "http://example.org/a"),
    ("http://example.org.:80/a", "http://example.org/a"),
    ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("http://[::0001]:80/a", "http://[::1]/a"),
    ("http://e.org/a#part", "http://e.org/a"),
    ("http://e.org/a?#part", "http://e.org/a"),
    ("http://e.org/a/./b/../c", "http://e.org/a/c"),
    ("http://e.org/../a", "http://e.org/a"),
    ("http://e.org/a/%2e%2e/b", "http://e.org/b"),
    ("http://e.org/%7Ebats", "http://e.org/~bats"),
    ("http://e.org/a%c3%a9", "http://e.org/aé"),
    ("http://e.org/a b", "http://e.org/a%20b"),
    (" http://e.org/a\n/b\t", "http://e.org/a/b"),
    ("http:\\\\e.org\\a", "http://e.org/a"),
    ("http://e.org/a?b=2&a=1", "http://e.org/a?a=1&b=2"),
    ("http://e.org/a?a=x%20y", "http://e.org/a?a=x+y"),
    ("http://e.org/a?utm_source=x&utm_Medium=y&id=1", "http://e.org/a?id=1"),
    ("http://e.org/a?gclid=1&fbclid=2&mc_cid=3", "http://e.org/a"),
    ("http://e.org/a;jsessionid=0A1B.node2?x=1", "http://e.org/a?x=1"),
    ("http://e.org/a;JSESSIONID=0A1B/b", "http://e.org/a/b"),
    ("http://e.org/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "http://e.org/a.aspx"),
    ("http://e.org/a?PHPSESSID=0a1b2c&x=1", "http://e.org/a?x=1"),
    ("http://e.org/a?ASPSESSIONIDQQRT=XYZ", "http://e.org/a"),
    ("http://e.org/a?sid=9f8e7d6c5b4a", "http://e.org/a"),
    ("http://e.org/doi/abs/10.5555/m.1?cookieSet=1", "http://e.org/doi/abs/10.5555/m.1"),
    ("http://e.org/a/index.html", "http://e.org/a/"),
    ("http://e.org/INDEX.PHP?id=3", "http://e.org/?id=3"),
    ("http://e.org/default.asp", "http://e.org/"),
    ("http://e.org/a/index.htm#x", "http://e.org/a/"),
]
DIFFERENT = [
    ("http://e.org/a", "https://e.org/a"),
    ("http://e.org/", "http://www.e.org/"),
    ("http://e.org/a", "http://e.org/a/"),
    ("http://e.org/a", "http://e.org/A"),
    ("http://e.org/a%2Fb", "http://e.org/a/b"),
    ("http://e.org:8080/", "http://e.org/"),
    ("https://e.org:80/", "https://e.org/"),
    ("http://e.org/a?x", "http://e.org/a"),
    ("http://e.org/a?x=1&x=2", "http://e.org/a?x=1"),
    ("http://e.org/a?sid=42", "http://e.org/a?sid=43"),
    ("http://e.org/a?s=Pteropus", "http://e.org/a?s=Rousettus"),
    ("http://e.org/a;v=1/b", "http://e.org/a;v=2/b"),
    ("http://e.org/index.php/journal/article/view/5", "http://e.org/journal/article/view/5"),
    ("http://e.org/a/indexes.html", "http://e.org/a/"),
]
# What URLs are made of, common and odd.
_PIECES = st.lists(
    st.sampled_from(
        "a B 1 ~ . .. / // ; = & ? # % %41 %2e %2F %e9 é - _ + : @ ( )".split()
        + ["index.html", "sid=", "utm_x=1", " ", "\\", "&amp;", "a=1", "b=2&a=1", ";jsessionid=1"]
    ),
    max_size=12,
).map("".join)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_same_page(one: str, other: str) -> None:
    assert canonicalize(one) == canonicalize(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_pages(one: str, other: str) -> None:
    assert canonicalize(one) != canonicalize(other)


@given(_PIECES)
def test_canonical_form_is_stable(rest: str) -> None:
    once = canonicalize(f"http://e.org/{rest}")
    assert canonicalize(once) == once
    assert "#" not in once


@given(_PIECES)
def test_the_short_way_agrees_with_the_long_one(rest: str) -> None:
    url = f"http://e.org/{rest}"
    assert canonicalize(url) == _normalised(url)


@given(st.text(max_size=30))
def test_anything_has_a_form_and_a_host(text: str) -> None:
    for url in (text, f"http://{text}"):
        assert isinstance(canonicalize(url), str)
        assert isinstance(host_of(url), str)
        assert isinstance(unfetchable(url), str)


@given(_PIECES)
@example(" ?")
@example("?a=1 &utm_source=x")
@example("\x0b;jsessionid=1")
def test_what_is_asked_for_is_the_same_page(rest: str) -> None:
    url = f"http://e.org/{rest}"
    assert canonicalize(request_form(url)) == canonicalize(url)


def test_request_form_keeps_what_a_server_may_care_about() -> None:
    url = "http://e.org/b/index.php;jsessionid=1?z=1&utm_source=x&a=%20#top"
    assert request_form(url) == "http://e.org/b/index.php?z=1&a=%20"


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://Example.ORG:8080/", "example.org"),
        ("http://127.0.0.1:81/", "127.0.0.1"),
        ("http://e.org./", "e.org"),
        ("http://user:pw@e.org/", "e.org"),
        ("http://[::1]:8080/", "::1"),
        ("http://BÜCHER.example/", "xn--bcher-kva.example"),
        ("mailto:a@b.org", ""),
    ],
)
def test_host(url: str, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://e.org/a?x=1", ""),
        ("https://e.org:8443/ä", ""),
        ("HTTPS://E.ORG", ""),
        ("ftp://e.org/", "scheme ftp"),
        ("mailto:a@e.org", "scheme mailto"),
        ("javascript:void(0)", "scheme javascript"),
        ("data:text/html,x", "scheme data"),
        ("tel:+31", "scheme tel"),
        ("/relative", "malformed"),
        ("", "malformed"),
        ("http://", "no host"),
        ("http:///path", "no host"),
        ("http://u:p@e.org/", "credentials"),
        ("http://u@e.org/", "credentials"),
        ("http://e.org:99999/", "malformed"),
        ("http://e.org:0/", "malformed"),
        ("http://e.org:x/", "malformed"),
        ("http://[::1/", "malformed"),
        ("http://a b.org/", "malformed"),
        ("http://e.org/" + "a" * 2070, ""),
        ("http://e.org/" + "a" * 2071, "too long"),
    ],
)
def test_unfetchable(url: str, reason: str) -> None:
    assert unfetchable(url) == reason


def test_addresses_of_one_work() -> None:
    """URL-07."""
    addresses = [
        "https://journal.example/doi/abs/10.5555/mamm.12244?cookieSet=1",
        "https://journal.example/doi/10.5555/mamm.12244/abstract",
        "https://journal.example/doi/pdf/10.5555/MAMM.12244",
        "https://dx.doi.org/10.5555%2Fmamm.12244",
    ]
    assert {work_of(url) for url in addresses} == {"doi:10.5555/mamm.12244"}
    assert work_of("http://e.org/a?b=2&a=1#x") == "http://e.org/a?a=1&b=2"
