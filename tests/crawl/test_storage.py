"""A disk that is full ends the crawl with one line; what was collected is kept."""

from __future__ import annotations

import json
import resource
import subprocess
from pathlib import Path

from tests.crawl.oddserver import Asked, OddServer, answer
from tests.crawl.running import ROOT, Finished, crawl, crawl_command
from tests.crawl.test_http_cases import TREATMENT

BIG = "<p>" + "Specimens were measured on the island in each season. " * 3000 + "</p>"


def test_full_disk_ends_the_crawl_and_resuming_goes_on(tmp_path: Path) -> None:
    def behave(asked: Asked) -> bytes | None:
        if asked.path == "/small":
            return answer(TREATMENT.format(links='<a href="/big">A new species, in full</a>'))
        if asked.path == "/big":
            return answer(TREATMENT.replace("fictus", "magnus").format(links=BIG))
        return None

    folder = tmp_path / "run"
    seeds = tmp_path / "seeds.txt"
    with OddServer(behave) as server:
        seeds.write_text(server.url("/small") + "\n")
        done = subprocess.run(
            crawl_command(folder, f"seeds={seeds}"),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
            # No file may grow beyond this, as on a disk that is nearly full.
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000)),
        )
        full = Finished(done.returncode, done.stdout, folder)
        resumed = crawl(folder, f"seeds={seeds}", f"resume={folder}")

    assert full.code == 4, full.log
    assert "Traceback" not in full.log
    assert sum("cannot be written" in line for line in full.log.splitlines()) >= 1
    assert resumed.code == 0, resumed.log
    urls = [json.loads(line)["url"] for line in (folder / "documents.jsonl").open()]
    assert sorted(urls) == sorted([server.url("/small"), server.url("/big")])
