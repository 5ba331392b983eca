from __future__ import annotations

from pathlib import Path

import pytest

from taxocrawl.classify.index import (
    IndexRow,
    article_groups,
    check_trainable,
    is_of_kind,
    of_kinds,
    read_index,
)
from taxocrawl.exceptions import InputFileError, TrainingError
from taxocrawl.items import Category


def written(folder: Path, text: str) -> Path:
    path = folder / "INDEX.csv"
    path.write_text(text, encoding="utf-8")
    return path


def labelled(folder: Path, labels: list[str]) -> list[IndexRow]:
    lines = [f"d{n}.html,{label},html" for n, label in enumerate(labels)]
    return read_index(written(folder, "path,label,kind\n" + "\n".join(lines) + "\n"))


def test_rows_are_read_with_paths_relative_to_the_index(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "\ufeffkind,path,label,title,source_repo,more\r\n"
        'html,docs/a.html,taxonomic,"A, title",o/r,x\r\n\r\npdf,b.pdf,borderline,,,\r\n',
    )
    assert read_index(path) == [
        IndexRow(tmp_path / "docs/a.html", Category.TAXONOMIC, "html", "A, title", "o/r", 2),
        IndexRow(tmp_path / "b.pdf", None, "pdf", "", "", 4),
    ]


def test_labels_and_kinds_are_folded_for_case_and_blanks(tmp_path: Path) -> None:
    path = written(tmp_path, "Path, Label ,KIND\na,Taxonomic , HTML\nb, NON-taxonomic,Pdf \n")
    assert [(row.category, row.kind) for row in read_index(path)] == [
        (Category.TAXONOMIC, "html"),
        (Category.NON_TAXONOMIC, "pdf"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "missing: path, label, kind"),
        ("path,kind\na,html\n", "missing: label"),
        ("path,label,kind\n", "no rows"),
        ("path,label,kind\na,yes,html\n", "line 2: column label is 'yes'"),
        ("path,label,kind\n,taxonomic,html\n", "line 2: column path is empty"),
        ("path,label,kind\na\n", "line 2: column label is ''"),
        ('path,label,kind\n"a,taxonomic,html\n', "expected CSV"),
    ],
)
def test_what_is_no_index_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputFileError, match=message) as error:
        read_index(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_index_and_one_in_another_encoding_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="it is not there"):
        read_index(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes("path,label,kind\né,taxonomic,html\n".encode("latin-1"))
    with pytest.raises(InputFileError, match="UTF-8"):
        read_index(tmp_path / "latin.csv")


@pytest.mark.parametrize("labels", [["taxonomic"] * 20, ["Taxonomic", "taxonomic "] * 10])
def test_cls03_one_category_is_refused_by_name(tmp_path: Path, labels: list[str]) -> None:
    with pytest.raises(TrainingError, match=r"F\.csv: column label has only 'taxonomic' \(20 rows"):
        check_trainable("F.csv", labelled(tmp_path, labels), 5)


def test_cls03_more_folds_than_the_smaller_category_are_refused_with_both_counts(
    tmp_path: Path,
) -> None:
    rows = labelled(tmp_path, ["taxonomic"] * 19 + ["non-taxonomic"])
    with pytest.raises(TrainingError, match=r"5 folds.*19 taxonomic, 1 non-taxonomic"):
        check_trainable("F.csv", rows, 5)
    check_trainable("F.csv", labelled(tmp_path, ["taxonomic"] * 19 + ["non-taxonomic"] * 5), 5)


def test_borderline_rows_do_not_count(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="no rows"):
        check_trainable("F.csv", labelled(tmp_path, ["borderline"] * 9), 2)


def test_rendered_html_counts_as_html_and_pdf_as_itself() -> None:
    assert is_of_kind("html_rendered", "html")
    assert not is_of_kind("html5", "html")
    rows = [IndexRow(Path("a"), None, kind) for kind in ("html", "pdf", "html_rendered", "jats")]
    assert [row.kind for row in of_kinds(rows, ["html", "jats"])] == [
        "html", "html_rendered", "jats",
    ]  # fmt: skip


def test_versions_of_an_article_are_one_group() -> None:
    rows = [
        IndexRow(Path("html_rendered/d0001.html"), None, "html_rendered", "One"),
        IndexRow(Path("jats/d0001.xml"), None, "jats", "One."),
        IndexRow(Path("pdf/x.pdf"), None, "pdf", "ONE  "),
        IndexRow(Path("a/index.html"), None, "html", "Two"),
        IndexRow(Path("b/index.html"), None, "html", "Three"),
        IndexRow(Path("c/other.html"), None, "html", ""),
        IndexRow(Path("d/last.html"), None, "html", ""),
    ]
    groups = article_groups(rows)
    assert len(set(groups[:3])) == 1
    assert len(set(groups)) == 5
