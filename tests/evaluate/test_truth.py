from __future__ import annotations

from pathlib import Path

import pytest

from taxocrawl.evaluate.truth import Label, read_truth
from taxocrawl.exceptions import InputFileError


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "truth.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_labels_are_read_in_any_case_and_order(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "\ufefftitle,Label,URL\r\n"
        "A,Taxonomic ,http://a.example/1\r\n"
        "\r\n"
        "B, NON-taxonomic,http://a.example/2\r\n"
        '"C, or D",borderline,http://a.example/3\r\n'
        "E,relevant,http://a.example/4\r\n"
        "F,other,http://a.example/5\r\n",
    )

    truth = read_truth(path)

    labels = [truth.label_of(f"http://a.example/{n}") for n in range(1, 6)]
    assert labels == [
        Label.RELEVANT,
        Label.OTHER,
        Label.BORDERLINE,
        Label.RELEVANT,
        Label.OTHER,
    ]
    assert truth.relevant == 2


def test_urls_match_in_their_canonical_form(tmp_path: Path) -> None:
    truth = read_truth(written(tmp_path, "url,label\nHTTP://A.example:80/x#part,taxonomic\n"))

    assert truth.label_of("http://a.example/x") is Label.RELEVANT
    assert truth.label_of("http://a.example/y") is None


def test_the_first_listed_url_decides(tmp_path: Path) -> None:
    truth = read_truth(
        written(tmp_path, "url,label\nhttp://a.example/1,other\nhttp://a.example/2,relevant\n")
    )

    assert truth.label_of("http://a.example/2", "http://a.example/1") is Label.RELEVANT
    assert truth.label_of("", "http://a.example/0", "http://a.example/1") is Label.OTHER


def test_what_is_no_address_matches_only_itself(tmp_path: Path) -> None:
    truth = read_truth(written(tmp_path, "url,label\nnot an address,relevant\n"))

    assert truth.label_of("not an address") is Label.RELEVANT
    assert truth.label_of("http://[") is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "expected a header line"),
        ("address,label\nhttp://a.example/,other\n", "expected a header line"),
        ("url,label\n", "lists no document"),
        ("url,label\nhttp://a.example/,maybe\n", "line 2: label 'maybe' is none of taxonomic,"),
        ("url,label\n\nhttp://a.example/,\n", "line 3: label '' is none of"),
        ("url,label\nhttp://a.example/\n", "line 2: expected a url and a label"),
        ("url,label\n,other\n", "line 2: the url is empty"),
        (
            "url,label\nhttp://a.example/,other\nhttp://A.example/#x,taxonomic\n",
            "line 3: http://A.example/#x has another label further up",
        ),
        ('url,label\n"http://a.example/,other\n', "not a CSV file"),
        (b"url,label\nhttp://a.example/\xff,other\n", "a CSV file url,label in UTF-8, got"),
    ],
)
def test_a_bad_truth_is_refused_in_one_line(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    path = written(tmp_path, content)

    with pytest.raises(InputFileError) as caught:
        read_truth(path)

    text = str(caught.value)
    assert text.startswith(str(path))
    assert message in text
    assert "\n" not in text


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"nowhere\.csv: .*not there"):
        read_truth(tmp_path / "nowhere.csv")
    with pytest.raises(InputFileError, match="it is a folder"):
        read_truth(tmp_path)
