"""Crawls the noisy link web and tells from the server's own log what its requests were spent on.

    python -m benchmarks.noise --web serve.py [--pages 4000] [--policies top …] [--keep FOLDER]

`--web` is a program that serves the link web on loopback addresses (``--port``, ``--noise``, and
the job ``truth --topic``). Every page passes the filter, so that every link is followed that
politeness and the trap rules let through; 16 requests are under way at a time, one to a host.
Prints for each policy the requests by kind, the shortest time between two requests to one host
(robots.txt asks for 0.2 s), what was asked for twice, and the articles that were exported twice.
Exit code 1 when noise of all kinds is more than 5 %, or when a rule was broken.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.crawl.linkweb import CRAWL_DELAY, NOISE, LinkWeb, article_of, kind_of
from tests.crawl.oddserver import Asked
from tests.crawl.running import Finished, crawl

TOPIC = "Science.Biology.Mammals"
SEEDS = 32
MOST = 0.05
TOLERANCE = 0.01
"""Seconds between a request's leaving the crawler and its being noted."""
POLICIES = ("all", "top", "recent-half", "best-first")


def shortest_gap(asked: list[Asked]) -> float:
    """Seconds between two requests to one host."""
    last: dict[str, float] = {}
    shortest = float("inf")
    for request in asked:
        shortest = min(shortest, request.time - last.get(request.host, float("-inf")))
        last[request.host] = request.time
    return shortest


def measure(policy: str, pages: int, web: Path, folder: Path) -> bool:
    """Crawl and print; whether all is within the limits."""
    with LinkWeb(web) as served:
        folder.mkdir()
        (folder / "seeds.txt").write_text("\n".join(served.articles(TOPIC)[:SEEDS]), "utf-8")
        (folder / "gold.txt").write_text("mammals, bats, whales and their species", "utf-8")
        run = crawl(
            folder / "run",
            *(f"seeds={folder / 'seeds.txt'}", f"goldstandard={folder / 'gold.txt'}"),
            *("scorer=cosine", "iterations=1000", f"selection={policy}", f"max_pages={pages}"),
            *(() if policy == "all" else ("batch=200",)),
            settings=("DOWNLOAD_DELAY=0", "AUTOTHROTTLE_ENABLED=False", "LOG_LEVEL=WARNING"),
            spider="topic",
            timeout=7200,
        )
        asked = list(served.asked)
    if run.code:
        raise SystemExit(run.log)
    return told(policy, run, asked)


def told(policy: str, run: Finished, asked: list[Asked]) -> bool:
    kinds = Counter(kind_of(request.path) for request in asked)
    noise = sum(kinds[kind] for kind in NOISE)
    print(f"\n{policy}: {len(asked)} requests, {len({a.host for a in asked})} hosts")
    for kind in (*NOISE, "forbidden by robots.txt", "article", "menu or probe", "robots.txt"):
        print(f"  {kind:<26} {kinds[kind]:>6}  {100 * kinds[kind] / len(asked):5.1f} %")
    print(f"  {'noise of all kinds':<26} {noise:>6}  {100 * noise / len(asked):5.1f} %")
    twice = sum(n - 1 for n in Counter((a.host, a.path) for a in asked).values())
    works = Counter(article_of(str(d["url"])) for d in run.documents)
    works.pop("", None)
    copies = sum(works.values()) - len(works)
    gap = shortest_gap(asked)
    print(f"  shortest gap {gap:.3f} s; asked twice {twice}; articles {len(works)}, twice {copies}")
    print(f"  ended: {run.info['outcome']}", flush=True)
    return (
        noise <= MOST * len(asked)
        and not kinds["forbidden by robots.txt"]
        and not (twice or copies)
        and gap >= CRAWL_DELAY - TOLERANCE
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--web", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=4000)
    parser.add_argument("--policies", nargs="+", choices=POLICIES, default=["top", "best-first"])
    parser.add_argument("--keep", type=Path, help="folder for the runs; made, or empty")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or Path(name)
        folder.mkdir(exist_ok=True)
        good = [measure(p, options.pages, options.web, folder / p) for p in options.policies]
    sys.exit(not all(good))


if __name__ == "__main__":
    main()
