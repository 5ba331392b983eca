"""The forms of the query argument (case SCD-02)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.queries.parse import MAX_QUERY_LENGTH, parse_queries

SCD_02 = ["Pteropus vampyrus", "Đặng Vũ Tùng", "測試"]
HARD = 'a=b&c="d\'e"\nPteropus + 100 %, #1; @x\t[y]'


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "query",
    [*SCD_02, HARD, " Pteropus ", "https://a.example/x", "a/b", "Pteropus@", "1.txt y"],
)
def test_one_query_arrives_exactly(query: str) -> None:
    assert parse_queries(query) == [query]


def test_scd_02_a_json_list_arrives_exactly() -> None:
    for ascii_only in (True, False):
        argument = json.dumps([*SCD_02, HARD], ensure_ascii=ascii_only)
        assert parse_queries(argument) == [*SCD_02, HARD]
    assert parse_queries('  ["Pteropus"]\n') == ["Pteropus"]


@pytest.mark.parametrize("argument", ["@queries", "queries.txt", "{folder}/queries"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_scd_02_a_file_of_queries(tmp_path: Path, argument: str, encoding: str) -> None:
    text = "# my queries\r\n\r\n" + "\r\n".join(f"  {query} " for query in SCD_02)
    for name in ("queries", "queries.txt"):
        Path(name).write_bytes(text.encode(encoding))
    assert parse_queries(argument.format(folder=tmp_path)) == SCD_02


def test_a_file_with_a_json_list() -> None:
    Path("queries.json").write_text(json.dumps([HARD, "Pteropus"]))
    assert parse_queries("queries.json") == [HARD, "Pteropus"]
    assert parse_queries("@queries.json") == [HARD, "Pteropus"]


def test_a_query_that_is_also_the_name_of_a_file_stays_a_query() -> None:
    Path("Pteropus").write_text("Bats\n")
    assert parse_queries("Pteropus") == ["Pteropus"]
    assert parse_queries("@Pteropus") == ["Bats"]


def test_repeats_are_asked_once() -> None:
    assert parse_queries('["Bats", "bats", " Bats", "BATS \\n"]') == ["Bats"]


def test_ten_thousand_queries_in_a_file() -> None:
    Path("queries.txt").write_text("\n".join(f"Genus{n} species" for n in range(10_000)))
    assert len(parse_queries("queries.txt")) == 10_000


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("", "query: the query is empty"),
        (" \n\t", "query: the query is empty"),
        ("?!", "query: expected a word to search for, got '?!'"),
        ("a\0b", "query: a query has the control character U+0000"),
        ("a\x1b[31mb", "query: a query has the control character U+001B"),
        ("caf\udce9", "query: a query is no valid UTF-8"),
        ("x" * (MAX_QUERY_LENGTH + 1), "a query of 501 characters is too long (at most 500)"),
        ("x " * 60_000, "write the queries to a file and give @FILE"),
        ("[]", "query: expected at least one query, got none"),
        ('["Bats", ""]', "query: the query is empty"),
        ("[Pteropus]", 'query: begins with "[" but is no JSON list of strings'),
        ('["Bats"', 'query: begins with "[" but is no JSON list of strings'),
        ('["Bats", 5]', "query: expected a JSON list of strings"),
        ('[["Bats"]]', "query: expected a JSON list of strings"),
        ("[" * 50_000, 'query: begins with "[" but is no JSON list'),
    ],
)
def test_wrong_arguments_cost_one_line(argument: str, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        parse_queries(argument)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "queries.txt: expected at least one query, got none"),
        (b"# nothing\n\n", "queries.txt: expected at least one query, got none"),
        (b"[]", "queries.txt: expected at least one query, got none"),
        (b"\x89PNG\x00", "queries.txt: expected a file of queries"),
        (b"%PDF-1.4\n\xe2\xe3\xcf", "queries.txt: expected a file of queries"),
        (b"Bats\n" + b"x" * 501, "queries.txt: a query of 501 characters is too long"),
        (b'["Bats"', 'queries.txt: begins with "["'),
    ],
)
def test_wrong_files_cost_one_line(data: bytes, message: str) -> None:
    Path("queries.txt").write_bytes(data)
    with pytest.raises(InputFileError) as caught:
        parse_queries("@queries.txt")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("argument", ["@missing", "missing.txt", "@", "@.", "nowhere/queries.json"])
def test_missing_files_are_named(argument: str) -> None:
    with pytest.raises(InputFileError, match="expected a file of queries"):
        parse_queries(argument)
