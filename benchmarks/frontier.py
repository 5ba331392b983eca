"""The SQLite frontier at growing sizes: how fast, how large in memory, and how both grow.

    python -m benchmarks.frontier [--sizes 10000 100000 1000000] [--policy top] [--json FILE]

For each size a new frontier is filled; hosts follow a power law. The last tenth, 100,000 URLs at
most, come as pages bring them (50 links a page, four of ten seen before) and are timed; what is
there before is loaded with its indexes left for last. Then, at that size: the selection of 1,000
URLs, a pop with 20 busy hosts, and a page's settle with 50 links, in milliseconds. RSS is the most
that a process of its own had, with the loading.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from taxocrawl.frontier.base import Candidate, Frontier, Outcome, State
from taxocrawl.frontier.discovery import INSERT, Offer, known_row
from taxocrawl.frontier.ordering import place_of
from taxocrawl.frontier.policy import SelectionPolicy
from taxocrawl.frontier.schema import KNOWN_ORDER
from taxocrawl.frontier.selection import POLICIES, make_policy
from taxocrawl.frontier.sqlite import SqliteFrontier
from taxocrawl.frontier.urls import canonicalize, host_of

LINKS_PER_PAGE = 50
TIMED = 100_000
SEEN_BEFORE = 0.4
HOSTS = 5_000
SAMPLES = 300
BUSY = [f"host{n}.example" for n in range(20)]


def link(number: int, dice: random.Random) -> Candidate:
    """A link to one of the URLs."""
    host = int(HOSTS * (number * 0.6180339887 % 1.0) ** 3)
    return Candidate(
        f"https://host{host}.example/journal/article/view/{number}",
        dice.random(),
        depth=2,
        referrer="https://host0.example/issue/7",
        evidence={"page": 0.5, "anchor": 0.25},
    )


def load(path: Path, links: Iterable[Candidate], count: int) -> None:
    """Fill a frontier file with known URLs of four iterations."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        hosts: dict[str, int] = {}

        def rows() -> Iterator[tuple[object, ...]]:
            for number, link in enumerate(links):
                host = hosts.setdefault(host_of(link.url), len(hosts) + 1)
                iteration = 4 * number // count
                offer = Offer(link, place_of(iteration))
                yield known_row(canonicalize(link.url), host, offer, iteration, 0.0)

        indexes = db.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'urls'"
        ).fetchall()
        db.execute("BEGIN")
        for name, _ in indexes:
            db.execute(f"DROP INDEX {name}")
        db.executemany(INSERT, rows())
        db.executemany("INSERT INTO hosts (host, id) VALUES (?, ?)", hosts.items())
        for _, statement in indexes:
            db.execute(statement)
        db.execute("UPDATE counts SET n = ? WHERE name = ?", (count, State.KNOWN))
        db.execute("DELETE FROM meta WHERE name = ?", (KNOWN_ORDER,))
        db.execute("COMMIT")


def pages(made: int, dice: random.Random) -> Iterator[list[Candidate]]:
    """Links page by page, without end, when `made` URLs are known."""
    while True:
        links = []
        for _ in range(LINKS_PER_PAGE):
            number = dice.randrange(made) if made and dice.random() < SEEN_BEFORE else made
            made += number == made
            links.append(link(number, dice))
        yield links


def milliseconds(job: Callable[[], object], times: int = SAMPLES) -> dict[str, float]:
    """Median and 99th percentile of a job's duration."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        job()
        taken.append(1000 * (time.perf_counter() - begun))
    return {
        "median": round(statistics.median(taken), 3),
        "p99": round(statistics.quantiles(taken, n=100)[98], 3),
    }


def settle_and_pop(
    frontier: Frontier, policy: SelectionPolicy, links: Iterator[list[Candidate]]
) -> dict[str, object]:
    popped: list[int] = []

    def pop() -> None:
        entry = frontier.pop(BUSY) if policy.barrier else frontier.pop_known(2, policy.limits, BUSY)
        assert entry is not None
        popped.append(entry.id)

    def settle() -> None:
        outcome = Outcome(popped.pop(), State.DONE, fetch={"status": 200}, links=next(links))
        frontier.settle(outcome)

    return {"pop": milliseconds(pop), "settle_50_links": milliseconds(settle)}


def measure(size: int, policy_name: str) -> dict[str, object]:
    """All figures of one size; times in milliseconds."""
    policy = make_policy(policy_name, {"size": 1000})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "frontier.sqlite"
        frontier = SqliteFrontier(path)
        dice = random.Random(size)
        # A crawl selects when only its seeds are known: the orders it needs are kept from then on.
        frontier.select(policy, 0)
        frontier.close()
        begun = size - min(size // 10, TIMED)
        load(path, (link(number, dice) for number in range(begun)), begun)
        frontier = SqliteFrontier(path)
        frontier.can_pop_known(policy.limits) if not policy.barrier else None
        links = pages(begun, dice)
        wall, cpu, offered = time.perf_counter(), time.process_time(), 0
        while (known := frontier.count(State.KNOWN)) < size:
            frontier.push(next(links), 4 * known // size)
            offered += LINKS_PER_PAGE
        figures: dict[str, object] = {
            "known": known,
            "links_per_second": round(offered / (time.perf_counter() - wall)),
            "links_per_cpu_second": round(offered / (time.process_time() - cpu)),
        }
        wall = time.perf_counter()
        frontier.select(policy, 4)
        figures["select_1000"] = round(1000 * (time.perf_counter() - wall), 1)
        figures.update(settle_and_pop(frontier, policy, links))
        figures["mib_on_disk"] = round(path.stat().st_size / 2**20, 1)
        figures["mib_rss"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
        frontier.close()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--policy", choices=POLICIES, default="top")
    parser.add_argument("--json", type=Path, help="write the figures to a file as well")
    options = parser.parse_args()
    table = []
    for size in options.sizes:
        # A process for each size, so that one's memory is not another's.
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            figures = pool.apply(measure, (size, options.policy))
        table.append(figures)
        print(json.dumps(figures), flush=True)
    first, last = table[0], table[-1]
    growth = {
        "urls": last["known"] / first["known"],
        "links_per_second": round(last["links_per_second"] / first["links_per_second"], 3),
        "settle": round(last["settle_50_links"]["median"] / first["settle_50_links"]["median"], 2),
        "pop": round(last["pop"]["median"] / first["pop"]["median"], 2),
        "rss": round(last["mib_rss"] / first["mib_rss"], 2),
    }
    print("growth from the first size to the last:", json.dumps(growth))
    if options.json:
        options.json.write_text(json.dumps({"sizes": table, "growth": growth}, indent=1) + "\n")


if __name__ == "__main__":
    main()
