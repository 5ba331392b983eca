from __future__ import annotations

import json

import pytest

from taxocrawl.documents.html import extract_html
from taxocrawl.documents.pages import is_challenge, is_index, is_login_wall, looks_truncated
from taxocrawl.documents.soft404 import SoftNotFound, resemblance
from taxocrawl.items import Document, Kind

URL = "https://j.example/content/pdf/77.pdf"
LONG = "Bots and human readers are told apart by a captcha in many published experiments. " * 30


def read(markup: str, url: str = URL) -> tuple[Document, bytes]:
    body = markup.encode()
    return extract_html(body, url), body


# --- bot checks ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "markup",
    [
        "<title>Checking your browser</title><meta name=robots content=noindex>"
        "<meta http-equiv=refresh content=30><h1>One moment</h1><noscript>Please switch on scripts"
        " and cookies.</noscript><form method=post><input type=hidden name=md></form>",
        "<title>Just a moment...</title><noscript>Enable JavaScript and cookies to continue"
        "</noscript><script>window._cf_chl_opt = {};</script>",
        "<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1>"
        "<p>Cloudflare Ray ID: 7a</p>",
        "<title>Security check</title><p>Please verify that you are not a robot.</p>"
        "<div class=g-recaptcha></div>",
        "<title>Making sure you're not a bot!</title><script id=anubis_challenge></script>",
        "<title></title><iframe src=/_Incapsula_Resource></iframe><p>Request unsuccessful. "
        "Incapsula incident ID: 5</p>",
        "<title>Before you continue</title><form action=/consent><p>Accept all cookies to continue"
        " reading.</p><button>Agree</button></form>",
        "<title>Access Denied</title><p>We noticed unusual traffic from your network.</p>",
    ],
)
def test_challenges(markup: str) -> None:
    assert is_challenge(*read(markup))


@pytest.mark.parametrize(
    "markup",
    [
        f"<title>Are you a human? A review of captchas</title><p>{LONG}</p>"
        "<script src=/cdn/challenge-form.js></script>",
        "<title>Fruit bats of a demo island</title><p>We redescribe a bat.</p>"
        "<div class=g-recaptcha></div><form></form>",
        "<title>One moment in time</title><meta name=citation_doi content='10.5555/x'><form></form>"
        "<p>An abstract.</p><noscript>Please enable JavaScript</noscript>",
        "<title>Admin</title><meta name=robots content=noindex>"
        "<noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>",
        "<title>Search</title><form></form><p>No results.</p>",
        "<title>Bats</title><p>This site uses cookies.</p><p>A short note on a bat.</p>",
    ],
)
def test_pages_that_are_no_challenges(markup: str) -> None:
    assert not is_challenge(*read(markup))


# --- login walls -----------------------------------------------------------------------------

FORM = "<form method=post><input name=user><input type=password name=pw></form>"


@pytest.mark.parametrize(
    ("markup", "final_url"),
    [
        (f"<title>Demo journal</title>{FORM}", "https://j.example/login?next=/doc/7"),
        (f"<title>Sign in</title>{FORM}", "https://j.example/users/enter"),
        (
            "<title>Log in to continue</title><form><input name=mail></form>",
            "https://j.example/auth",
        ),
        ("<title>Institutional access</title><p>Choose</p>", "https://idp.example/wayf/choose"),
        (f"<title>Anmeldung</title>{FORM}", "https://j.example/x"),
    ],
)
def test_login_walls(markup: str, final_url: str) -> None:
    assert is_login_wall(*read(markup), final_url)


@pytest.mark.parametrize(
    ("markup", "final_url"),
    [
        (f"<title>Fruit bats</title><p>Abstract.</p>{FORM}", "https://j.example/doc/7"),
        (f"<title>Login</title><meta name=citation_doi content='10.5555/x'>{FORM}", URL),
        (f"<title>Blog on logins</title><p>{LONG}</p>{FORM}", "https://j.example/login-study"),
        ("<title>Cataloguing bats</title><p>Text.</p>", "https://j.example/blog/in/catalogue"),
        ("<title>Accounts of bats</title>" + FORM, "https://j.example/accounts/bats"),
    ],
)
def test_pages_that_are_no_login_walls(markup: str, final_url: str) -> None:
    assert not is_login_wall(*read(markup), final_url)


# --- cut downloads ---------------------------------------------------------------------------

PDF = b"%PDF-1.4\n1 0 obj\nendobj\nstartxref\n0\n%%EOF\n2 0 obj\nendobj\nstartxref\n9\n%%EOF\n"


@pytest.mark.parametrize(
    ("body", "kind", "length", "flags", "cut"),
    [
        (PDF, Kind.PDF, len(PDF), (), False),
        (PDF + b"\x00" * 5000, Kind.PDF, None, (), False),
        (PDF, Kind.PDF, len(PDF) + 1, (), True),
        (PDF, Kind.PDF, None, ("partial",), False),
        (PDF[:-8], Kind.PDF, None, ("partial",), True),
        (b"<html><p>text", Kind.HTML, None, ("partial",), True),
        (b"<html><p>text</p></HTML >\n<!-- -->", Kind.HTML, None, ("partial",), False),
        (b"some text", Kind.TEXT, None, ("partial",), True),
        (PDF, Kind.PDF, None, ("dataloss",), True),
        (PDF[:30], Kind.PDF, None, (), True),
        (PDF[:-8], Kind.PDF, None, (), True),
        (PDF[:-8] + b"<html><body>502 Bad Gateway", Kind.PDF, None, (), True),
        (b"<html><p>text", Kind.HTML, None, (), False),
        (b"<html><p>text</p></html>\n", Kind.HTML, 10, (), False),
        (b"<html><p>text</p><a href='/x", Kind.HTML, None, (), True),
        (b"<html><p>text</p></di", Kind.HTML, None, ("cached",), True),
        (b"<p>three < five", Kind.HTML, None, (), False),
        (b"", Kind.HTML, None, (), False),
        (b"some text", Kind.TEXT, None, (), False),
        (b"some text", Kind.TEXT, None, ("truncated",), True),
    ],
)
def test_cut_downloads(
    body: bytes, kind: Kind, length: int | None, flags: tuple[str, ...], cut: bool
) -> None:
    assert looks_truncated(body, kind, length, flags) is cut


