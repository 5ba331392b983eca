"""Questions, answers and words of query suggestions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.queries.suggestions import (
    AnswerFile,
    distinct,
    phrase_words,
    question_url,
    questions,
    read_answer,
)


def test_topic_and_aspect_alone_and_with_each_letter() -> None:
    asked = questions("coronavirus", " research ")
    assert asked[:2] == ["coronavirus research", "coronavirus research a"]
    assert (len(asked), asked[-1]) == (27, "coronavirus research z")


def test_urls_of_opensearch_templates() -> None:
    url = question_url("https://s.example/c?q={searchTerms}&p={startPage?}", "covid & 19 é")
    assert url == "https://s.example/c?q=covid%20%26%2019%20%C3%A9&p=1"


@pytest.mark.parametrize("template", ["https://s.example/q=", "ftp://s/{searchTerms}", ""])
def test_other_templates_are_refused(template: str) -> None:
    with pytest.raises(ArgumentError, match="searchTerms"):
        question_url(template, "bats")


def test_answers_of_google_and_of_opensearch() -> None:
    google = ["bats", ["bats diet", " bats  range "], [], {"google:suggesttype": []}]
    assert read_answer(json.dumps(google).encode()) == ["bats diet", "bats range"]
    long = ["bats", ["bats diet"], ["about bats"], ["https://a.example/"]]
    assert read_answer(json.dumps(long).encode()) == ["bats diet"]
    assert read_answer(b'["bats", []]') == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"<!doctype html><title>Sorry", "expected suggestions as JSON, got HTML"),
        (b"", "expected suggestions as JSON, got"),
        (b'["bats", ["bats di', "expected suggestions as JSON"),
        (b'{"error": "quota"}', "got other JSON"),
        (b'["bats"]', "got other JSON"),
    ],
)
def test_what_is_no_answer(body: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_answer(body)


def test_distinct_suggestions_up_to_a_number() -> None:
    assert distinct(["Bats diet", "bats DIET", "bats range", "bats"], 2) == [
        "bats diet",
        "bats range",
    ]


def test_words_once_without_stop_words_and_letters() -> None:
    found = phrase_words(["bats in the diet x", "fruit bats diet"], frozenset({"in", "the"}))
    assert found == ["bats", "diet", "fruit"]


class TestAnswerFile:
    def test_keeps_answers(self, tmp_path: Path) -> None:
        answers = AnswerFile(tmp_path / "aspects" / "suggestions.jsonl")
        assert answers.read() == {}
        answers.add("bats diet", ["bats diet é"])
        answers.add("bats range", [])
        assert answers.read() == {"bats diet": ["bats diet é"], "bats range": []}

    def test_a_line_cut_off_by_a_crash_is_asked_again(self, tmp_path: Path) -> None:
        answers = AnswerFile(tmp_path / "suggestions.jsonl")
        answers.add("bats diet", ["a"])
        with answers.path.open("a", encoding="utf-8") as file:
            file.write('{"question": "bats ra')
        assert answers.read() == {"bats diet": ["a"]}
        answers.add("bats range", ["b"])
        assert answers.read() == {"bats diet": ["a"], "bats range": ["b"]}

    @pytest.mark.parametrize("line", ["nonsense", '{"question": "x"}', "[1]"])
    def test_another_file_is_named(self, tmp_path: Path, line: str) -> None:
        path = tmp_path / "suggestions.jsonl"
        path.write_text(line + "\n", encoding="utf-8")
        with pytest.raises(InputFileError, match=r"suggestions\.jsonl:1: expected an answer"):
            AnswerFile(path).read()
