"""All nasty PDFs and pages of the corpora in one crawl: it ends, and each is accounted for."""

from __future__ import annotations

from pathlib import Path

from tests.crawl.oddserver import Asked, OddServer, answer
from tests.crawl.running import FAST, crawl_seeds

TYPES = {".pdf": "application/pdf", ".xhtml": "application/xhtml+xml"}


def test_each_nasty_document_is_accounted_for(corpora: Path, cases: Path, tmp_path: Path) -> None:
    files = sorted(
        path
        for folder in (corpora / "nasty_pdf", corpora / "nasty_html", cases / "files")
        for path in folder.iterdir()
        if path.suffix in (".pdf", ".html", ".htm", ".xhtml")
    )
    served = {f"/{n}/{path.name}": path for n, path in enumerate(files)}

    def behave(asked: Asked) -> bytes | None:
        path = served.get(asked.path)
        if path is None:
            return None
        return answer(path.read_bytes(), TYPES.get(path.suffix, "text/html"))

    with OddServer(behave) as server:
        run = crawl_seeds(
            tmp_path / "run",
            [server.url(path) for path in served],
            "iterations=0",
            settings=(*FAST, "PDF_TIME_LIMIT=10", "PDF_MEMORY_LIMIT=512", "PDF_WORKERS=2"),
            timeout=280,
        )

    assert run.code == 0, run.log[-3000:]
    assert "Traceback" not in run.log
    fetched = {fetch["url"].split("/", 3)[3] for fetch in run.fetches}
    assert {path[1:] for path in served} == fetched
    assert all(fetch["status"] == "200" for fetch in run.fetches)
    accounted = [f for f in run.fetches if f["reason"] or f["category"] == "taxonomic"]
    assert len(accounted) == len(run.fetches)
    assert run.reasons[next(p for p in served if p.endswith("/bomb.pdf"))[1:]] in (
        "memory limit",
        "too large",
        "time limit",
        "malformed",
    )
    assert run.reasons[next(p for p in served if p.endswith("/locked.pdf"))[1:]] == "password"
