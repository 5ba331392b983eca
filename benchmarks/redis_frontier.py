"""The frontier in Redis at growing sizes: memory, speed, and what a page costs the server.

    python -m benchmarks.redis_frontier [--sizes 100000 1000000] [--policy top]

Fills it as `benchmarks.frontier` fills the one in SQLite, with a redis-server of its own, then
takes the same figures. Bytes a URL are the server's used_memory over the URLs known; CPU is the
server's and the client's own, so that what else the machine does does not count.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from pathlib import Path

from benchmarks.frontier import LINKS_PER_PAGE, SAMPLES, pages, settle_and_pop
from taxocrawl.frontier.base import State
from taxocrawl.frontier.redis.store import RedisFrontier
from taxocrawl.frontier.selection import POLICIES, make_policy
from tests.redisserver import RedisServer


def server_cpu(server: RedisServer) -> float:
    """Seconds of CPU that the server has used."""
    told = server.client().info("cpu")
    return float(told["used_cpu_user"]) + float(told["used_cpu_sys"])


def measure(size: int, policy_name: str, folder: Path) -> dict[str, object]:
    """All figures of one size; times in milliseconds."""
    policy = make_policy(policy_name, {"size": 1000})
    server = RedisServer(folder)
    server.start()
    try:
        frontier = RedisFrontier(server.client(), "benchmark")
        empty = server.client().info("memory")["used_memory"]
        links = pages(random.Random(size))
        if not policy.barrier:
            frontier.can_pop_known(policy.limits)
        wall, cpu, offered, known = time.perf_counter(), time.process_time(), 0, 0
        while known < size:
            known += frontier.push(next(links), 4 * known // size)[0]
            offered += LINKS_PER_PAGE
        figures: dict[str, object] = {
            "known": frontier.count(State.KNOWN),
            "links_per_second": round(offered / (time.perf_counter() - wall)),
            "links_per_client_cpu_second": round(offered / (time.process_time() - cpu)),
            "links_per_server_cpu_second": round(offered / server_cpu(server)),
        }
        used = server.client().info("memory")["used_memory"] - empty
        figures["mib_redis"] = round(used / 2**20, 1)
        figures["bytes_a_url"] = round(used / known)
        wall = time.perf_counter()
        frontier.select(policy, 4)
        figures["select_1000"] = round(1000 * (time.perf_counter() - wall), 1)
        cpu, theirs = time.process_time(), server_cpu(server)
        figures.update(settle_and_pop(frontier, policy, links))
        figures["client_cpu_a_page"] = round(1000 * (time.process_time() - cpu) / SAMPLES, 2)
        figures["server_cpu_a_page"] = round(1000 * (server_cpu(server) - theirs) / SAMPLES, 2)
        frontier.close()
    finally:
        server.kill()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--policy", choices=POLICIES, default="top")
    options = parser.parse_args()
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(measure(size, options.policy, Path(folder))), flush=True)


if __name__ == "__main__":
    main()
