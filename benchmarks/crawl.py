"""The full flow of a crawl against plain Scrapy on the same pages, in one run.

    python benchmarks/crawl.py [--pages 2000] [--repeats 3]
    python benchmarks/crawl.py --pages 10000 --memory

Serves generated pages (about 38 kB, 92 links each, text of the kind that the page filter passes,
so that every link is followed) with nginx, and crawls them as whole processes, in turn:

    fetch    Scrapy fetching every page without parsing (b)
    plain    a Scrapy spider that follows links with LinkExtractor, at its best settings (a)
    ours     the taxonomic spider: route, extract, classify, score, frontier, export

Prints pages/s and CPU ms a page of each (median), and the ratios ours/plain and ours/fetch. With
--memory it runs ours alone and prints the resident memory of its process as pages come in.
Needs nginx on the PATH.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINKS = 92
PARAGRAPHS = 40
PORT = 8099
TERMS = (
    "holotype paratype diagnosis etymology description specimen genus species nov. male female "
    "length forearm skull dental collected museum type locality differs from congeners by the "
    "presence of dorsal pelage brown ventral surface pale ears short tragus broad rostrum long "
    "sagittal crest low zygomatic arches wide canine premolar molar measurements mm material "
    "examined distribution forest river valley province elevation m a.s.l. synonym combination "
    "subgenus revision key to couplet figure table appendix deposited catalogue number"
).split()

SPEED = "CONCURRENT_REQUESTS=32 CONCURRENT_REQUESTS_PER_DOMAIN=32 DOWNLOAD_DELAY=0"
SPEED += " AUTOTHROTTLE_ENABLED=False CONCURRENT_ITEMS=8 LOG_LEVEL=ERROR"
FLAGS = [argument for setting in SPEED.split() for argument in ("-s", setting)]
SCRAPY = [sys.executable, "-m", "scrapy"]

PLAIN = """
import scrapy
from scrapy.linkextractors import LinkExtractor

class Plain(scrapy.Spider):
    name = "plain"
    start_urls = [{start!r}]
    links = LinkExtractor()
    def parse(self, response):
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url)
"""

FETCH = """
import scrapy

class Fetch(scrapy.Spider):
    name = "fetch"
    async def start(self):
        for n in range({pages}):
            yield scrapy.Request({base!r} + f"/a/{{n}}.html")
    def parse(self, response):
        pass
"""


def make_pages(folder: Path, pages: int) -> None:
    """Write the site; page n links to 92 pages that depend on n alone."""
    (folder / "a").mkdir()
    for n in range(pages):
        rng = random.Random(n)
        targets = [(n * LINKS + k + 1) % pages for k in range(LINKS)]
        blocks = []
        for p in range(PARAGRAPHS):
            words = " ".join(rng.choices(TERMS, k=95))
            links = " ".join(
                f'<a href="/a/{t}.html">Pteropus n. sp. {t}</a>' for t in targets[p::PARAGRAPHS]
            )
            blocks.append(f"<p><i>Pteropus vampyrus</i> sp. nov. {n}.{p} {words} {links}</p>")
        html = (
            f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A new species of '
            f"Pteropus {n}</title></head><body><nav><ul><li>Home</li></ul></nav><article>"
            f"<h1>A new species of Pteropus {n}</h1>{''.join(blocks)}</article></body></html>"
        )
        (folder / "a" / f"{n}.html").write_text(html, encoding="utf-8")


def start_nginx(folder: Path) -> subprocess.Popen[bytes]:
    """nginx with one worker serving the folder on loopback."""
    conf = folder / "nginx.conf"
    conf.write_text(
        f"daemon off; worker_processes 1; user {'root' if os.getuid() == 0 else os.getlogin()};"
        f"pid {folder}/nginx.pid; error_log {folder}/error.log;"
        "events { worker_connections 512; }"
        f"http {{ access_log off; keepalive_requests 100000; types {{ text/html html; }}"
        f"server {{ listen 127.0.0.1:{PORT}; root {folder}; }} }}"
    )
    process = subprocess.Popen(["nginx", "-c", str(conf)], stderr=subprocess.DEVNULL)
    time.sleep(1)
    return process


def timed(command: list[str], cwd: Path) -> tuple[float, float]:
    """Wall and CPU seconds of one command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_args()
    if shutil.which("nginx") is None:
        sys.exit("nginx is not installed")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        make_pages(folder, options.pages)
        server = start_nginx(folder)
        try:
            if options.memory:
                memory(folder, options.pages)
            else:
                report(measure(folder, options), options.pages)
        finally:
            server.terminate()
            server.wait()


