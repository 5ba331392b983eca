"""A crawl that is killed and resumed ends as one that was never disturbed."""

from __future__ import annotations

import random
import signal
import subprocess
from collections import Counter
from pathlib import Path

from tests.crawl.running import FAST, ROOT, Finished, crawl, crawl_command
from tests.sites.server import SmallWeb

KILLS = 10
QUERY = ("query=Pteropus vampyrus", "seeds=crossref")


def _exported(run: Finished) -> Counter[str]:
    return Counter(document["content_hash"] for document in run.documents)


def test_ten_kills_lose_nothing_and_export_nothing_twice(tmp_path: Path) -> None:
    rng = random.Random(20261127)
    with SmallWeb() as web:
        settings = (*FAST, f"CROSSREF_URL={web.url('search', '/works')}")
        undisturbed = crawl(tmp_path / "undisturbed", *QUERY, settings=settings)
        assert undisturbed.code == 0, undisturbed.log
        seconds = _duration(undisturbed)

        folder = tmp_path / "killed"
        kills = 0
        for _ in range(4 * KILLS):
            arguments = (*QUERY, f"resume={folder}") if (folder / "run.json").exists() else QUERY
            process = subprocess.Popen(
                crawl_command(folder, *arguments, settings=settings),
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                code = process.wait(timeout=_WAIT + rng.random() * seconds / 3)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
                if kills == KILLS:
                    break
            else:
                assert code in (0, 2)
                break
        resumed = crawl(folder, *QUERY, f"resume={folder}", settings=settings)

    assert resumed.code == 0, resumed.log
    assert kills >= 3
    assert _exported(resumed) == _exported(undisturbed)
    assert set(_exported(resumed).values()) == {1}
    asked = Counter(fetch["url"] for fetch in resumed.fetches)
    assert asked == Counter(fetch["url"] for fetch in undisturbed.fetches)


# Python, Scrapy and the models are loaded in about this many seconds.
_WAIT = 1.5


def _duration(run: Finished) -> float:
    times = [fetch["time"] for fetch in run.fetches]
    first, last = (float(t[17:23]) + 60 * float(t[14:16]) for t in (times[0], times[-1]))
    return max(1.0, (last - first) % 3600)
