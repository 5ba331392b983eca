from __future__ import annotations

import pytest

from taxocrawl.documents.html import extract_html, extract_text, language_of, robots_directives
from taxocrawl.exceptions import ExtractionError
from taxocrawl.items import Document, Kind

URL = "https://j.example/articles/77/index.html"
SENTENCE = (
    "The holotype of Pteropus demo was taken in a mist net at the edge of the forest near the "
    "village, where some forty adults had been roosting in a single tree for several years. "
)
ARTICLE = "".join(f"<p>{SENTENCE * 3}</p>" for _ in range(4))


def read(markup: str, url: str = URL) -> Document:
    return extract_html(markup.encode(), url)


def links(document: Document) -> list[str]:
    return [link.url for link in document.outlinks]


# --- text at the edges of tags ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("A survey of<i>Pteropus vampyrus</i>in Borneo", "A survey of Pteropus vampyrus in Borneo"),
        ("<b><i>P</i></b><i>teropus giganteus</i>", "Pteropus giganteus"),
        ("<i>Myo<wbr>tis</i> mur&shy;icola", "Myotis muricola"),
        ("<em>P.</em>&nbsp;<em>hypomelanus</em>", "P. hypomelanus"),
        ("H<sub>2</sub>O", "H2O"),
        ("<td>Pteropus</td><td>vampyrus</td>", "Pteropus vampyrus"),
        ("<table><tr><td>Pteropus</td><td>vampyrus</td></tr></table>", "Pteropus vampyrus"),
        ("<nobr>Pipistrellus javanicus</nobr>", "Pipistrellus javanicus"),
        ("First<br>second", "First second"),
        ("of<em><b>Pteropus</b></em>in", "of Pteropus in"),
        ('of<span style="font-style: italic">Pteropus</span>in', "of Pteropus in"),
        ("<i>Pter</i><i>opus</i>", "Pteropus"),
        ("<i>Pter<b>op</b>us</i>", "Pteropus"),
        ("Pter<b>op</b>us and Pter<a href=x>opus</a>", "Pteropus and Pteropus"),
        ("a<i></i>b", "ab"),
        ("(<i>Pteropus</i>), 3<i>Myotis</i>", "(Pteropus), 3Myotis"),
        ("Mur\u200bicola mur\u00adina \ufb01mbriatus", "Muricola murina fimbriatus"),
        ("class\x00ed &#0;&#x1;&bogus; &amp &#xD800;", "classed &bogus; & \ufffd"),
        ("<p>one<p>two<div>three</div>four<li>five", "one\ntwo\nthree\nfour\nfive"),
        ("no tags at all", "no tags at all"),
        ("a < b and c > d", "a < b and c > d"),
    ],
)
def test_edges_of_tags(markup: str, text: str) -> None:
    assert read(markup).text == text


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>var a = 'hidden';</script>",
        "<style>.hidden{}</style>",
        "<template><p>hidden</p></template>",
        "<noscript><p>hidden</p></noscript>",
        "<div hidden><p>hidden</p><div>hidden</div></div>",
        '<p style="color:red; display : none">hidden</p>',
        "<span style='visibility:hidden'>hidden</span>",
        "<svg><title>hidden</title><text>hidden</text></svg>",
        "<select><option>hidden</option></select>",
        "<textarea>hidden</textarea>",
        "<iframe>hidden</iframe>",
        "<!-- hidden -->",
    ],
)
def test_hidden_text_is_left_out(hidden: str) -> None:
    document = read(f"<title>t</title><p>before</p>{hidden}<p>after</p>")
    assert document.text == "before\nafter"
    assert document.title == "t"


# --- main text -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "boilerplate",
    [
        "<nav><ul><li><a href=/>Home of this journal</a><li>Unlinked words here</ul></nav>",
        f"<footer><p>Copyright and imprint. {SENTENCE}</p></footer>",
        f'<div class="cookie-banner"><p>Cookies! {SENTENCE}</p></div>',
        f'<div id="siteFooter"><p>Imprint. {SENTENCE}</p></div>',
        f'<div role="navigation"><p>Menu. {SENTENCE}</p></div>',
        f"<aside><p>Read also. {SENTENCE}</p></aside>",
        "<ul>" + "<li><a href=/r>A related short title</a></li>" * 30 + "</ul>",
    ],
)
@pytest.mark.parametrize("article", [ARTICLE, f"<main>{ARTICLE}</main>"])
def test_boilerplate_is_no_main_text(boilerplate: str, article: str) -> None:
    document = read(f"<body class='has-sidebar'>{boilerplate}{article}{boilerplate}</body>")
    assert document.text == "\n".join([(SENTENCE * 3).strip()] * 4)


