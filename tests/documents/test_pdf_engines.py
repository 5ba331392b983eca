"""What the engines make of documents that end; those that do not are in test_pdf_pool."""

from __future__ import annotations

import zlib

import pytest

from taxocrawl.documents.pdf_deadline import Deadline
from taxocrawl.documents.pdf_engines import Engine, PdfText, extract
from tests.documents import pdfs

BAT = " ".join(pdfs.BAT)
ENGINES = list(Engine)


def read(body: bytes, engine: Engine = Engine.DEFAULT, max_pages: int = 500) -> PdfText:
    return extract(body, engine=engine, max_pages=max_pages, deadline=Deadline(20))


def folded(result: PdfText) -> str:
    return " ".join(result.text.split())


@pytest.mark.parametrize("engine", ENGINES)
def test_plain_text_comes_back(engine: Engine) -> None:
    result = read(pdfs.bat(), engine)
    assert (folded(result), result.reason, result.flags) == (BAT, "", [])
    assert result.pages == 1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("make", [pdfs.encrypted, pdfs.encrypted_aes])
def test_an_empty_user_password_opens(make, engine: Engine) -> None:
    assert (folded(read(make(""), engine)), read(make(""), engine).reason) == (BAT, "")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("make", [pdfs.encrypted, pdfs.encrypted_aes])
def test_a_user_password_is_a_reason_of_its_own(make, engine: Engine) -> None:
    result = read(make("secret"), engine)
    assert (result.reason, result.text) == ("password", "")


@pytest.mark.parametrize("engine", ENGINES)
def test_ligatures_soft_hyphens_and_lost_letters(engine: Engine) -> None:
    result = read(pdfs.ligatures(), engine)
    assert folded(result) == (
        "Myotis fimbriatus and Myotis capaccinii were classified; specific status confirmed."
    )
    assert result.controls == 1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("matrix", "step", "page", "turned"),
    [
        (b"0 1 -1 0", (20, 0), pdfs.A4, True),
        (b"0 -1 1 0", (-20, 0), pdfs.A4, True),
        (b"-1 0 0 -1", (0, 20), pdfs.A4, True),
        (b"0 1 -1 0", (20, 0), pdfs.A4 + b" /Rotate 90", False),
        (b"-1 0 0 -1", (0, 20), pdfs.A4 + b" /Rotate 180", False),
        (b"0 -1 1 0", (-20, 0), pdfs.A4 + b" /Rotate 270", False),
        (b"1 0 0 1", (0, -20), pdfs.A4 + b" /Rotate 90", True),
    ],
)
def test_sideways_text_is_read_as_lines(matrix, step, page, turned, engine: Engine) -> None:
    result = read(pdfs.pages([pdfs.turned(pdfs.MEASURES, matrix, step)], page=page), engine)
    assert [line for line in result.text.splitlines() if line] == list(pdfs.MEASURES)
    assert ("rotated" in result.flags) is turned


@pytest.mark.parametrize("engine", ENGINES)
def test_a_sideways_table_beside_upright_text(engine: Engine) -> None:
    table = pdfs.turned(pdfs.MEASURES, b"0 1 -1 0", (20, 0))
    result = read(pdfs.pages([pdfs.lines(pdfs.BAT) + table]), engine)
    lines = [line for line in result.text.splitlines() if line]
    assert lines == [*pdfs.BAT, *pdfs.MEASURES]
    assert "rotated" in result.flags


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_drawn_row_by_row_are_read_one_after_the_other(engine: Engine) -> None:
    body, right_order = pdfs.two_columns()
    assert [line for line in read(body, engine).text.splitlines() if line] == right_order


