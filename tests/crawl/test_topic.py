"""The spider `topic` on the small web."""

from __future__ import annotations

from pathlib import Path

from tests.crawl.running import FAST, crawl
from tests.sites.server import SmallWeb


def test_every_page_with_text_passes_without_a_filter(tmp_path: Path) -> None:
    gold = tmp_path / "gold.txt"
    gold.write_text("bats of the genus Pteropus, flying foxes, fruit", encoding="utf-8")
    with SmallWeb() as web:
        done = crawl(
            tmp_path / "run",
            f"goldstandard={gold}",
            "query=Pteropus vampyrus",
            "seeds=crossref",
            "scorer=cosine",
            "selection=best-first",
            "batch=5",
            "max_pages=20",
            settings=(*FAST, f"CROSSREF_URL={web.url('search', '/works')}"),
            spider="topic",
        )
    assert done.code == 0, done.log
    assert {fetch["category"] for fetch in done.fetches} == {""}
    passed = [f for f in done.fetches if f["status"] == "200" and f["reason"] == ""]
    assert len(passed) == len(done.documents) >= 10
    assert all(0 <= float(f["score"]) <= 1 for f in done.fetches)
    assert max(int(f["iteration"]) for f in done.fetches) >= 3
    assert done.info["spider"] == "topic"
    assert done.info["arguments"]["filter"] == "none"
    assert done.info["models"] == {}
    assert done.info["settings"]["SCORER_CLASS"] == "cosine"
    assert max(document["page_score"] for document in done.documents) > 0


def test_learned_scores_reach_the_frontier(tmp_path: Path) -> None:
    def scores(name: str, web: SmallWeb, *model: str) -> dict[str, float]:
        done = crawl(
            tmp_path / name,
            "query=Pteropus vampyrus fruit bats",
            "seeds=crossref",
            "selection=best-first",
            "allowed_hosts=127.0.0.2",
            "max_pages=25",
            settings=(*FAST, f"CROSSREF_URL={web.url('search', '/works')}", *model),
            spider="topic",
        )
        assert done.code == 0, done.log
        return {f["url"].split("/", 3)[3]: float(f["score"]) for f in done.fetches}

    with SmallWeb() as web:
        plain = scores("plain", web)
        learned = scores(
            "learned",
            web,
            "LINKSCORE_MODEL=learned",
            'LINKSCORE_MODEL_PARAMS={"every": 3, "least": 4}',
        )
    both = plain.keys() & learned.keys()
    assert all(0 <= score <= 1 for score in learned.values())
    assert len(set(learned.values())) > 5
    # Seeds keep their scores; what was waiting when the model had learned got its probability.
    assert any(plain[url] == learned[url] for url in both)
    assert any(plain[url] != learned[url] for url in both)
