from __future__ import annotations

import json
from pathlib import Path

import pytest

from taxocrawl.diversify.ranking import Ranking
from taxocrawl.exceptions import InputFileError
from taxocrawl.rerank.candidates import format_candidates, read_candidates, with_texts
from taxocrawl.rerank.trec import Ranked


def written(tmp_path: Path, *records: object) -> Path:
    path = tmp_path / "c.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_every_field(tmp_path: Path) -> None:
    record = {
        "query_id": "q1",
        "id": 7,
        "title": "Bats",
        "text": "of  Borneo\u2028\n",
        "timestamp": "2024-05-01T12:00:00Z",
        "author": "ann",
        "client": "web",
        "url": "https://a.example",
        "linked_text": "fig",
        "score": 2,
    }
    (found,) = read_candidates(written(tmp_path, record))["q1"]
    assert (found.id, found.score, found.post.text) == ("7", 2.0, "Bats of Borneo")
    assert found.post.timestamp == 1714564800.0
    assert (found.post.author, found.post.client) == ("ann", "web")
    assert (found.post.url, found.post.linked_text) == ("https://a.example", "fig")


def test_a_document_of_a_run(tmp_path: Path) -> None:
    record = {
        "url": "http://127.0.0.1/1",
        "title": "A new bat",
        "authors": ["Ann A.", "Ben B."],
        "content_hash": "abc",
        "score": 0.25,
    }
    (found,) = read_candidates(written(tmp_path, record))[""]
    assert (found.id, found.post.text) == ("abc", "A new bat")
    assert found.post.author == "Ann A.; Ben B."


def test_times_in_other_forms(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        {"id": "1", "text": "a", "time_ms": 1500},
        {"id": "2", "text": "a", "timestamp": 12.5},
        {"id": "3", "text": "a", "timestamp": "1970-01-01T00:01:00"},
        {"id": "4", "text": "a"},
    )
    times = [found.post.timestamp for found in read_candidates(path)[""]]
    assert times == [1.5, 12.5, 60.0, None]


def test_emoji_empty_and_broken_texts_are_texts(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(
        '{"id":"1","text":"🦇"}\n\n{"id":"2","text":""}\n{"id":"3","text":"\\ud800x"}\n'
    )
    assert [found.post.text for found in read_candidates(path)[""]] == ["🦇", "", "\ufffdx"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1]", "not an object"),
        ("{", "Expecting property name"),
        ('{"text": "a"}', "no id, content_hash or url"),
        ('{"id": "1"}', "no text or title"),
        ('{"id": "1", "text": 5}', "text must be a text, not 5"),
        ('{"id": "1", "text": "a", "score": "high"}', "score must be a number"),
        ('{"id": "1", "text": "a", "score": NaN}', "score must be a number"),
        ('{"id": "1", "text": "a", "timestamp": "noon"}', "seconds or ISO 8601"),
        ("[" * 100_000, "line 1: expected candidates"),
    ],
)
def test_wrong_lines_are_refused_by_number(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(line)
    with pytest.raises(InputFileError, match=r"c\.jsonl, line 1") as caught:
        read_candidates(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_id_twice_in_a_query_is_refused(tmp_path: Path) -> None:
    same = {"qid": "1", "id": "a", "text": "x"}
    read_candidates(written(tmp_path, same, {**same, "qid": "2"}))
    with pytest.raises(InputFileError, match="query '1': id 'a' occurs more than once"):
        read_candidates(written(tmp_path, same, same))


def test_an_empty_file_has_no_candidates(tmp_path: Path) -> None:
    assert read_candidates(written(tmp_path)) == {}


def test_written_records_keep_their_fields(tmp_path: Path) -> None:
    path = written(tmp_path, {"id": "a", "text": "x", "extra": [1]}, {"id": "b", "text": "é"})
    pool = read_candidates(path)[""]
    text = format_candidates("q", pool, Ranking("mmr", (1, 0), (0.5, 0.25)))
    assert "é" in text
    first, second = (json.loads(line) for line in text.splitlines())
    assert (first["id"], first["rank"], first["first_rank"], first["query_id"]) == ("b", 1, 2, "q")
    assert (second["extra"], second["rerank_score"]) == ([1], 0.25)


def test_a_run_takes_its_texts_from_another_file(tmp_path: Path) -> None:
    path = written(
        tmp_path, {"id": "a", "text": "any"}, {"qid": "1", "id": "b", "text": "own", "score": 9}
    )
    texts = read_candidates(path)
    pools = with_texts({"1": [Ranked("b", 2.0), Ranked("a", 1.0)]}, texts, Path("run"), path)
    assert [(found.post.text, found.score) for found in pools["1"]] == [("own", 2), ("any", 1)]
    with pytest.raises(InputFileError, match=r"run: .*c\.jsonl has no text of 'b' for query '2'"):
        with_texts({"2": [Ranked("b", 2.0)]}, texts, Path("run"), path)
