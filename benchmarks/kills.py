"""Kills crawls of a link web at random moments and compares them with undisturbed ones.

    python -m benchmarks.kills --web serve.py [--kills 50] [--policies all top …] [--keep FOLDER]

`--web` is a program that serves the link web on loopback addresses (``--port``, ``--log FILE`` with
one URL a line, and the job ``truth --topic``). The kills are shared among the policies; each policy
crawls some hundreds of pages of 16 hosts twice, once undisturbed. Prints for each policy the pages,
the kills, what differs in the URLs fetched and in the documents exported, the pages asked for more
than once, and those of them that no kill caught in flight. Exit code 1 when anything differs.

Sixteen requests are under way at a time; with `best-first`, which takes the best URL that is known
at the moment, only one, as what is known depends on which answers have come.
"""

from __future__ import annotations

import argparse
import csv
import io
import random
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.frontier.reading import open_reader
from tests.crawl.killing import kill_again_and_again
from tests.crawl.running import FAST, Finished, crawl, crawl_command

if TYPE_CHECKING:
    from collections.abc import Iterator

TOPIC = "Science.Biology.Mammals"
SEEDS = 12
ARGUMENTS = {
    "all": ("iterations=1",),
    "top": ("iterations=5", "batch=60"),
    "recent-half": ("iterations=5", "batch=60"),
    "best-first": ("iterations=5", "batch=60"),
}
SETTINGS = {"best-first": ("CONCURRENT_REQUESTS=1",)}


@dataclass(frozen=True)
class Comparison:
    """What a killed crawl has in common with an undisturbed one."""

    policy: str
    pages: int
    documents: int
    kills: int
    urls_differ: int
    exports_differ: int
    asked_again: int
    asked_again_without_kill: int

    @property
    def same(self) -> bool:
        return not (self.urls_differ or self.exports_differ or self.asked_again_without_kill)


@contextmanager
def served(web: Path, port: int, log: Path) -> Iterator[None]:
    """The link web while the block runs; each request is a line of `log`."""
    process = subprocess.Popen(
        [sys.executable, str(web), "--port", str(port), "--log", str(log)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        if not process.stdout.readline():
            raise SystemExit(f"{web}: did not start on port {port}")
        yield
    finally:
        process.terminate()
        process.wait()


def seeds_of(web: Path, port: int) -> list[str]:
    """The first articles of the topic."""
    truth = subprocess.run(
        [sys.executable, str(web), "truth", "--topic", TOPIC, "--port", str(port)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    rows = csv.DictReader(io.StringIO(truth))
    return sorted(row["url"] for row in rows if row["label"] == "relevant")[:SEEDS]


def compare(policy: str, kills: int, dice: random.Random, folder: Path, log: Path) -> Comparison:
    """Crawl undisturbed, then with kills."""
    arguments = (
        f"seeds={folder / 'seeds.txt'}",
        f"goldstandard={folder / 'gold.txt'}",
        "scorer=cosine",
        f"selection={policy}",
        *ARGUMENTS[policy],
    )
    whole, killed = folder / f"{policy}-whole", folder / f"{policy}-killed"
    told = ("LOG_LEVEL=WARNING", f"LOG_FILE={folder / policy}.log")
    settings = (*FAST, *told, *SETTINGS.get(policy, ()))
    undisturbed = crawl(whole, *arguments, settings=settings, spider="topic", timeout=3600)
    if undisturbed.code:
        raise SystemExit(undisturbed.log)
    log.write_text("", encoding="utf-8")
    number = kill_again_and_again(
        lambda again: crawl_command(
            killed,
            *arguments,
            *([f"resume={killed}"] if again else []),
            settings=settings,
            spider="topic",
        ),
        killed,
        kills=kills,
        longest=seconds_of(undisturbed) / max(1, kills),
        dice=dice,
    )
    resumed = crawl(
        killed, *arguments, f"resume={killed}", settings=settings, spider="topic", timeout=3600
    )
    if resumed.code:
        raise SystemExit(resumed.log)
    return comparison(policy, number, undisturbed, resumed, log)


def comparison(
    policy: str, kills: int, undisturbed: Finished, resumed: Finished, log: Path
) -> Comparison:
    """What differs, by the runs' files and the server's own log."""
    one, two = (Counter(f["url"] for f in run.fetches) for run in (undisturbed, resumed))
    documents = [
        Counter(d["content_hash"] for d in run.documents) for run in (undisturbed, resumed)
    ]
    requests = Counter(line.partition("\t")[0] for line in log.read_text("utf-8").splitlines())
    again = {url: requests[url] - 1 for url in two if requests[url] > 1}
    reader = open_reader(resumed.folder / "frontier.sqlite")
    unexplained = 0
    for url, times in again.items():
        events = (reader.why(url) or {})["events"]
        unexplained += times > sum(event["kind"] == "recovered" for event in events)
    reader.close()
    return Comparison(
        policy,
        pages=two.total(),
        documents=documents[1].total(),
        kills=kills,
        urls_differ=((one - two) + (two - one)).total(),
        exports_differ=((documents[0] - documents[1]) + (documents[1] - documents[0])).total(),
        asked_again=sum(again.values()),
        asked_again_without_kill=unexplained,
    )


def seconds_of(run: Finished) -> float:
    times = [datetime.fromisoformat(fetch["time"]) for fetch in run.fetches]
    return (max(times) - min(times)).total_seconds()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--web", type=Path, required=True)
    parser.add_argument("--kills", type=int, default=50, help="in all")
    parser.add_argument("--policies", nargs="+", choices=ARGUMENTS, default=list(ARGUMENTS))
    parser.add_argument("--port", type=int, default=8791)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for the runs; made, or empty")
    options = parser.parse_args()
    dice = random.Random(options.seed)
    policies = options.policies
    shares = [len(range(n, options.kills, len(policies))) for n in range(len(policies))]
    same = True
    print("policy       pages  documents  kills  URLs differ  exports differ  again  not in flight")
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or Path(name)
        folder.mkdir(exist_ok=True)
        log = folder / "requests.log"
        seeds = "\n".join(seeds_of(options.web, options.port))
        (folder / "seeds.txt").write_text(f"{seeds}\n", encoding="utf-8")
        (folder / "gold.txt").write_text("mammals, bats, whales and their species", "utf-8")
        with served(options.web, options.port, log):
            for policy, kills in zip(policies, shares, strict=True):
                found = compare(policy, kills, dice, folder, log)
                same &= found.same
                print(
                    f"{policy:<12} {found.pages:>5}  {found.documents:>9}  {found.kills:>5}"
                    f"  {found.urls_differ:>11}  {found.exports_differ:>14}"
                    f"  {found.asked_again:>5}  {found.asked_again_without_kill:>13}",
                    flush=True,
                )
    sys.exit(not same)


if __name__ == "__main__":
    main()
