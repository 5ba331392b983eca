"""The Crossref provider on the search of the shared small web: the chain that runs offline."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from taxocrawl.seeds import gather
from taxocrawl.seeds.base import Answer, Use
from taxocrawl.seeds.crossref import Crossref


@pytest.fixture(scope="module")
def search_url(shared: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    index = shared / "corpora" / "index.csv"
    command = [sys.executable, str(shared / "web" / "serve.py"), "--port", str(port)]
    with subprocess.Popen(
        [*command, "--documents", str(index)], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        assert "search at" in server.stdout.readline()
        yield f"http://127.0.3.1:{port}/works"
        server.terminate()


def get(url: str) -> Answer:
    with urllib.request.urlopen(url, timeout=30) as response:
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answer(response.status, response.read(), headers)


async def fetch(url: str) -> Answer:
    return await asyncio.to_thread(get, url)


async def no_wait(seconds: float) -> None:
    pass


def test_paging_goes_to_the_end(search_url: str) -> None:
    provider = Crossref(fetch, url=f"{search_url}?filter=documents", sleep=no_wait)
    outcome = asyncio.run(provider.search("of the and in new species", 2000))
    assert len(outcome.results) > 200
    assert outcome.problem == ""
    assert outcome.requests == 2


def test_documents_come_as_pdf_where_they_are(search_url: str) -> None:
    provider = Crossref(fetch, url=f"{search_url}?filter=documents", sleep=no_wait)
    found = asyncio.run(gather([provider], ["new species", "new genus"], 50))
    assert len(found.seeds) == 50
    pdfs = [hit for hit in found.seeds if hit.uses[0] is Use.OPEN_PDF]
    assert pdfs
    assert all("/pdf/" in hit.url and "/article/" in hit.alternatives[0] for hit in pdfs)
