from __future__ import annotations

from taxocrawl.documents.directives import RobotsDirectives, apply_directives
from taxocrawl.items import Document, Kind, Outlink

LINKS = (Outlink("https://a.example/", nofollow=True), Outlink("https://b.example/"))


def test_headers_add_to_the_markup() -> None:
    page = Document(kind=Kind.HTML, nofollow=True, flags=("partial",))
    read = apply_directives(page, RobotsDirectives(noindex=True), obey_nofollow=True)
    assert (read.noindex, read.nofollow, read.flags) == (True, True, ("partial", "noindex"))
    assert apply_directives(read, RobotsDirectives(True, True), obey_nofollow=True) == read


def test_nothing_said() -> None:
    page = Document(kind=Kind.PDF, outlinks=LINKS)
    assert apply_directives(page, RobotsDirectives(), obey_nofollow=True) == page


def test_nofollow_can_be_ignored() -> None:
    page = Document(kind=Kind.HTML, nofollow=True, outlinks=LINKS)
    read = apply_directives(page, RobotsDirectives(nofollow=True), obey_nofollow=False)
    assert not read.nofollow
    assert [link.nofollow for link in read.outlinks] == [False, False]
    assert [link.url for link in read.outlinks] == [link.url for link in LINKS]
