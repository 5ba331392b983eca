"""A crawl that may not ask private addresses asks none: by no name, form, link or redirect."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from scrapy.resolver import CachingThreadedResolver
from twisted.internet import defer

from taxocrawl.downloadermiddlewares.resolver import PrivateAddressError, PublicResolver
from taxocrawl.frontier.reading import open_reader
from tests.crawl.running import ROOT
from tests.site import Answer, Site, page

# Stands in for name servers and for the public internet, of which a test has neither.
CRAWL = """
import json, socket, sys
from taxocrawl.downloadermiddlewares import private, resolver
names = json.loads(sys.argv[1])
socket.gethostbyname = lambda name: names.get(name, name)
resolver.is_public = lambda address: address == "127.0.0.2"
check = private.is_private_host
private.is_private_host = lambda host: host != "127.0.0.2" and check(host)
from scrapy.cmdline import execute
execute(["scrapy", "crawl", "taxonomic", *sys.argv[2:]])
"""
NAMES = {
    "public.example": "127.0.0.2",
    "inner.example": "127.0.0.1",
    "metadata.example": "169.254.169.254",
}


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site("127.0.0.1", "127.0.0.2")
    yield site
    site.close()


def crawl(folder: Path, seeds: Sequence[str], *settings: str) -> dict[str, str]:
    """The reason against each URL of a crawl; '' or another one for what was asked for."""
    file = folder / "seeds.txt"
    file.write_text("\n".join(seeds))
    out = folder / "run"
    command = [sys.executable, "-c", CRAWL, json.dumps(NAMES)]
    command += ["-a", f"seeds={file}", "-a", f"out={out}", "-a", "iterations=1"]
    command += ["-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False"]
    command += ["-s", "CLASSIFIER_HTML=", "-s", "CLASSIFIER_PDF=", *settings]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    with closing(open_reader(out / "frontier.sqlite")) as reader:
        return {fetch["url"]: fetch["reason"] for fetch in reader.fetches()}


def test_private_addresses_are_refused_however_they_are_reached(site: Site, tmp_path: Path) -> None:
    port = site.port
    private = [
        f"http://127.0.0.1:{port}/seed",
        f"http://127.1:{port}/form",
        f"http://2130706433:{port}/number",
        f"http://localhost:{port}/name",
        f"http://[::1]:{port}/six",
        f"http://inner.example:{port}/answer",
        "http://metadata.example/latest",
    ]
    public = f"http://public.example:{port}"
    site.pages["/redirect"] = Answer("", 302, {"Location": f"http://127.0.0.1:{port}/redirected"})
    site.pages["/by-name"] = Answer("", 302, {"Location": f"http://inner.example:{port}/renamed"})
    linked = f"http://inner.example:{port}/linked"
    site.pages["/links"] = page(linked, text="A page about bats with enough words to be kept.")
    led = [f"{public}/redirect", f"{public}/by-name"]
    reasons = crawl(
        tmp_path, [*private, *led, f"{public}/links"], "-s", "PRIVATE_HOSTS_ALLOWED=False"
    )
    assert reasons.pop(f"{public}/links") == ""
    assert set(reasons.values()) == {"private address"}
    assert len(reasons) == len(private) + len(led) + 1
    assert linked in reasons
    assert {host for _, host, _ in site.asked} == {"public.example"}


def test_a_name_server_gains_nothing_by_a_second_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["8.8.8.8", "10.0.0.1"])
    resolver = PublicResolver(reactor=None, cache_size=0, timeout=1)
    resolver.public_only = True
    monkeypatch.setattr(
        CachingThreadedResolver, "getHostByName", lambda *_: defer.succeed(next(answers))
    )
    assert resolver.getHostByName("rebinding.example").result == "8.8.8.8"
    failed: list[object] = []
    resolver.getHostByName("rebinding.example").addErrback(lambda e: failed.append(e.value))
    assert isinstance(failed[0], PrivateAddressError)


def test_they_are_asked_when_they_may_be(site: Site, tmp_path: Path) -> None:
    site.pages["/seed"] = page(text="A page about bats with enough words to be kept.")
    url = f"http://inner.example:{site.port}/seed"
    assert crawl(tmp_path, [url]) == {url: ""}
    assert "/seed" in site.paths