def test_headings_and_short_lines_by_the_text_stay() -> None:
    document = read(f"<h1>Fruit bats</h1><p>A. Möhle</p>{ARTICLE}<h2>Diagnosis</h2>{ARTICLE}")
    assert document.text.startswith("Fruit bats\nA. Möhle\nThe holotype")
    assert "\nDiagnosis\n" in document.text


@pytest.mark.parametrize(
    "markup",
    [
        "<p>Short.</p>",
        "<nav>Only a menu</nav>",
        "<div class=sidebar><a href=x>all</a> in <a href=y>links</a></div>",
        "<main></main><p>Outside of main.</p>",
        "<article><p>tiny</p></article><footer>foot</footer>",
    ],
)
def test_short_pages_are_never_empty(markup: str) -> None:
    assert read(markup).text


def test_list_of_titles_is_the_text_of_its_page() -> None:
    titles = "".join(
        f"<li><a href=/{n}>A revision of the genus Demo, part {n}, with keys</a>" for n in range(30)
    )
    text = read(f"<p>{SENTENCE}</p><ul>{titles}</ul>").text
    assert "part 0," in text
    assert "part 29," in text


# --- links -----------------------------------------------------------------------------------


def test_links_as_browsers_read_them() -> None:
    document = read(
        """<html><head><base href="/journal/v12/"></head><body>
        <a href="
            /pdf/a1.pdf
          ">PDF</a> <a href="tel:+49">call</a> <a href="mailto:e@j.example">write</a>
        <a href=" java\nscript:void(0)">menu</a> <a href="data:text/html,hi">d</a>
        <a href="//cdn.j.example/a2.pdf">mirror</a> <a href="a3.pdf">third</a>
        <a href="?page=2">next</a> <a href="#sec2">section 2</a>
        <a href="FTP://f.example/x.pdf">ftp</a> <a href="a5.pdf?x=1&amp;y=2">fifth</a>
        <a href="">empty</a> <a href="a3.pdf" rel="nofollow">third again</a></body></html>"""
    )
    assert links(document) == [
        "https://j.example/pdf/a1.pdf",
        "https://cdn.j.example/a2.pdf",
        "https://j.example/journal/v12/a3.pdf",
        "https://j.example/journal/v12/?page=2",
        "https://j.example/journal/v12/",
        "https://j.example/journal/v12/a5.pdf?x=1&y=2",
    ]
    assert document.dropped_links == {
        "scheme data": 1,
        "scheme ftp": 1,
        "scheme javascript": 1,
        "scheme mailto": 1,
        "scheme tel": 1,
    }
    assert not any(link.nofollow for link in document.outlinks)


@pytest.mark.parametrize(
    ("head", "url"),
    [
        ("<base href='http://b.example/x/'><base href='http://c.example/'>", "http://b.example/x/"),
        ("<body><base href='http://late.example/'>", "http://late.example/"),
        ("<base target=_blank>", "https://j.example/a/"),
        ("<base target=_blank><base href='/z/'>", "https://j.example/z/"),
        ("<!-- <base href='http://c.example/'> -->", "https://j.example/a/"),
        ("<base href='data:,x'>", "https://j.example/a/"),
        ("<base href='javascript:1'>", "https://j.example/a/"),
        ("<base href='http://[bad'>", "https://j.example/a/"),
        ("<base href='  ../q/ \n'>", "https://j.example/q/"),
    ],
)
def test_base_elements(head: str, url: str) -> None:
    document = read(f"{head}<a href='x.pdf'>x</a>", "https://j.example/a/b")
    assert links(document) == [url + "x.pdf"]


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("https:b.html", "https://j.example/a/b.html"),
        ("https:///k.example/c", "https://k.example/c"),
        ("http:\\\\k.example\\c", "http://k.example/c"),
        ("\\d\\e", "https://j.example/d/e"),
        ("HTTPS://k.example/", "https://k.example/"),
        ("a b.pdf", "https://j.example/a/a%20b.pdf"),
        ("../../../x", "https://j.example/x"),
        ("/a/../x?y=../z", "https://j.example/x?y=../z"),
        ("x#a#b", "https://j.example/a/x"),
        ("doi:10.5555/x", None),
        ("http://", None),
        ("http://[::1", None),
        ("https://k.example:99999/", None),
        ("x" * 3000, None),
    ],
)
def test_addresses(href: str, url: str | None) -> None:
    document = read(f"<a href='{href}'>x</a>", "https://j.example/a/b")
    assert links(document) == ([url] if url else [])
    assert sum(document.dropped_links.values()) == (0 if url else 1)


