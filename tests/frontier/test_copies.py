"""Which copy of a work is exported, in whatever order the copies come."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from taxocrawl.documents.duplicates import Fingerprint
from taxocrawl.frontier.base import Frontier, Outcome, Settled, State
from taxocrawl.frontier.selection import All
from taxocrawl.frontier.sqlite import SqliteFrontier
from tests.frontier.conftest import Open, offer

LANDING = Fingerprint("landing", doi="10.5555/a", title="batsofthethreeislands", year=1, words=100)
PDF = Fingerprint("pdf", doi="10.5555/a", words=5000, pdf=True)
MIRROR = Fingerprint("mirror", text="t", title="batsofthethreeislands", year=1, words=5000)
COPY = Fingerprint("copy", text="t", words=4000)
OTHER = Fingerprint("other", doi="10.5555/b", words=50)
WORK = (LANDING, PDF, MIRROR, COPY)


def _settle(frontier: Frontier, marks: Fingerprint, url: str = "") -> Settled:
    url = url or f"http://{marks.content}.example/"
    frontier.push([offer(url)], -1)
    frontier.select(All(), 0)
    entry = frontier.pop()
    assert entry is not None
    return frontier.settle(
        Outcome(
            entry.id,
            State.DONE,
            fetch={"url": entry.url, "reason": ""},
            document={"url": entry.url, "content_hash": marks.content},
            fingerprint=marks,
        )
    )


def _exported(frontier: Frontier) -> list[str]:
    return [str(record["content_hash"]) for record in frontier.documents()]


@pytest.mark.parametrize("order", list(itertools.permutations((*WORK, OTHER)))[::3])
def test_order_of_arrival_does_not_matter(order: Iterable[Fingerprint], frontier: Frontier) -> None:
    for marks in order:
        _settle(frontier, marks)
    assert sorted(_exported(frontier)) == ["other", "pdf"]
    reasons = {str(f["url"]): f["reason"] for f in frontier.fetches()}
    assert reasons == {
        f"http://{marks.content}.example/": "duplicate" if marks in (LANDING, MIRROR, COPY) else ""
        for marks in (*WORK, OTHER)
    }
    for marks in (*WORK, OTHER):
        url = f"http://{marks.content}.example/"
        assert frontier.find(url).reason == reasons[url]  # type: ignore[union-attr]


def test_a_better_copy_replaces_what_was_exported(frontier: Frontier) -> None:
    first = _settle(frontier, LANDING)
    second = _settle(frontier, PDF)
    third = _settle(frontier, LANDING, "http://again.example/")
    assert (first.exported, first.duplicate_of, list(first.superseded)) == (True, "", [])
    assert second.exported
    assert [record["content_hash"] for record in second.superseded] == ["landing"]
    assert (third.exported, third.duplicate_of) == (False, "http://pdf.example/")
    assert frontier.exported_as("landing") is None
    assert frontier.exported_as("pdf") == "http://pdf.example/"
    events = frontier.why("http://landing.example/")["events"]  # type: ignore[index]
    assert [(event["kind"], event["by"]) for event in events] == [
        ("superseded", "http://pdf.example/")
    ]


def test_one_copy_joins_two_works(frontier: Frontier) -> None:
    _settle(frontier, PDF)
    _settle(frontier, COPY)
    assert sorted(_exported(frontier)) == ["copy", "pdf"]
    _settle(frontier, MIRROR)
    assert sorted(_exported(frontier)) == ["mirror", "pdf"]
    joined = _settle(frontier, LANDING)
    assert _exported(frontier) == ["pdf"]
    assert not joined.exported
    assert [record["content_hash"] for record in joined.superseded] == ["mirror"]


def test_equal_bytes_keep_the_first_address_of_the_alphabet(frontier: Frontier) -> None:
    _settle(frontier, OTHER, "http://b.example/")
    _settle(frontier, OTHER, "http://a.example/")
    _settle(frontier, OTHER, "http://c.example/")
    assert [record["url"] for record in frontier.documents()] == ["http://a.example/"]


def test_a_later_version_of_a_page_is_exported_beside_the_first(frontier: Frontier) -> None:
    url = "http://a.example/"
    _settle(frontier, Fingerprint("v1", doi="10.5555/a", words=10), url)
    for content, exported in (("v2", True), ("v1", False)):
        frontier.revisit(url, 0)
        settled = _settle(frontier, Fingerprint(content, doi="10.5555/a", words=9), url)
        assert settled.exported is exported
    assert _exported(frontier) == ["v1", "v2"]


def test_a_better_copy_replaces_all_versions_of_a_page(frontier: Frontier) -> None:
    url = "http://a.example/"
    _settle(frontier, LANDING, url)
    frontier.revisit(url, 0)
    _settle(frontier, Fingerprint("landing 2", words=120), url)
    settled = _settle(frontier, PDF)
    assert [r["content_hash"] for r in settled.superseded] == ["landing", "landing 2"]
    assert _exported(frontier) == ["pdf"]
    assert frontier.exported() == 1


def test_a_version_of_a_duplicate_is_judged_as_its_first_was(frontier: Frontier) -> None:
    url = "http://a.example/"
    _settle(frontier, PDF)
    _settle(frontier, LANDING, url)
    frontier.revisit(url, 0)
    again = _settle(frontier, Fingerprint("landing 2", doi="10.5555/a", words=120), url)
    assert again.duplicate_of == "http://pdf.example/"
    frontier.revisit(url, 0)
    assert _settle(frontier, OTHER, url).exported
    assert _exported(frontier) == ["pdf", "other"]


def test_works_survive_a_restart(open_frontier: Open) -> None:
    for marks in WORK:
        frontier = open_frontier()
        _settle(frontier, marks)
        frontier.close()
    frontier = open_frontier()
    assert _exported(frontier) == ["pdf"]
    frontier.close()


def test_counter_agrees_with_what_is_exported(tmp_path: Path) -> None:
    dice = random.Random(3)
    frontier = SqliteFrontier(tmp_path / "frontier.sqlite")
    for number in range(150):
        marks = Fingerprint(
            f"c{number}",
            doi=dice.choice(["", f"10.5555/{dice.randrange(40)}"]),
            text=dice.choice(["", f"t{dice.randrange(40)}"]),
            words=dice.randrange(2000),
        )
        _settle(frontier, marks)
        assert frontier.exported() == len(_exported(frontier))
    frontier.close()
