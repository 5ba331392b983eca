from __future__ import annotations

from pathlib import Path

import pytest

from taxocrawl.exceptions import InputFileError
from taxocrawl.text.files import read_entries, read_text_file


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("# list\r\n  Đặng  \r\n\r\n測試\r\n".encode(encoding))
    assert read_entries(path, "a list") == ["Đặng", "測試"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\x00b", "expected a list, got binary data"),
        (b"caf\xe9", r"expected a list in UTF-8, got another encoding \(byte 3\)"),
        (b"\xff\xfea", "expected a list in UTF-8, got another encoding"),
    ],
)
def test_what_is_no_text(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(data)
    with pytest.raises(InputFileError, match=f"words.txt: {message}"):
        read_text_file(path, "a list")


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="expected a list, but it is not there"):
        read_text_file(tmp_path / "missing", "a list")
    with pytest.raises(InputFileError, match="expected a list, but it is a folder"):
        read_text_file(tmp_path, "a list")
    with pytest.raises(InputFileError, match="cannot be read"):
        read_text_file(tmp_path / ("x" * 5000), "a list")
