from __future__ import annotations

from pathlib import Path

import pytest

from taxocrawl.evaluate.fetches import read_fetches
from taxocrawl.exceptions import InputFileError

HEADER = "time,url,final_url,status,kind,category,iteration,reason\n"
LINE = "1,http://a.example/,http://a.example/,200,html,taxonomic,0,\n"


def test_lines_are_read_by_their_header(tmp_path: Path) -> None:
    path = tmp_path / "fetches.csv"
    path.write_text(HEADER + LINE + '2,"http://a.example/a,b",,,,,1,timeout\n', encoding="utf-8")

    first, second = read_fetches(path)

    assert (first["status"], first["category"]) == ("200", "taxonomic")
    assert (second["url"], second["status"], second["iteration"]) == (
        "http://a.example/a,b",
        "",
        "1",
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "lacks url, final_url, status"),
        ("time,url\n", "lacks final_url, status"),
        (HEADER + LINE + "2,http://a.ex", "line 3: 2 cells where 8 are expected"),
        (HEADER + LINE.replace("200", "two hundred"), "line 2: status 'two hundred' is no"),
        (HEADER + LINE.replace(",0,", ",,"), "line 2: iteration '' is no whole number"),
        (HEADER + LINE.replace("http", '"http', 1), "not a CSV file"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "fetches.csv"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(InputFileError, match=r"fetches\.csv") as caught:
        list(read_fetches(path))

    assert message in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="cannot be read"):
        list(read_fetches(tmp_path / "fetches.csv"))
