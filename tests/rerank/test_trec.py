from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxocrawl.exceptions import InputFileError
from taxocrawl.rerank.trec import Judgement, format_run, read_qrels, read_run, read_topics

RUN = "1 Q0 b 2 4.5 x\n2 Q0 z 1 9 x\n1 Q0 a 1 4.5 x\n\n1 Q0 c 30 -1e-3 x\n"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "file"
    path.write_text(text, "utf-8")
    return path


def test_a_run_is_ordered_by_rank_whatever_the_order_of_its_lines(tmp_path: Path) -> None:
    run = read_run(written(tmp_path, RUN))
    assert {query: [id_ for id_, _ in ranked] for query, ranked in run.items()} == {
        "1": ["a", "b", "c"],
        "2": ["z"],
    }
    assert run["1"][2].score == -1e-3


def test_ndv_01_rank_and_score_that_disagree_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "1 Q0 d2 1 1.0 x\n1 Q0 d1 2 9.0 x\n")
    with pytest.raises(InputFileError, match="line 2: rank and score of query '1' disagree"):
        read_run(path)
    assert [id_ for id_, _ in read_run(path, order="score")["1"]] == ["d1", "d2"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 Q0 a 1 4.5\n", "line 1: expected the 6 fields of a TREC run, got 5"),
        ("1 Q0 a 1 4.5 x\n1 Q0 b two 4 x\n", "line 2: expected a whole number, got 'two'"),
        ("1 Q0 a 1 nan x\n", "line 1: expected a number, got 'nan'"),
        ("1 Q0 a 1 2 x\n2 Q0 a 1 2 x\n1 Q0 a 2 1 x\n", "line 3: 'a' occurs twice for query '1'"),
    ],
)
def test_wrong_lines_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputFileError, match=message):
        read_run(written(tmp_path, text))


def test_ndv_01_what_we_write_has_falling_scores_and_matching_ranks() -> None:
    text = format_run({"q 1": ["k", "b"], "2": []}, "my tag")
    assert text == "q_1 Q0 k 1 2 my_tag\nq_1 Q0 b 2 1 my_tag\n"


IDS = st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1), unique=True, max_size=5)


@given(st.dictionaries(st.text("0123456789", min_size=1), IDS, max_size=4))
def test_a_written_run_reads_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, rankings: dict[str, list[str]]
) -> None:
    path = written(tmp_path_factory.mktemp("run"), format_run(rankings, "t"))
    for order in ("rank", "score"):
        run = read_run(path, order)
        assert {query: [id_ for id_, _ in ranked] for query, ranked in run.items()} == {
            query: ids for query, ids in rankings.items() if ids
        }


def test_qrels(tmp_path: Path) -> None:
    qrels = read_qrels(written(tmp_path, "1 0 a 0\n1\t2\tb\t-2\n"))
    assert qrels == [Judgement("1", "0", "a", 0), Judgement("1", "2", "b", -2)]
    with pytest.raises(InputFileError, match="4 fields of a qrels file, got 3"):
        read_qrels(written(tmp_path, "1 a 0\n"))


def test_topics_of_a_table(tmp_path: Path) -> None:
    topics = read_topics(written(tmp_path, "MB1\tfruit  bats\n\n2\tעטלף\n"))
    assert topics["MB1"].query == "fruit bats"
    assert topics["2"].query == "עטלף"


def test_topics_of_the_web_track(tmp_path: Path) -> None:
    text = """<?xml version="1.0"?><webtrack>
    <topic number="7" type="faceted"><query>bats</query><description>About
      bats.</description><subtopic number="1" type="inf">What do
      bats eat?</subtopic><subtopic number="2" type="nav">A <b>map</b></subtopic></topic></webtrack>
    """
    topic = read_topics(written(tmp_path, text))["7"]
    assert topic.query == "bats"
    assert topic.subtopics == ("What do bats eat?", "A map")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 no tab\n", "line 1: expected id<TAB>query"),
        ("1\t \n", "topic '1' has no query"),
        ("1\ta\n1\tb\n", "topic '1' occurs twice"),
        ("<webtrack><topic>", "expected topics in TREC XML"),
    ],
)
def test_wrong_topics_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputFileError, match=message):
        read_topics(written(tmp_path, text))


def test_entities_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    text = (
        '<!DOCTYPE w [<!ENTITY e SYSTEM "secret">]><w><topic number="1"><query>a&e;</query>'
        "</topic></w>"
    )
    assert "secret" not in read_topics(written(tmp_path, text))["1"].query