@pytest.mark.parametrize("engine", ENGINES)
def test_running_heads_and_page_numbers_go_but_headings_stay(engine: Engine) -> None:
    contents = []
    for number in range(1, 6):
        content = pdfs.at(72, 800, f"On bats {number}", 8)
        content += pdfs.at(72, 740, f"Chapter {number}", 14)
        content += pdfs.lines([f"Line {number}.{row} is about bats." for row in range(20)], y=720)
        content += pdfs.at(290, 40, str(number), 8)
        contents.append(content)
    text = read(pdfs.pages(contents), engine).text.splitlines()
    assert [line for line in text if line.startswith("On bats")] == ["On bats 1"]
    assert [line for line in text if line.startswith("Chapter")] == [
        f"Chapter {number}" for number in range(1, 6)
    ]
    assert not [line for line in text if line.strip().isdigit()]
    assert sum(line.endswith("is about bats.") for line in text) == 100


@pytest.mark.parametrize("engine", ENGINES)
def test_a_numbered_first_line_without_a_gap_is_text(engine: Engine) -> None:
    pages = [
        pdfs.lines([f"Sheet {n} of the revision.", *[f"Row {n} {row}." for row in range(30)]])
        for n in range(1, 5)
    ]
    text = read(pdfs.pages(pages), engine).text
    assert [n for n in range(1, 5) if f"Sheet {n} of the revision." in text] == [1, 2, 3, 4]


@pytest.mark.parametrize("engine", ENGINES)
def test_divided_words_are_joined_and_hyphens_of_names_kept(engine: Engine) -> None:
    body = pdfs.pages(
        [pdfs.lines(["The species was classi-", "fied by Lob\xe3o-", "Vale in 1999."])]
    )
    assert folded(read(body, engine)) == "The species was classified by Lob\xe3o-Vale in 1999."


@pytest.mark.parametrize("engine", ENGINES)
def test_a_word_divided_at_the_page_end(engine: Engine) -> None:
    body = pdfs.pages(
        [
            pdfs.lines(["A study of the dis-"]) + pdfs.at(290, 30, "17", 8),
            pdfs.lines(["tribution of bats."]) + pdfs.at(290, 30, "18", 8),
        ]
    )
    assert "the distribution of bats." in folded(read(body, engine))


@pytest.mark.parametrize("engine", ENGINES)
def test_front_matter(engine: Engine) -> None:
    content = (
        pdfs.at(60, 800, "Journal of Invented Bats 12 (2019): 1-9", 8)
        + pdfs.at(60, 770, "RESEARCH ARTICLE", 16)
        + pdfs.at(60, 740, "A new species of Pteropus from an island", 16)
        + pdfs.at(60, 720, "that nobody has found", 16)
        + pdfs.at(60, 690, "Jane Q. Doe1, Rich\xe1rd Roe-Smith2 and Ana de la Cruz*", 10)
        + pdfs.at(60, 670, "1 University of Nowhere", 8)
        + pdfs.lines(["Text of the article about bats."] * 20, y=640)
        + pdfs.at(60, 60, "https://doi.org/10.5555/bats.77", 8)
    )
    result = read(pdfs.pages([content]), engine)
    assert result.title == "A new species of Pteropus from an island that nobody has found"
    assert result.authors == ["Jane Q. Doe", "Rich\xe1rd Roe-Smith", "Ana de la Cruz"]
    assert (result.year, result.doi) == (2019, "10.5555/bats.77")


def test_a_file_name_in_the_metadata_is_no_title() -> None:
    content = pdfs.at(60, 740, "Bats of the southern islands", 16) + pdfs.lines(["Text."], y=700)
    for stated in (b"zt00330.fm", b"untitled", b"Microsoft Word - bats final version.doc"):
        body = pdfs.pages([content], trailer=b"/Info << /Title (%s) >>" % stated)
        assert read(body).title == "Bats of the southern islands"


@pytest.mark.parametrize("body", [b"", b"%PDF-1.4", b"%PDF-1.4\n1 0 obj\n<<", b"GIF89a..."])
@pytest.mark.parametrize("engine", ENGINES)
def test_next_to_nothing_is_a_reason(body: bytes, engine: Engine) -> None:
    result = read(body, engine)
    expected = "truncated" if body.startswith(b"%PDF") else "malformed"
    assert (result.reason, result.text) == (expected, "")