@pytest.mark.parametrize("rel", ["nofollow", "NOFOLLOW noopener", "ugc", "sponsored"])
def test_nofollow_only_if_all_links_are(rel: str) -> None:
    document = read(f"<a rel='{rel}' href=a>1</a><a rel='{rel}' href=a>2</a><a href=b>3</a>")
    assert [link.nofollow for link in document.outlinks] == [True, False]
    assert not read(f"<a rel='{rel}' href=a>1</a><a href=a>2</a>").outlinks[0].nofollow


def test_context_is_a_window_of_the_block() -> None:
    before = " ".join(f"b{n}" for n in range(30))
    after = " ".join(f"a{n}" for n in range(30))
    document = read(f"<p>other</p><p>{before} <a href=x>the <b>anchor</b></a>, {after}</p><p>next")
    link = document.outlinks[0]
    assert link.anchor == "the anchor"
    assert link.context == " ".join(
        [*[f"b{n}" for n in range(10, 30)], "the anchor,", *[f"a{n}" for n in range(20)]]
    )


def test_context_of_a_table_row_is_the_row() -> None:
    document = read("<table><tr><td>Bats of Demo</td><td><a href=1.pdf>PDF</a></td></tr></table>")
    assert document.outlinks[0].context == "Bats of Demo PDF"


def test_anchor_over_several_blocks_and_of_images() -> None:
    document = read(
        "<a href=1><h3>Title</h3><p>Summary</p></a>"
        "<a href=2><img src=i.png alt='Scan of plate'></a>"
        "<a href=3 title='Full text'></a><a href=1>again</a>"
    )
    assert [link.anchor for link in document.outlinks] == [
        "Title Summary",
        "Scan of plate",
        "Full text",
    ]
    assert document.image_text == "Scan of plate"


def test_repeated_link_takes_the_first_text() -> None:
    document = read("<a href=x></a> <p>Read <a href=x>the paper</a> now</p> <a href=x>more</a>")
    assert [(link.anchor, link.context) for link in document.outlinks] == [
        ("the paper", "Read the paper now")
    ]


def test_areas_and_frames_are_links_and_hidden_ones_are_not() -> None:
    document = read(
        "<map><area href=a alt='Map of Borneo'></map>"
        "<div style='display:none'><a href=trap>t</a></div>"
        "<a hidden href=trap2>t</a><a name=n>n</a>"
    )
    assert [(link.url[-1], link.anchor) for link in document.outlinks] == [("a", "Map of Borneo")]
    assert document.dropped_links == {"hidden": 2}
    frames = read("<html><frameset cols='20%,80%'><frame src=menu.html><frame src=text.html>")
    assert [link.url.rsplit("/", 1)[1] for link in frames.outlinks] == ["menu.html", "text.html"]


def test_links_over_the_limit_are_counted() -> None:
    markup = "".join(f"<a href=/{n}>{n}</a> " for n in range(30))
    document = extract_html(markup.encode(), URL, max_links=10)
    assert len(document.outlinks) == 10
    assert document.dropped_links == {"over limit": 20}


# --- metadata --------------------------------------------------------------------------------


def test_highwire_metadata_of_a_landing_page() -> None:
    document = read(
        """<html lang="en-GB"><head><title>Bats | Journal</title>
        <meta name="citation_title" content="Fruit bats of a demo island">
        <meta name="citation_author" content="M&ouml;hle, A.">
        <meta name="citation_author" content="Aus, B.">
        <meta name="citation_publication_date" content="2019/03/02">
        <meta name="citation_doi" content="doi:10.5555/DEMO.78">
        <meta name="DC.Creator" content="Other">
        <meta name="citation_pdf_url" content="/files/78.pdf">
        <meta name="keywords" content="bats, fruit">
        <meta name="Description" content="A
        redescription."><link rel="Canonical" href="/articles/77">"""
    )
    assert document.title == "Fruit bats of a demo island"
    assert document.authors == ("Möhle, A.", "Aus, B.")
    assert (document.year, document.doi) == (2019, "10.5555/demo.78")
    assert document.pdf_url == "https://j.example/files/78.pdf"
    assert document.canonical_url == "https://j.example/articles/77"
    assert (document.keywords, document.description) == ("bats, fruit", "A redescription.")
    assert document.language == "en"


