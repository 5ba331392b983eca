from __future__ import annotations

import csv
from pathlib import Path

import pytest

from taxocrawl.classify.index import read_index
from taxocrawl.evaluate.truth import Label, read_truth
from taxocrawl.queries.table import TableTaxonomy
from taxocrawl.seeds.file import FileSeeds
from taxocrawl.text.tables import open_table


def saved(folder: Path, columns: str, cells: str, delimiter: str, encoding: str) -> Path:
    """A table as a spreadsheet saves it; the first cell holds every delimiter."""
    path = folder / "table.csv"
    text = f'# a comment\r\n{columns}\r\n"a, b; c\td"|{cells}\r\n'.replace("|", delimiter)
    path.write_bytes(text.encode(encoding))
    return path


EXPORTS = [(d, e) for d in ",;\t" for e in ("utf-8", "utf-8-sig", "utf-16")]


@pytest.mark.parametrize(("delimiter", "encoding"), EXPORTS)
def test_rows_of_any_spreadsheet(tmp_path: Path, delimiter: str, encoding: str) -> None:
    table = open_table(saved(tmp_path, "x|y", "Đặng", delimiter, encoding), "a table")

    assert list(table) == [{"x": "a, b; c\td", "y": "Đặng"}]


@pytest.mark.parametrize(("delimiter", "encoding"), EXPORTS)
def test_every_file_of_a_user_is_read_so(tmp_path: Path, delimiter: str, encoding: str) -> None:
    def of(columns: str, cells: str) -> Path:
        return saved(tmp_path, columns, cells, delimiter, encoding)

    truth = read_truth(of("note|label|url", "taxonomic|http://a.example/"))
    assert truth.label_of("http://a.example/") is Label.RELEVANT
    assert read_index(of("note|path|label|kind", "p|taxonomic|html"))[0].path == tmp_path / "p"
    assert len(FileSeeds(of("title|url", "http://a.example/1"))) == 1
    assert TableTaxonomy(of("note|species|genus", "Felis catus|Felis")).lookup("Felis catus")


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment", "#"])
def test_without_a_header_there_are_no_columns(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")

    assert not open_table(path, "a table").fieldnames


def test_one_column_needs_no_delimiter(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("url\nhttp://a.example/?a=1;b=2\n", encoding="utf-8")

    assert list(open_table(path, "a table")) == [{"url": "http://a.example/?a=1;b=2"}]


def test_a_quote_that_never_ends_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text('url,title\nx,"never\ny,z\n', encoding="utf-8")

    with pytest.raises(csv.Error):
        list(open_table(path, "a table"))
