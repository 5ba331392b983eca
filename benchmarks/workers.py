"""One crawl by 1, 2 and 4 workers on Redis against one worker on SQLite, in one run.

    python -m benchmarks.workers [--pages 500] [--workers 1 2 4]

The pages are those of `benchmarks.crawl` (38 kB, 92 links, all followed), served by nginx; the
spider is `taxonomic`. Prints pages/s from the first download to the last (starting processes is not
what is measured), CPU milliseconds a page of all workers (their start included) and of the Redis
server, what the server's time went to, and its memory a page.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path

from benchmarks.crawl import PORT, make_pages, start_nginx
from benchmarks.redis_frontier import server_cpu
from tests.crawl.running import ROOT, crawl_command
from tests.redisserver import RedisServer

SPEED = (
    "CONCURRENT_REQUESTS=16",
    "CONCURRENT_REQUESTS_PER_DOMAIN=64",
    "DOWNLOAD_DELAY=0",
    "AUTOTHROTTLE_ENABLED=False",
    "LOG_LEVEL=ERROR",
)


def crawl(folder: Path, name: str, workers: int, settings: tuple[str, ...]) -> tuple[float, float]:
    """Pages/s of a crawl, and CPU milliseconds a page of its workers."""
    out = folder / name
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = crawl_command(
        out,
        "query=Pteropus vampyrus",
        f"seeds={folder}/seeds.txt",
        "iterations=50",
        settings=(*SPEED, *settings),
    )
    started = [subprocess.Popen(command, cwd=ROOT) for _ in range(workers)]
    codes = [process.wait() for process in started]
    if any(codes):
        sys.exit(f"{name}: a worker failed")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    with (out / "fetches.csv").open(encoding="utf-8", newline="") as file:
        times = [datetime.fromisoformat(row["time"]) for row in csv.DictReader(file)]
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    seconds = (max(times) - min(times)).total_seconds()
    return len(times) / seconds, 1000 * cpu / len(times)


def shared(folder: Path, workers: int, pages: int) -> None:
    """Crawl on Redis and print the figures."""
    server = RedisServer(folder / f"redis{workers}", "--appendonly", "yes")
    server.start()
    try:
        settings = ("FRONTIER_BACKEND=redis", f"REDIS_URL={server.url}")
        rate, cpu = crawl(folder, f"redis-{workers}", workers, settings)
        theirs = 1000 * server_cpu(server) / pages
        print(f"Redis, {workers:2}  {rate:7.1f}  {cpu:8.1f}  {theirs:8.2f}")
        used = server.client().info("commandstats")
        busiest = sorted(used.items(), key=lambda item: -item[1]["usec"])[:4]
        print("           ", ", ".join(f"{n[8:]} {s['usec'] / 1000:.0f} ms" for n, s in busiest))
        memory = server.client().info("memory")["used_memory"] / 1024 / pages
        print(f"            {memory:.1f} KiB of Redis a page, its documents included", flush=True)
    finally:
        server.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    options = parser.parse_args()
    if shutil.which("nginx") is None:
        sys.exit("nginx is not installed")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print("           pages/s  CPU ms a page: workers, Redis")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        make_pages(folder, options.pages)
        (folder / "seeds.txt").write_text(f"http://127.0.0.1:{PORT}/a/0.html\n")
        nginx = start_nginx(folder)
        try:
            rate, cpu = crawl(folder, "sqlite", 1, ())
            print(f"SQLite,  1  {rate:7.1f}  {cpu:8.1f}", flush=True)
            for workers in options.workers:
                shared(folder, workers, options.pages)
        finally:
            nginx.terminate()
            nginx.wait()


if __name__ == "__main__":
    main()
