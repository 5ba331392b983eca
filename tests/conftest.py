"""The data of `scrapy resources` (TAXOCRAWL_RESOURCES, default that of the checkout), and Redis."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from taxocrawl.settings import RESOURCES_DIR
from tests.redisserver import RedisServer


@pytest.fixture(scope="session")
def resource() -> Callable[[str], Path]:
    """The path of a file or folder of the data; skips, or fails in CI, when it was not made."""

    def find(name: str) -> Path:
        path = Path(os.environ.get("TAXOCRAWL_RESOURCES") or RESOURCES_DIR) / name
        if not path.exists():
            reason = f"no {path}: make it with `scrapy resources {name.partition('/')[0]}`"
            if os.environ.get("TAXOCRAWL_REQUIRE_ALL") == "1":
                pytest.fail(reason)
            pytest.skip(reason)
        return path

    return find


@pytest.fixture(scope="session")
def glove(resource: Callable[[str], Path]) -> Path:
    return resource("glove/vectors.npz")


@pytest.fixture(scope="session")
def minilm(resource: Callable[[str], Path]) -> Path:
    pytest.importorskip("onnxruntime", reason="the extra `embeddings` is not installed")
    return resource("minilm")


@pytest.fixture(scope="session")
def wordnet(resource: Callable[[str], Path]) -> Path:
    return resource("wordnet")


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.stop()
