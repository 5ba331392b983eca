from __future__ import annotations

from pathlib import Path

import pytest

from taxocrawl.exceptions import InputFileError
from taxocrawl.text.stopwords import load_stopwords
from taxocrawl.text.tokens import words

SHIPPED = Path(__file__).parents[2] / "stopwords"


def write(folder: Path, data: bytes) -> Path:
    path = folder / "stop.txt"
    path.write_bytes(data)
    return path


def test_case_blanks_comments_and_line_ends_do_not_matter(tmp_path: Path) -> None:
    path = write(tmp_path, b"\xef\xbb\xbfThe \r\n# english\r\n\r\n  # indented\r\n\tAND\rof")
    assert load_stopwords(path) == {"the", "and", "of"}


def test_utf16_with_a_mark_and_curly_apostrophes_are_read(tmp_path: Path) -> None:
    path = write(tmp_path, "don\u2019t\r\n".encode("utf-16"))
    assert load_stopwords(path) == {"don't"}


def test_an_empty_list_is_allowed(tmp_path: Path) -> None:
    assert load_stopwords(write(tmp_path, b"")) == frozenset()


@pytest.mark.parametrize("data", [b"caf\xe9\n", b"\x7fELF\x00\x01", b"\xff\xfe\x00"])
def test_a_file_that_is_no_text_is_refused_in_one_line(tmp_path: Path, data: bytes) -> None:
    path = write(tmp_path, data)
    with pytest.raises(InputFileError, match=r"stop\.txt: expected a list of stop words") as caught:
        load_stopwords(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(
        InputFileError, match=r"none\.txt: expected a list of stop words.*not there"
    ):
        load_stopwords(tmp_path / "none.txt")
    with pytest.raises(InputFileError, match=r"expected a list of stop words.*a folder"):
        load_stopwords(tmp_path)


@pytest.mark.parametrize("name", ["english.txt", "web.txt"])
def test_shipped_lists_hold_words_as_the_tokeniser_spells_them(name: str) -> None:
    stopwords = load_stopwords(SHIPPED / name)
    assert len(stopwords) > 100
    assert [word for word in sorted(stopwords) if words(word) not in ([word], [])] == []


def test_english_list_has_function_words_and_none_of_taxonomy() -> None:
    english = load_stopwords(SHIPPED / "english.txt")
    assert {"a", "the", "is", "are", "this", "was", "that", "don't"} <= english
    assert english.isdisjoint({"species", "new", "genus", "holotype", "bat"})
