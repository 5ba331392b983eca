"""A crawl ends when the last page is worked off, not when the last answer has come."""

from __future__ import annotations

from pathlib import Path

from tests.crawl.oddserver import Asked, OddServer, answer
from tests.crawl.running import crawl_seeds
from tests.documents import pdfs

ROWS = [f"row {row}: forearm {row} mm, skin and skull of an adult male bat" for row in range(55)]


def test_a_pdf_that_takes_long_in_the_worker_is_waited_for(tmp_path: Path) -> None:
    """FRO-02b: some seconds of work while nothing is queued and nothing is downloaded."""
    page = pdfs.lines(pdfs.BAT) + pdfs.lines(ROWS, y=600, step=10)
    body = pdfs.pages([page] * 150)

    def behave(asked: Asked) -> bytes | None:
        return answer(body, "application/pdf") if asked.path == "/long.pdf" else None

    with OddServer(behave) as server:
        run = crawl_seeds(tmp_path / "run", [server.url("/long.pdf")])
        paths = server.paths()

    assert run.code == 0, run.log
    assert paths == ["/long.pdf"]
    assert len(run.documents) == 1
    assert run.info["outcome"] == "frontier empty"