def ours(folder: Path, out: Path) -> list[str]:
    """The command of our crawl of the whole site."""
    (folder / "seeds.txt").write_text(f"http://127.0.0.1:{PORT}/a/0.html\n")
    command = [*SCRAPY, "crawl", "taxonomic", "-a", "query=Pteropus vampyrus"]
    command += ["-a", f"seeds={folder}/seeds.txt", "-a", "iterations=50", "-a", f"out={out}"]
    return [*command, *FLAGS]


def memory(folder: Path, pages: int) -> None:
    """Print the resident memory of our crawl at each tenth of its pages."""
    out = folder / "run"
    process = subprocess.Popen(ours(folder, out), cwd=ROOT, stdout=subprocess.DEVNULL)
    told = 0
    while process.poll() is None:
        time.sleep(0.2)
        fetches = out / "fetches.csv"
        lines = fetches.read_bytes().count(b"\n") - 1 if fetches.exists() else 0
        if lines >= told + pages // 10:
            status = Path(f"/proc/{process.pid}/status").read_text()
            kib = next(line.split()[1] for line in status.splitlines() if "VmRSS" in line)
            print(f"{lines:7} pages  {int(kib) / 1024:6.0f} MiB", flush=True)
            told = lines
    if process.returncode:
        sys.exit(f"the crawl ended with exit code {process.returncode}")


def measure(folder: Path, options: argparse.Namespace) -> dict[str, list[tuple[float, float]]]:
    """Wall and CPU seconds of each spider, run in turn so that load falls on all alike."""
    base = f"http://127.0.0.1:{PORT}"
    (folder / "plain.py").write_text(PLAIN.format(start=f"{base}/a/0.html"))
    (folder / "fetch.py").write_text(FETCH.format(pages=options.pages, base=base))
    results: dict[str, list[tuple[float, float]]] = {"fetch": [], "plain": [], "ours": []}
    for n in range(options.repeats):
        out = folder / f"run{n}"
        results["fetch"].append(timed([*SCRAPY, "runspider", "fetch.py", *FLAGS], folder))
        results["plain"].append(timed([*SCRAPY, "runspider", "plain.py", *FLAGS], folder))
        results["ours"].append(timed(ours(folder, out), ROOT))
        lines = (out / "fetches.csv").read_text(encoding="utf-8").count("\n") - 1
        if lines != options.pages:
            sys.exit(f"ours fetched {lines} of {options.pages} pages")
        shutil.rmtree(out)
    return results


def report(results: dict[str, list[tuple[float, float]]], pages: int) -> None:
    """Print medians and ratios."""
    rate = {k: pages / statistics.median(w for w, _ in v) for k, v in results.items()}
    cpu = {k: 1000 * statistics.median(c for _, c in v) / pages for k, v in results.items()}
    for name in results:
        print(f"{name:6} {rate[name]:7.1f} pages/s  {cpu[name]:6.2f} ms CPU a page")
    print(f"ours/plain: {rate['ours'] / rate['plain']:.2f} of its pages/s")
    print(f"ours/fetch: {rate['ours'] / rate['fetch']:.2f} of its pages/s")
    print(json.dumps({"rate": rate, "cpu_ms": cpu}))


if __name__ == "__main__":
    main()
