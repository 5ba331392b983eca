"""A crawl that is killed and resumed ends as one that was never disturbed."""

from __future__ import annotations

import random
from collections import Counter
from datetime import datetime
from pathlib import Path

from tests.crawl.killing import kill_again_and_again
from tests.crawl.running import FAST, Finished, crawl, crawl_command
from tests.sites.server import SmallWeb

KILLS = 10
QUERY = ("query=Pteropus vampyrus", "seeds=crossref")


def _exported(run: Finished) -> Counter[str]:
    return Counter(document["content_hash"] for document in run.documents)


def test_ten_kills_lose_nothing_and_export_nothing_twice(tmp_path: Path) -> None:
    with SmallWeb() as web:
        settings = (*FAST, f"CROSSREF_URL={web.url('search', '/works')}")
        undisturbed = crawl(tmp_path / "undisturbed", *QUERY, settings=settings)
        assert undisturbed.code == 0, undisturbed.log
        folder = tmp_path / "killed"
        kills = kill_again_and_again(
            lambda again: crawl_command(
                folder, *QUERY, *([f"resume={folder}"] if again else []), settings=settings
            ),
            folder,
            kills=KILLS,
            longest=_seconds(undisturbed) / 3,
            dice=random.Random(20261127),
        )
        resumed = crawl(folder, *QUERY, f"resume={folder}", settings=settings)

    assert resumed.code == 0, resumed.log
    assert kills >= 3
    assert _exported(resumed) == _exported(undisturbed)
    assert set(_exported(resumed).values()) == {1}
    asked = Counter(fetch["url"] for fetch in resumed.fetches)
    assert asked == Counter(fetch["url"] for fetch in undisturbed.fetches)


def _seconds(run: Finished) -> float:
    times = [datetime.fromisoformat(fetch["time"]) for fetch in run.fetches]
    return (times[-1] - times[0]).total_seconds()
