"""A web of known categories on loopback, for experiments: serving it, asking it, crawling it."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

from taxocrawl.exceptions import ArgumentError, StorageError, TaxocrawlError
from taxocrawl.runs.folder import write_atomically

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    from taxocrawl.runs.folder import RunFolder

SEARCH_HOST = "127.0.3.1"
ONE_AT_A_TIME = (
    "DOWNLOAD_DELAY=0",
    "AUTOTHROTTLE_ENABLED=False",
    "CONCURRENT_REQUESTS=1",
    "LOG_LEVEL=WARNING",
)
"""Settings under which a crawl on loopback has the same order in every run."""


def add_web_arguments(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """--web and --port."""
    parser.add_argument(
        "--web",
        type=Path,
        required=required,
        metavar="SCRIPT",
        help="server of the web: SCRIPT --port N serves it, SCRIPT truth --topic T --port N lists "
        "url,label; its search answers at 127.0.3.1 in Crossref's shape",
    )
    parser.add_argument("--port", type=int, default=8765, metavar="N")


@contextlib.contextmanager
def served(options: argparse.Namespace) -> Iterator[None]:
    """The web, served by its script while this lasts; what serves it already is left to do so."""
    if _answers(options.port):
        yield
        return
    # Told to end, this process must not leave the server behind.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    command = [sys.executable, str(options.web), "--port", str(options.port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            _wait_until_it_answers(options.port, server)
            yield
        finally:
            server.terminate()


def _wait_until_it_answers(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(240):
        ended = server.poll() is not None
        if _answers(port):
            return
        if ended:
            break
        time.sleep(0.5)
    raise ArgumentError("--web: the script does not serve a search at 127.0.3.1")


def _answers(port: int) -> bool:
    try:
        with urlopen(_search_url(port, "x", 1), timeout=20):
            return True
    except (URLError, OSError):
        return False


def _search_url(port: int, query: str, rows: int) -> str:
    words = urlencode({"query": query, "rows": rows, "filter": "wiki"})
    return f"http://{SEARCH_HOST}:{port}/works?{words}"


def search(port: int, query: str, rows: int) -> list[str]:
    """The first URLs that the web's search gives for a query."""
    with urlopen(_search_url(port, query, rows), timeout=60) as answer:
        found: dict[str, Any] = json.load(answer)
    return [str(item["URL"]) for item in found["message"]["items"]]


def truth_file(category: str, options: argparse.Namespace) -> Path:
    """The file in --out that lists which pages are of a category, made when it is not there.

    Raises ArgumentError for one that was made when the web was served at another port.
    """
    path: Path = options.out / f"{category}.csv"
    if path.exists():
        port = _port_of(path)
        if port not in {None, options.port}:
            raise ArgumentError(
                f"{path} lists pages at port {port}: give --port {port}, or another --out"
            )
    else:
        ask = [sys.executable, str(options.web), "truth", "--topic", category]
        listed = subprocess.run(
            [*ask, "--port", str(options.port)], check=True, capture_output=True
        )
        write_atomically(path, listed.stdout)
    return path


def _port_of(truth: Path) -> int | None:
    _, first, *_ = [*truth.read_text(encoding="utf-8").splitlines(), "", ""]
    return urlsplit(first.partition(",")[0]).port


def run_crawl(
    spider: str, arguments: Mapping[str, str], settings: Sequence[str], folder: RunFolder
) -> None:
    """Crawl in a process of its own, its output going to a log file beside the run's folder.

    Raises TaxocrawlError, naming the log, when it fails.
    """
    command = [sys.executable, "-m", "scrapy", "crawl", spider]
    command += [part for n, v in arguments.items() for part in ("-a", f"{n}={v}")]
    command += [part for setting in settings for part in ("-s", setting)]
    log = folder.path.with_suffix(".log")
    try:
        with log.open("wb") as file:
            ended = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, check=False)
    except OSError as error:
        raise StorageError(f"{log}: cannot be written: {error.strerror}") from error
    if ended.returncode:
        raise TaxocrawlError(f"{folder.path.name}: crawl failed; see {log}")
