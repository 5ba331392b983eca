from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.running import FAST
from tests.scrapyd.daemon import Scrapyd
from tests.sites.content import hosts
from tests.sites.server import SmallWeb


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    found = all(importlib.util.find_spec(name) for name in ("scrapyd", "scrapyd_client"))
    for item in items:
        if here not in item.path.parents:
            continue
        item.add_marker("scrapyd")
        if not found and os.environ.get("TAXOCRAWL_REQUIRE_ALL") != "1":
            item.add_marker(pytest.mark.skip(reason="no scrapyd: requirements-scrapyd.txt"))


@pytest.fixture(scope="session")
def web() -> Iterator[SmallWeb]:
    with SmallWeb() as served:
        yield served


@pytest.fixture(scope="session")
def settings(web: SmallWeb) -> tuple[str, ...]:
    """Those with which the small web is crawled."""
    return (*FAST, f"CROSSREF_URL={web.url('search', '/works')}")


@pytest.fixture(scope="session")
def arguments() -> dict[str, str]:
    """Those that keep a crawl on the small web."""
    addresses = ",".join(host.address for host in hosts().values())
    return {"seeds": "crossref", "allowed_hosts": addresses}


@pytest.fixture(scope="session")
def scrapyd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scrapyd]:
    """scrapyd as `make scrapyd` starts it."""
    with Scrapyd(tmp_path_factory.mktemp("in-tree"), in_tree=True) as daemon:
        yield daemon
