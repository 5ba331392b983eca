"""Files of seeds: forms, bad lines, files that are none."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from taxocrawl.exceptions import InputFileError
from taxocrawl.seeds.file import FileSeeds


def urls(seeds: FileSeeds, limit: int = 1000) -> list[str]:
    return [hit.url for hit in asyncio.run(seeds.search("", limit)).results]


def write(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_plain_lines(tmp_path: Path) -> None:
    text = (
        "\ufeff# seeds\r\nhttp://a.example/1\r\n\r\n  https://b.example/x#part  # a note\r\n"
        "http://a.example/1\r\n10.5555/abc\r\ndoi:10.5555/def\r\nhttp://測試.example/ö"
    )
    seeds = FileSeeds(write(tmp_path, "seeds.txt", text))
    assert urls(seeds) == [
        "http://a.example/1",
        "https://b.example/x#part",
        "https://doi.org/10.5555/abc",
        "https://doi.org/10.5555/def",
        "http://測試.example/ö",
    ]
    assert seeds.bad_lines == []
    outcome = asyncio.run(seeds.search("anything", 2))
    assert (len(outcome.results), len(outcome.reserves), outcome.repeats) == (2, 3, 1)
    assert (outcome.requests, outcome.results[0].provider) == (0, "file")


def test_bad_lines_are_counted_and_named(tmp_path: Path) -> None:
    text = (
        "http://a.example/1\nwww.b.example\nmailto:x@c.example\nhttp://d.example/2 trailing words\n"
    )
    path = write(tmp_path, "seeds.txt", text)
    seeds = FileSeeds(path)
    assert urls(seeds) == ["http://a.example/1", "http://d.example/2%20trailing%20words"]
    assert seeds.bad_lines == [
        f"{path}:2: expected an http(s) URL, got 'www.b.example'",
        f"{path}:3: expected an http(s) URL, got 'mailto:x@c.example'",
    ]
    assert asyncio.run(seeds.search("", 9)).without_link == 2


def test_csv_and_tsv(tmp_path: Path) -> None:
    text = 'title,URL,DOI\n"A, B",http://a.example/1,10.5555/A\n,,\nC,http://c.example/3,\n'
    seeds = FileSeeds(write(tmp_path, "seeds.csv", text))
    first, second = asyncio.run(seeds.search("", 9)).results
    assert (first.url, first.title, first.doi) == ("http://a.example/1", "A, B", "10.5555/a")
    assert first.alternatives == ("https://doi.org/10.5555/a",)
    assert (second.url, second.doi) == ("http://c.example/3", "")
    assert len(seeds.bad_lines) == 1
    path = write(tmp_path, "seeds.tsv", "url\tlabel\r\nhttp://a.example/1\tx\r\n")
    assert urls(FileSeeds(path)) == ["http://a.example/1"]


def test_json_lines(tmp_path: Path) -> None:
    text = (
        '{"url": "http://a.example/1", "title": "T\u2028T"}\r\n\r\n"http://b.example/2"\n'
        '{"url": 5}\n{"link": "x"}\n{broken\n[1]\n'
    )
    seeds = FileSeeds(write(tmp_path, "seeds.jsonl", text))
    assert urls(seeds) == ["http://a.example/1", "http://b.example/2"]
    assert [line.split(":")[1] for line in seeds.bad_lines] == ["4", "5", "6", "7"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("empty.txt", b"", "no http(s) URL in it"),
        ("blank.txt", b"\n \n# only a comment\n", "no http(s) URL in it"),
        ("words.txt", b"Pteropus\n", "no http(s) URL in it; "),
        ("binary.txt", b"%PDF-1.4\x00\x01", "got binary data"),
        ("latin1.txt", b"http://a.example/\xe9", "in UTF-8, got another encoding (byte 17)"),
        ("nourl.csv", b"address\nhttp://a.example/1\n", "a column 'url', found address"),
        ("empty.csv", b"", "expected a column 'url', found none"),
        ("empty.jsonl", b"{}\n", "no http(s) URL in it"),
        ("huge.csv", b"url\n" + b"x" * 200_000 + b"\n", "field larger than field limit"),
    ],
)  # fmt: skip
def test_files_that_are_none_cost_one_line(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    path = write(tmp_path, name, data)
    with pytest.raises(InputFileError) as caught:
        FileSeeds(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_files_folders_and_pipes(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="it is not there"):
        FileSeeds(tmp_path / "missing.txt")
    with pytest.raises(InputFileError, match="it is a folder"):
        FileSeeds(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputFileError, match="it is no file"):
        FileSeeds(tmp_path / "pipe")


def test_fifty_thousand_seeds(tmp_path: Path) -> None:
    lines = (f"http://a.example/{n}" for n in range(50_000))
    assert len(FileSeeds(write(tmp_path, "seeds.txt", "\n".join(lines)))) == 50_000


def test_bad_lines_are_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write(tmp_path, "seeds.txt", "http://a.example/1\n" + "x\n" * 8)
    asyncio.run(FileSeeds(path).search("", 9))
    assert [r.getMessage() for r in caplog.records][-2:] == [
        f"seeds: {path}:6: expected an http(s) URL, got 'x'",
        f"seeds: {path}: 3 more such lines",
    ]
