from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from taxocrawl.evaluate.replay import UNREACHABLE, PageStore, RememberedScorer, Strategy, replay
from taxocrawl.exceptions import ExtractionError, InputFileError
from taxocrawl.frontier.selection import make_policy
from taxocrawl.items import Document, Kind, Outlink
from taxocrawl.score.linkmodel import make_link_model
from taxocrawl.score.links import LinkWeights

HOST = "http://a.example"
# Each page's text and where it links; "/gone" is not there.
WEB = {
    "/": ("start", ("/car", "/bat", "/gone")),
    "/car": ("car car", ("/tyre",)),
    "/bat": ("bat bat", ("/fruit-bat", "/cave")),
    "/fruit-bat": ("bat", ()),
    "/cave": ("cave", ()),
    "/tyre": ("tyre", ()),
}


def fetch(url: str, web: Mapping[str, tuple[str, tuple[str, ...]]] = WEB) -> Document:
    path = url.removeprefix(HOST)
    if path not in web:
        raise ExtractionError("no page")
    text, links = web[path]
    outlinks = tuple(Outlink(HOST + to, to[1:].replace("-", " ")) for to in links)
    return Document(Kind.HTML, text, outlinks=outlinks)


class Bats:
    """1 for a text with the word, else 0; counts the texts it was given."""

    name = "bats"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def score(self, text: str) -> float:
        return self.score_many([text])[0]

    def score_many(self, texts: list[str]) -> list[float]:
        self.asked += texts
        return [float("bat" in text) for text in texts]


def order(tmp_path: Path, policy: str, model: str = "", pages: int = 99) -> list[str]:
    store = PageStore(tmp_path / "web.jsonl", fetch)
    params = {} if policy == "all" else {"size": 2}
    strategy = Strategy(
        Bats(),
        lambda page: page.text,
        LinkWeights(),
        make_policy(policy, params),
        make_link_model(model, {"every": 1} if model else {}),
    )
    fetches = replay(store, [f"{HOST}/"], strategy, pages)
    return [fetch["url"].removeprefix(HOST) for fetch in fetches]


def test_best_first_by_hand(tmp_path: Path) -> None:
    assert order(tmp_path, "best-first") == [
        *("/", "/bat", "/fruit-bat", "/cave", "/car", "/gone", "/tyre"),
    ]


def test_all_waits_for_the_iteration(tmp_path: Path) -> None:
    assert order(tmp_path, "all") == [
        *("/", "/bat", "/car", "/gone", "/fruit-bat", "/cave", "/tyre"),
    ]


def test_ends_after_so_many_pages_and_repeats_itself(tmp_path: Path) -> None:
    assert order(tmp_path, "top", pages=3) == order(tmp_path, "top", pages=3)
    assert len(order(tmp_path, "recent-half", pages=3)) == 3


@pytest.mark.parametrize("model", ["learned", "opic", "indegree"])
def test_link_models_take_part(tmp_path: Path, model: str) -> None:
    assert sorted(order(tmp_path, "best-first", model)) == sorted([*WEB, "/gone"])


def test_pages_are_fetched_once_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "web.jsonl"
    first = PageStore(path, fetch).page(f"{HOST}/bat")

    def refuse(url: str) -> Document:
        raise AssertionError(url)

    assert PageStore(path, fetch).page(f"{HOST}/gone") is None
    kept = PageStore(path, refuse)
    assert kept.page(f"{HOST}/bat") == first
    assert kept.page(f"{HOST}/gone") is None
    path.write_bytes(path.read_bytes() + b'{"url": "cut')
    assert PageStore(path, refuse).page(f"{HOST}/bat") == first
    path.write_text("[]\n")
    with pytest.raises(InputFileError, match="line 1: expected a page that a replay wrote"):
        PageStore(path, fetch)


def test_no_text_is_scored_twice() -> None:
    scorer = Bats()
    remembered = RememberedScorer(scorer)
    assert remembered.score_many(["bat", "car", "bat"]) == [1, 0, 1]
    assert remembered.score("car") == 0
    assert scorer.asked == ["bat", "car"]


def test_a_page_out_of_reach_is_asked_for_again_another_time(tmp_path: Path) -> None:
    def away(url: str) -> Document:
        raise ExtractionError(UNREACHABLE)

    assert PageStore(tmp_path / "web.jsonl", away).page(f"{HOST}/bat") is None
    found = PageStore(tmp_path / "web.jsonl", fetch).page(f"{HOST}/bat")
    assert found is not None
    assert found.text == "bat bat"
