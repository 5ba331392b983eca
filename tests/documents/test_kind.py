from __future__ import annotations

import gzip
import zlib

import pytest

from taxocrawl.documents.kind import gunzip, pdf_offset, sniff
from taxocrawl.exceptions import ExtractionError
from taxocrawl.items import Kind

PDF = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n%%EOF\n"
PAGE = b"<!DOCTYPE html><html><head><title>Bats</title></head><body><p>Text</p></body></html>"


@pytest.mark.parametrize(
    ("url", "types", "disposition", "differs"),
    [
        ("https://j.example/download?id=9", ["text/html; charset=utf-8"], "", True),
        (
            "https://j.example/d/9",
            ["application/octet-stream"],
            'attachment; filename="a b.pdf"',
            False,
        ),
        ("https://j.example/9.pdf", ["text/plain"], "", True),
        ("https://j.example/d/9", [], "", False),
        ("https://j.example/d/9", ["text/html", "application/pdf"], "", True),
        ("https://j.example/d/9", ["text/html, application/pdf"], "", True),
        ("https://j.example/9.html", ["application/pdf"], "", False),
        ("https://j.example/9", ["image/png"], "", True),
    ],
)
def test_pdf_under_any_label(url: str, types: list[str], disposition: str, differs: bool) -> None:
    sniffed = sniff(PDF, types, url, disposition)
    assert sniffed.kind is Kind.PDF
    assert sniffed.label_differs is differs
    assert sniffed.body == PDF


@pytest.mark.parametrize(
    "junk",
    [
        b"\r\n\r\n",
        b"\xef\xbb\xbf",
        b"Content-Type: application/pdf\r\n\r\n",
        b"<br />\n<b>Warning</b>: header() on line 3<br />\n",
        b"x" * 1024,
    ],
)
def test_junk_before_a_pdf_is_taken_off(junk: bytes) -> None:
    sniffed = sniff(junk + PDF, ["application/pdf"])
    assert (sniffed.kind, sniffed.body) == (Kind.PDF, PDF)


def test_header_beyond_the_window_is_no_pdf() -> None:
    assert pdf_offset(b"x" * 1025 + PDF) is None


@pytest.mark.parametrize(
    "body",
    [
        b"<html><title>The %PDF-1.7 header</title><p>Files begin with %PDF-1.4 and a line end.",
        b"A note: each file begins with %PDF-1.4, then objects.",
        b'PDF = b"%PDF-1.4\\n1 0 obj"\n',
    ],
)
def test_text_about_pdf_is_no_pdf(body: bytes) -> None:
    assert sniff(body, ["text/html"]).kind is not Kind.PDF


@pytest.mark.parametrize(
    "body",
    [
        PAGE,
        b"\n\t  " + PAGE,
        b"<!-- saved --> \n<!-- twice -->" + PAGE,
        b"\xef\xbb\xbf" + PAGE,
        PAGE.decode().encode("utf-16"),
        PAGE.decode().encode("utf-16-le"),
        PAGE.decode().encode("utf-16-be"),
        b'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0">\n'
        b'<html xmlns="http://www.w3.org/1999/xhtml"></html>',
        b'<?xml version="1.0"?><!-- c --><xh:html xmlns:xh="http://www.w3.org/1999/xhtml"/>',
        b"<HTML><HEAD></HEAD></HTML>",
        b"<p>Fragment",
        b"<article><p>Fragment</p></article>",
        b"<pre>Fragment</pre>",
        b"<!-- only a comment -->",
        b"\x00\x00<html>\x00<p>NULs",
    ],
)
@pytest.mark.parametrize("label", ["application/pdf", "text/plain", "application/octet-stream"])
def test_html_by_its_bytes(body: bytes, label: str) -> None:
    assert sniff(body, [label], "https://j.example/77.pdf").kind is Kind.HTML


def test_html_promised_as_pdf_differs_from_its_label() -> None:
    sniffed = sniff(PAGE, ["application/pdf"], "https://j.example/content/pdf/77.pdf")
    assert sniffed.declared is Kind.PDF
    assert sniffed.label_differs


