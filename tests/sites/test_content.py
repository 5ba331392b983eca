from __future__ import annotations

import re
from pathlib import Path

import pypdfium2
import pytest

from tests.sites import content
from tests.sites.content import CONTENT, ContentError, absolute, hosts, route_at, text
from tests.sites.expected import facts
from tests.sites.render import inline
from tests.sites.walk import PORT, address_of, canonical, links, visit

PDFS = sorted({r.pdf for host in hosts().values() for r in host.routes.values() if r.pdf})
READABLE = [slug for slug in PDFS if slug != "locked-report"]
ARTICLES = sorted(path.stem for path in CONTENT.glob("articles/*.md"))
PAGES = sorted(path.stem for path in CONTENT.glob("pages/*.md"))
HYPHEN = r"(?:\ufffe|\x02|-\r?\n)"
"""At a line's end, as one version of pdfium or another gives it."""
DEAD = {
    "//annals/article/999": 404,
    "//annals/privacy": 500,
    "//museum/old/index.asp": 404,
    "//museum/item/321": 410,
    "//search/doi/10.5555/jim.3.44": 404,
    "//search/doi/10.5555/jim.1.9": 404,
    "//search/doi/10.5555/abs.11.201": 404,
    "//search/doi/10.5555/bswm.47.1": 404,
    "//search/doi/10.5555/bswm.39.5": 404,
}
SOFT_DEAD = {"//batworld/old/atlas", "//batworld/shop/old-offers"}


def pdf_text(slug: str) -> str:
    document = pypdfium2.PdfDocument(CONTENT / "pdf" / f"{slug}.pdf")
    try:
        return "\n".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def words(source: str) -> list[str]:
    return re.findall(r"[^\W\d_]{4,}", source)


def test_every_link_is_alive_or_dead_on_purpose() -> None:
    dead: dict[str, int] = {}
    for fact in facts():
        page = visit(absolute(fact.address, PORT))
        for url, _ in links(page) if page else []:
            end = visit(canonical(url))
            address = address_of(canonical(url))
            if end is None or end.answer.status != 200:
                dead[address] = end.answer.status if end else 0
            elif route_at(address) is None and not address.startswith("//search/doi/"):
                assert address in SOFT_DEAD, f"{address}, linked from {fact.address}"
    assert dead == DEAD


def test_the_web_has_the_size_it_is_said_to_have() -> None:
    pages = [f.address for f in facts() if (r := route_at(f.address)) and not r.pdf and not r.file]
    assert 55 <= len(pages) <= 70
    assert len(PDFS) == 11  # and a broken one


@pytest.mark.parametrize("slug", ARTICLES)
def test_articles_are_cited_properly(slug: str) -> None:
    article = text("articles", slug)
    assert re.fullmatch(r"10\.5555/[a-z]+\.\d+\.\w+", article.doi)
    assert article.authors
    assert 2000 < article.year < 2025
    assert article.journal
    assert len(article.abstract.split()) >= 20


def test_every_text_is_served() -> None:
    used = {
        name for host in hosts().values() for r in host.routes.values()
        for name in (r.article, r.landing, r.pdf, r.page)
    }  # fmt: skip
    assert set(ARTICLES + PAGES) <= used


def test_dois_name_one_article_each() -> None:
    dois = [text("articles", slug).doi for slug in ARTICLES]
    assert len(dois) == len(set(dois))


@pytest.mark.parametrize("slug", READABLE)
def test_a_pdf_holds_its_article(slug: str) -> None:
    article = text("articles", slug)
    source = " ".join(cell for block in article.blocks for row in block.rows for cell in row)
    found = re.sub(HYPHEN, "", pdf_text(slug))
    missing = set(words(source)) - set(words(found))
    assert len(missing) <= 0.02 * len(set(words(source))), sorted(missing)
    assert article.authors[0].split()[-1] in found


@pytest.mark.parametrize("slug", PDFS)
def test_pdfs_are_small(slug: str) -> None:
    assert (CONTENT / "pdf" / f"{slug}.pdf").stat().st_size < 30_000


def test_a_locked_pdf_stays_locked_and_a_cut_one_is_broken() -> None:
    with pytest.raises(pypdfium2.PdfiumError, match="password"):
        pypdfium2.PdfDocument(CONTENT / "pdf" / "locked-report.pdf")
    cut = visit(absolute("//museum/bitstream/305/report.pdf", PORT))
    assert cut is not None
    with pytest.raises(pypdfium2.PdfiumError):
        pypdfium2.PdfDocument(cut.answer.body)


def test_pdfs_have_columns_running_heads_and_hyphens() -> None:
    found = pdf_text("vampyrus-geography")
    assert "Contoh et al.: Pteropus vampyrus" in found
    assert re.search(rf"interor{HYPHEN}bital", found)
    lines = [line for line in found.splitlines() if len(line) > 40]
    wide = [line for line in pdf_text("pteropus-fabulae").splitlines() if len(line) > 40]
    assert sorted(map(len, lines))[len(lines) // 2] < 70 < sorted(map(len, wide))[len(wide) // 2]


def test_treatments_are_full_texts() -> None:
    lengths = {
        fact.address: sum(len(cell.split()) for b in text("articles", slug).blocks for row in b.rows
                          for cell in row)
        for fact in facts()
        if fact.export == "yes" and (route := route_at(fact.address))
        and (slug := route.article or route.pdf)
    }  # fmt: skip
    assert min(lengths.values()) >= 300
    assert sum(length >= 600 for length in lengths.values()) >= 12


def test_markup() -> None:
    source = "**Type.** *Aus bus* & [see *C.*](//museum/item/306){nofollow} doi:10.5555/jim.1.9."
    assert inline(source, 80) == (
        '<b>Type.</b> <i>Aus bus</i> &amp; <a href="http://127.0.0.4:80/item/306" rel="nofollow">'
        'see <i>C.</i></a> <a href="http://127.0.0.1:80/doi/10.5555/jim.1.9">doi:10.5555/jim.1.9'
        "</a>."
    )


def test_a_file_of_another_form_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "CONTENT", tmp_path)
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "plain-test.md").write_text("no front matter\n", encoding="utf-8")
    with pytest.raises(ContentError, match=r"plain-test\.md: expected TOML"):
        content.text("pages", "plain-test")
    (tmp_path / "pages" / "odd-test.md").write_text("+++\ncolour = 1\n+++\n", encoding="utf-8")
    with pytest.raises(ContentError, match=r"odd-test\.md: unknown keys"):
        content.text("pages", "odd-test")
