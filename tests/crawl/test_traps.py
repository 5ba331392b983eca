"""Whole crawls of sites with traps and with one work under several addresses."""

from __future__ import annotations

import random
from pathlib import Path
from urllib.parse import urlsplit

from tests.crawl.oddserver import Asked, OddServer, answer
from tests.crawl.running import FAST, crawl_seeds
from tests.documents import pdfs

# The classifier must let every page through, else no link of it is followed.
TREATMENT = (
    "sp. nov. Holotype: adult male, skin and skull. Paratypes: two adult females from the type"
    " locality. Etymology: the name is an adjective. Diagnosis: a species of Pteropus distinguished"
    " from Pteropus vampyrus by its forearm length and narrow rostrum. Material examined: five"
    " specimens deposited in the museum. Distribution: known only from the type locality."
)
MENU = "".join(f'<li><a href="/menu/{n}">Menu {n}</a></li>' for n in range(30))


def _page(title: str, links: list[str], *, own_text: str = "", head: str = "") -> bytes:
    dice = random.Random(own_text)
    words = " ".join("".join(dice.choices("aeioulmnrst", k=7)) for _ in range(250))
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    text = f"<p>{words}</p>" if own_text else ""
    return answer(
        f'<!DOCTYPE html><html lang="en"><head><title>{title}</title>{head}</head><body>'
        f"<ul>{MENU}</ul><article><h1>{title}</h1><p><i>Pteropus fictus</i> {TREATMENT}</p>{text}"
        f"<ul>{items}</ul></article></body></html>"
    )


def _counters(asked: Asked) -> bytes | None:
    """URL-06"""
    parts = urlsplit(asked.path)
    value = parts.query.partition("=")[2]
    number = int(value) if value.isdigit() else 0
    if parts.path == "/":
        return _page("Start", ["/stats?year=2020", "/toc?vol=1", "/list?page=1"], own_text="start")
    if parts.path == "/stats":
        links = [f"/stats?year={number - 1}", f"/stats?year={number + 1}"]
        return _page(f"Statistics of {number}", links)
    if parts.path == "/toc":
        links = [f"/article/{number}-{n}" for n in range(8)]
        links += [f"/toc?vol={number + 1}"] if number < 12 else []
        return _page(f"Volume {number}", links)
    if parts.path == "/list":
        links = [f"/item/{number}-{n}" for n in range(2)] if number <= 40 else []
        return _page("List", [*links, f"/list?page={number + 1}"])
    if parts.path.startswith(("/article/", "/item/", "/menu/")):
        return _page(f"Page {parts.path}", [], own_text=parts.path)
    return None


def test_counters_without_an_end(tmp_path: Path) -> None:
    """URL-06: at most 10 pages of the statistics, all volumes, the list to its end; 5 % lost."""
    with OddServer(_counters) as server:
        run = crawl_seeds(
            tmp_path / "run",
            [server.url("/")],
            "iterations=60",
            settings=(*FAST, "CONCURRENT_REQUESTS_PER_DOMAIN=1"),
        )
        paths = [path for path in server.paths() if "zzq" not in path]

    assert run.code == 0, run.log
    by_name = {
        name: [path for path in paths if path.startswith(name)]
        for name in ("/stats", "/toc", "/article", "/list", "/item")
    }
    assert len(by_name["/stats"]) <= 10
    assert len(by_name["/toc"]) == 12
    assert len(by_name["/article"]) == 96
    assert 41 <= len(by_name["/list"]) <= 43
    assert len(by_name["/item"]) == 80
    lost = len(by_name["/stats"]) + len(by_name["/list"]) - 40
    assert lost <= 0.05 * len(paths)
    assert len(paths) == len(set(paths))
    report = (run.folder / "report.html").read_text(encoding="utf-8")
    links = report.partition("Links not followed")[2].partition("</table>")[0]
    assert "calendar" in links
    assert "pagination" in links


TITLE = "A revision of the invented flying foxes of three islands"
HEAD = (
    f'<meta name="citation_title" content="{TITLE}"><meta name="citation_doi"'
    ' content="10.5555/fox.1"><meta name="citation_pdf_url" content="/doi/pdf/10.5555/fox.1">'
)


def _one_work(asked: Asked) -> bytes | None:
    """An abstract, a full text and a PDF of one work, and another work at two addresses."""
    links = ["/doi/full/10.5555/fox.1", "/doi/pdf/10.5555/fox.1", "/other?id=7&ref=menu", "/copy/7"]
    pages = {
        "/doi/abs/10.5555/fox.1": lambda: _page(TITLE, links, head=HEAD),
        "/doi/full/10.5555/fox.1": lambda: _page(TITLE, [], head=HEAD, own_text="fox"),
        "/doi/pdf/10.5555/fox.1": lambda: answer(pdfs.bat(), "application/pdf"),
        "/other?id=7&ref=menu": lambda: _page("Other", ["/other/7"], own_text="other", head=OTHER),
        "/copy/7": lambda: _page("Other", [], own_text="other"),
    }
    return pages[asked.path]() if asked.path in pages else None


OTHER = '<link rel="canonical" href="/other/7">'


def test_one_work_is_exported_once_and_its_canonical_address_not_asked(tmp_path: Path) -> None:
    with OddServer(_one_work) as server:
        run = crawl_seeds(tmp_path / "run", [server.url("/doi/abs/10.5555/fox.1")])
        paths = server.paths()

    assert run.code == 0, run.log
    exported = sorted(urlsplit(document["url"]).path for document in run.documents)
    assert len(exported) == 2, exported
    assert sum(path.startswith("/doi/") for path in exported) == 1
    assert "/doi/abs/10.5555/fox.1" not in exported
    assert "/other/7" not in paths
    assert run.reasons["doi/abs/10.5555/fox.1"] == "duplicate"
    files = {path.name.partition(".")[0] for path in (run.folder / "documents").iterdir()}
    assert files == {document["content_hash"] for document in run.documents}
    assert run.log.count("Traceback") == 0