@pytest.mark.parametrize("tail", [b"", b"<html><body>502 Bad Gateway</body></html>"])
def test_a_cut_file_keeps_what_could_be_recovered(tail: bytes) -> None:
    whole = pdfs.chapters()
    result = read(whole[: len(whole) * 6 // 10] + tail)
    assert result.reason == "truncated"
    assert {"partial", "truncated"} <= set(result.flags)
    assert "Chapter 1 on the flying foxes" in result.text
    assert "Chapter 6 on the flying foxes" not in result.text


def test_a_missing_end_mark_alone_makes_a_file_cut() -> None:
    whole = pdfs.chapters(2)
    result = read(whole[: whole.rindex(b"%%EOF")])
    assert result.reason == "truncated"
    assert "Chapter 2" in result.text


def test_a_whole_file_with_an_error_page_behind_it_is_whole() -> None:
    result = read(pdfs.chapters(2) + b"<html><body>502 Bad Gateway</body></html>" * 100)
    assert (result.reason, result.flags) == ("", [])


def test_junk_before_the_header() -> None:
    assert folded(read(b"HTTP/1.1 200 OK\r\n\r\n" + pdfs.bat())) == BAT


def test_a_form_that_draws_itself() -> None:
    assert (folded(read(pdfs.self_drawing())), read(pdfs.self_drawing()).reason) == (BAT, "")


def test_a_page_tree_with_a_loop_is_read_once() -> None:
    assert folded(read(pdfs.looping_tree())) == BAT


def test_a_cross_reference_table_with_a_loop() -> None:
    assert folded(read(pdfs.looping_tables())) == BAT


@pytest.mark.parametrize("engine", ENGINES)
def test_no_text_layer(engine: Engine) -> None:
    scan = pdfs.pages([b"q 595 0 0 842 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q"])
    assert read(scan, engine).reason == "no text"


@pytest.mark.parametrize("engine", ENGINES)
def test_fonts_without_an_encoding_give_no_text(engine: Engine) -> None:
    result = read(pdfs.pages([pdfs.lines(["!\"#$ %&'( )*+,- ./:;< =>?@"] * 10)]), engine)
    assert (result.reason, result.text) == ("no text", "")
    assert "garbled" in result.flags


@pytest.mark.parametrize("engine", ENGINES)
def test_the_page_limit_keeps_the_first_pages(engine: Engine) -> None:
    result = read(pdfs.chapters(6), engine, max_pages=2)
    assert "Chapter 2" in result.text
    assert "Chapter 3" not in result.text
    assert (result.pages, result.reason, result.flags) == (6, "", ["partial pages"])


def test_an_unreadable_page_makes_the_text_partial() -> None:
    body = pdfs.chapters(3).replace(b"/Count 3", b"/Count 4").replace(b"R] /Co", b"R 99 0 R] /Co")
    result = extract(body, engine=Engine.PDFIUM, deadline=Deadline(20))
    assert (result.reason, result.flags) == ("malformed", ["partial"])
    assert "Chapter 3" in result.text


def test_pdfminer_reads_what_pdfium_cannot_load() -> None:
    result = read(pdfs.looping_tree())
    assert (result.reason, result.flags) == ("", ["second try"])


def test_a_damaged_stream_costs_only_its_page() -> None:
    whole = pdfs.chapters(3)
    second = whole.index(b"stream\n", whole.index(b"6 0 obj")) + 7
    body = whole[: second + 40] + b"\xff" * 60 + whole[second + 100 :]
    result = read(body)
    assert "Chapter 1" in result.text
    assert "Chapter 3" in result.text


def test_expired_time_is_a_reason() -> None:
    result = extract(pdfs.chapters(3), engine=Engine.PDFMINER, deadline=Deadline(0))
    assert result.reason == "time limit"
    assert extract(pdfs.chapters(3), engine=Engine.PDFIUM, deadline=Deadline(0)).reason == (
        "time limit"
    )


def test_filters_one_after_the_other() -> None:
    content = zlib.compress(pdfs.lines(pdfs.BAT)).hex().encode() + b">"
    body = pdfs.pages([content], filters=b"/Filter [/ASCIIHexDecode /FlateDecode]")
    assert folded(read(body)) == BAT