# --- soft 404s -------------------------------------------------------------------------------

HEADER = "<header><a href=/>Demo journal</a> of bats and other mammals, founded 1902</header>"
FOOTER = "<footer>Imprint. Demo society, 5 Demo street, Demotown. All rights reserved.</footer>"


def sorry(path: str) -> str:
    return (
        f"<title>Sorry - {path}</title>{HEADER}<p>Sorry, {path} moved.</p>"
        f"<a href='help/x.html'>Help</a>{FOOTER}"
    )


def article(text: str) -> str:
    return f"<title>Note</title>{HEADER}<p>{text}</p>{FOOTER}"


def taught(host: str = "http://a.example") -> SoftNotFound:
    detector = SoftNotFound()
    probe = detector.probe_url(f"{host}/art/1")
    detector.learn(probe, 200, probe, sorry(probe.removeprefix(host)).encode())
    return detector


def test_one_address_a_host() -> None:
    probe = SoftNotFound().probe_url("http://a.example:81/art/1?x=2")
    assert probe.startswith("http://a.example:81/art/")
    assert SoftNotFound().probe_url("http://a.example:81/art/7") == probe
    name = probe.rpartition("/")[2]
    assert not SoftNotFound().probe_url("http://a.example/art/1").endswith(name)


@pytest.mark.parametrize("path", ["/art/2", "/art/3", "/zzq8", "/art/fruit%20bats?a=1"])
def test_error_page_with_status_200(path: str) -> None:
    url = f"http://a.example{path}"
    page = read(sorry(path), url)
    assert taught().is_soft_404(url, url, *page)
    assert not taught("http://b.example").is_soft_404(url, url, *page)
    assert not SoftNotFound().is_soft_404(url, url, *page)


@pytest.mark.parametrize(
    "text",
    [
        "A new roost of Pteropus demo.",
        "Pteropus vampyrus was seen on Demo island in May; it moved on in June.",
    ],
)
def test_short_article_with_the_same_header_and_footer_is_kept(text: str) -> None:
    url = "http://a.example/art/1"
    assert not taught().is_soft_404(url, url, *read(article(text), url))


def test_redirect_to_the_home_page() -> None:
    detector = SoftNotFound()
    probe = detector.probe_url("http://b.example/art/1")
    home = read("<title>Home</title><p>Welcome to the journal of bats.</p>")
    detector.learn(probe, 200, "http://b.example/", home[1])
    assert detector.is_soft_404("http://b.example/art/9", "http://b.example/", *home)
    assert not detector.is_soft_404("http://b.example/", "http://b.example/", *home)
    moved = read(article("A new roost of Pteropus demo."))
    assert not detector.is_soft_404("http://b.example/a", "http://b.example/art/a", *moved)


def test_real_errors_teach_nothing() -> None:
    detector = SoftNotFound()
    probe = detector.probe_url("http://c.example/1")
    page = read(sorry("/1"))
    detector.learn(probe, 404, probe, page[1])
    assert not detector.is_soft_404("http://c.example/2", "http://c.example/2", *page)


def test_state_survives_json() -> None:
    url = "http://a.example/art/2"
    detector = SoftNotFound()
    detector.restore(url, json.loads(json.dumps(taught().state(url))))
    assert detector.is_soft_404(url, url, *read(sorry("/art/2"), url))


def test_a_host_without_an_answer_has_no_soft_404s() -> None:
    url = "http://a.example/art/2"
    detector = SoftNotFound()
    assert detector.state(url) == {}
    detector.restore(url, {})
    assert not detector.is_soft_404(url, url, *read(sorry("/art/2"), url))


def test_resemblance() -> None:
    assert resemblance("one two three", "One, two 3 three!") == 1.0
    assert resemblance("", "") == 1.0
    assert resemblance("one two", "two one") == 0.5
    assert resemblance("one", "other") == 0.0


# --- index pages -----------------------------------------------------------------------------

TITLES = [
    f"A new species of bat number {word} from an island" for word in "one two six ten elf".split()
]


def listing(items: str, head: str = "", rest: str = "") -> Document:
    page = f"<html><head>{head}</head><body><h1>Volume 3</h1>{items}{rest}</body></html>"
    return extract_html(page.encode(), "http://j.example/toc/3")


def linked(titles: list[str]) -> str:
    return "".join(f'<p><a href="/a/{n}">{title}</a></p>' for n, title in enumerate(titles))


def test_a_table_of_contents_is_an_index() -> None:
    assert is_index(listing(linked(TITLES)))


def test_few_links_or_much_text_make_no_index() -> None:
    text = "<p>" + "Bats of the island were measured and described with care. " * 30 + "</p>"
    assert not is_index(listing(linked(TITLES[:4])))
    assert not is_index(listing(linked(TITLES), rest=text))


def test_a_landing_page_with_related_articles_is_no_index() -> None:
    head = '<meta name="citation_title" content="T"><meta name="citation_pdf_url" content="/p.pdf">'
    assert not is_index(listing(linked(TITLES), head=head))