@pytest.mark.parametrize(
    "body",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00",
        b"GIF89a\x01\x00",
        b"\xff\xd8\xff\xe0\x00\x10JFIF",
        b"PK\x03\x04\x14\x00\x06\x00[Content_Types].xml",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00",
        b"{\\rtf1\\ansi text}",
        b"%!PS-Adobe-3.0",
        b'{"message": "ok"}',
        b'[{"id": 1}]\n',
        b'<?xml version="1.0"?><rss version="2.0"><channel/></rss>',
        b'<?xml version="1.0"?>\n<!DOCTYPE article PUBLIC "-//NLM//DTD JATS">\n<article/>',
        b'<article xml:lang="en" article-type="research-article"><front/></article>',
        b'<rss version="2.0"><channel/></rss>',
        b'<!DOCTYPE article PUBLIC "-//TaxonX//DTD" "x.dtd"><article xmlns:m="m"><front/>',
        b"<taxonx><p>A treatment</p></taxonx>\n",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    ],
)
def test_other_kinds_whatever_the_label(body: bytes) -> None:
    assert sniff(body, ["text/html"]).kind is Kind.OTHER


@pytest.mark.parametrize(
    ("body", "types", "url", "kind"),
    [
        (b"Pteropus vampyrus\nlives in Borneo", ["text/plain"], "", Kind.TEXT),
        (b"Pteropus vampyrus\nlives in Borneo", [], "", Kind.TEXT),
        (b"Pteropus vampyrus", ["text/html"], "", Kind.HTML),
        (b"Pteropus vampyrus", [], "https://j.example/a.html?x=1", Kind.HTML),
        (b"Not found", ["application/pdf"], "https://j.example/a.pdf", Kind.TEXT),
        (b"Hello <p>bats</p>", [], "", Kind.HTML),
        (b"body { color: red }", ["text/css"], "", Kind.OTHER),
        (b"body { color: red }", [], "https://j.example/s/site.css", Kind.OTHER),
        (b"var a = 1;", ["application/javascript"], "", Kind.OTHER),
        (b"\x01\x02\x03\x04", ["application/pdf"], "", Kind.PDF),
        (b"\x01\x02\x03\x04", ["application/octet-stream"], "https://j.example/a.pdf", Kind.PDF),
        (b"\x01\x02\x03\x04", ["text/plain"], "", Kind.OTHER),
        (b"", ["application/pdf"], "", Kind.PDF),
        (b"", [], "https://j.example/a.htm", Kind.HTML),
        (b"", [], "", Kind.OTHER),
        (b"text", [], "http://[broken", Kind.TEXT),
        (b"text", ["", ";charset=utf-8", "*/*", "nonsense"], "", Kind.TEXT),
    ],
)
def test_labels_decide_where_bytes_do_not(
    body: bytes, types: list[str], url: str, kind: Kind
) -> None:
    assert sniff(body, types, url).kind is kind


def test_file_name_of_the_disposition_counts_before_the_url() -> None:
    name = "attachment; filename*=UTF-8''supplement%20table.csv"
    assert sniff(b"a,b\n1,2\n", [], "https://j.example/a.html", name).kind is Kind.OTHER


def test_gzipped_pdf_and_page() -> None:
    assert sniff(gzip.compress(PDF), ["application/pdf"]).body == PDF
    assert sniff(gzip.compress(gzip.compress(PAGE)), ["text/html"]).kind is Kind.HTML
    assert sniff(gzip.compress(PDF[:20]) + gzip.compress(PDF[20:])).body == PDF


def test_cut_gzip_keeps_what_is_there_and_is_flagged() -> None:
    page = PAGE * 500
    whole = gzip.compress(page, compresslevel=1)
    sniffed = sniff(whole[: len(whole) // 2], ["text/html"])
    assert sniffed.kind is Kind.HTML
    assert sniffed.flags == ("truncated",)
    assert page.startswith(sniffed.body)
    assert sniff(b"\x1f\x8b\x08garbage").kind is Kind.OTHER


def test_bomb_is_refused_before_it_is_unpacked() -> None:
    packer = zlib.compressobj(9, wbits=31)
    zeros = bytes(1024 * 1024)
    bomb = b"".join(packer.compress(zeros) for _ in range(64)) + packer.flush()
    with pytest.raises(ExtractionError) as caught:
        sniff(bomb, max_unpacked=4 * 1024 * 1024)
    assert caught.value.reason == "too large"


def test_bytes_after_the_last_gzip_member_are_left_out() -> None:
    assert gunzip(gzip.compress(b"abc") + b"tail", 100) == (b"abc", True)