def test_dublin_core_and_json_ld() -> None:
    document = read(
        '<meta name="DC.Title" content="On bats">'
        '<meta name="DC.Creator" content="Mohle, A.; Aus, B.">'
        '<meta name="DC.Identifier" content="https://doi.org/10.5555%2FX.1">'
        '<meta name="dc.date" content="12 May 1998"><meta name="dc.language" content="ger">'
    )
    assert (document.title, document.authors) == ("On bats", ("Mohle, A.", "Aus, B."))
    assert (document.doi, document.year, document.language) == ("10.5555/x.1", 1998, "de")
    document = read(
        """<script type="application/ld+json">{"@graph": [{"@type": "WebSite", "name": "w"},
        {"@type": ["ScholarlyArticle"], "headline": "On bats", "datePublished": "2020-01-01",
         "author": [{"name": "A. Aus"}, "B. Bus"], "sameAs": "https://doi.org/10.5555/y",
         "encoding": {"encodingFormat": "application/pdf", "contentUrl": "y.pdf"}}]}</script>"""
    )
    assert (document.title, document.authors) == ("On bats", ("A. Aus", "B. Bus"))
    assert (document.doi, document.year) == ("10.5555/y", 2020)
    assert document.pdf_url == "https://j.example/articles/77/y.pdf"


@pytest.mark.parametrize("script", ["{", '"Article"', "[" * 100_000 + '"Article"', '{"@type": 3}'])
def test_broken_json_ld_is_passed_over(script: str) -> None:
    document = read(f'<script type="application/ld+json">{script}</script><title>Article</title>')
    assert document.title == "Article"


def test_robots_meta_and_header() -> None:
    document = read('<meta name="ROBOTS" content="NoIndex, nofollow">')
    assert (document.noindex, document.nofollow) == (True, True)
    assert read('<meta name="taxocrawl" content="none">').nofollow
    assert not read('<meta name="googlebot" content="none">').nofollow
    assert robots_directives(["noindex"]) == (True, False)
    assert robots_directives(["none"]) == (True, True)
    assert robots_directives(["googlebot: noindex, nofollow"]) == (False, False)
    assert robots_directives(["googlebot: noindex", "taxocrawl: nofollow"]) == (False, True)
    assert robots_directives(["unavailable_after: 25 Jun 2030 15:00:00 PST", "nofollow"]) == (
        False,
        True,
    )
    assert robots_directives([]) == (False, False)


def test_language_of_a_text() -> None:
    assert language_of(SENTENCE * 5) == "en"
    assert (
        language_of("Die Fledermäuse wurden in der Nähe des Dorfes am Rande gefangen. " * 5) == "de"
    )
    assert language_of("Pteropus") == ""


# --- hostile input ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"<div>" * 100_000 + b"deep",
        b"<b>" * 20_000 + b"deep",
        b"<table><tr><td>" * 20_000 + b"deep",
        b"".join(b"<font size=%d><p>deep" % n for n in range(3000)),
        b"<a href=x>" * 50_000 + b"deep",
        b"<p " + b" ".join(b"x%d=1" % n for n in range(20_000)) + b">deep",
        b"<p title='" + b"x" * 12_000_000 + b"'>deep",
        b"<i>a</i>" * 50_000 + b"<p>deep",
        b"&bogus;&#x;&#99999999;" * 20_000 + b" deep",
        b"<p hidden>" + b"</p>" * 50_000 + b"deep",
        b"\x00" * 100_000 + b"deep",
        b"<p>" + b"x" * 1_000_000 + b"<p>deep",
        b"<!doctype html>" * 10_000 + b"deep",
        b"<html><body>" * 10_000 + b"deep",
        b"</div>" * 100_000 + b"deep",
        b"<p><i>" * 20_000 + b"deep",
    ],
)
def test_hostile_pages_keep_their_text(body: bytes) -> None:
    assert "deep" in extract_html(body, URL).text


@pytest.mark.parametrize(
    "body",
    [
        b"<!--" * 50_000,
        b"<script>" * 50_000,
        b"<" * 500_000,
        b"<a href='" * 20_000,
        bytes(range(256)) * 500,
        b"<![CDATA[" * 1000,
        b"<?php " * 1000,
        b"<html><frameset>",
        b"<img src=x>",
        b"</",
        b"<\xff\xfe>",
    ],
)
def test_hostile_pages_do_not_raise(body: bytes) -> None:
    assert extract_html(body, URL).kind is Kind.HTML


@pytest.mark.parametrize("body", [b"", b"\n\t ", b"\x00\x00", b"\xef\xbb\xbf"])
def test_empty_bodies_have_their_reason(body: bytes) -> None:
    for extract in (extract_html, extract_text):
        with pytest.raises(ExtractionError) as caught:
            extract(body, URL)
        assert caught.value.reason == "empty"


def test_page_over_the_size_limit_is_partial() -> None:
    document = extract_html(b"<p>one</p><p>two</p>", URL, max_bytes=12)
    assert (document.text, document.flags) == ("one", ("partial",))


def test_plain_text() -> None:
    document = extract_text("\ufeffFruit  bats\r\n\r\nof the \ufb01ord \x00\n".encode(), URL)
    assert (document.kind, document.text) == (Kind.TEXT, "Fruit bats\nof the fiord")
    assert document.title == "Fruit bats"
