from __future__ import annotations

import pytest

from taxocrawl.documents.charset import charset_of, decode

SENTENCES = {
    "cp1252": "Die Fledermäuse – “Flughunde” – wurden von Möhle in größeren Höhlen gefunden.",
    "cp1250": "Netopýři české republiky žijí v jeskyních, řeka přitéká z hor.",
    "cp1251": "Летучие мыши острова Борнео и их распространение в пещерах.",
    "koi8-r": "Летучие мыши острова Борнео и их распространение в пещерах.",
    "gb18030": "中文蝙蝠的分类研究在这里继续进行。",
    "big5": "中文蝙蝠的分類研究在這裡繼續進行。",
    "shift_jis": "日本のコウモリの分類について、研究する。",
    "euc-jp": "日本のコウモリの分類について、研究する。",
}
ENCODINGS = list(SENTENCES)


def page(text: str, declared: str = "") -> str:
    meta = f'<meta charset="{declared}">' if declared else ""
    return f"<html><head>{meta}<title>x</title></head><body><p>{text}</p></body></html>"


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("header", [None, "same", "utf-8"])
@pytest.mark.parametrize("meta", ["", "same", "utf-8"])
def test_right_text_whatever_is_declared(encoding: str, header: str | None, meta: str) -> None:
    source = page(SENTENCES[encoding], encoding if meta == "same" else meta)
    declared = encoding if header == "same" else header
    assert decode(source.encode(encoding), declared) == source


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_utf8_is_read_as_such_under_another_label(encoding: str) -> None:
    source = page(SENTENCES[encoding], encoding)
    assert decode(source.encode(), encoding) == source


def test_mark_counts_before_header_and_meta() -> None:
    source = page("Möhle", "windows-1251")
    assert decode(b"\xef\xbb\xbf" + source.encode(), "windows-1251") == source
    assert decode(source.encode("utf-16"), "windows-1251") == source
    assert decode(b"\xfe\xff" + source.encode("utf-16-be")) == source
    assert decode(source.encode("utf-16-le"), "utf-8") == source


def test_header_counts_before_meta() -> None:
    assert "Фыва" in decode(page("Фыва", "iso-8859-1").encode("cp1251"), "windows-1251")


def test_latin1_label_means_windows_1252() -> None:
    assert decode(b"<p>\x93bats\x94 \x96 x", "ISO-8859-1") == "<p>“bats” – x"


def test_two_characters_of_a_label_are_believed() -> None:
    assert decode("联通".encode("gb2312"), "gb2312") == "联通"


def test_seven_bit_label_is_believed() -> None:
    source = page("日本のコウモリ")
    assert decode(source.encode("iso-2022-jp"), "iso-2022-jp") == source


def test_stray_bytes_in_utf8_are_windows_1252() -> None:
    body = "Möhle, Đặng Vũ Tùng, Škoda, größer ".encode() * 5 + b"caf\xe9 end"
    assert decode(body, "utf-8").endswith("café end")


def test_character_cut_at_the_end() -> None:
    body = ("größer über Öl " * 9).encode()[:-3] + "ö".encode()[:1]
    assert decode(body).startswith("größer über Öl")


@pytest.mark.parametrize("label", ["utf-7", "utf-16", "no-such-charset", "idna", "", "hex", "\x00"])
def test_dangerous_or_unknown_labels_are_passed_over(label: str) -> None:
    assert decode("größer".encode(), label) == "größer"
    assert decode("größer".encode("cp1252"), label) == "größer"


def test_any_bytes_decode() -> None:
    assert isinstance(decode(bytes(range(256)) * 100), str)
    assert decode(b"") == ""


@pytest.mark.parametrize(
    ("header", "charset"),
    [
        ("text/html; charset=UTF-8", "UTF-8"),
        ('text/html;charset="iso-8859-1"', "iso-8859-1"),
        ("text/html; CHARSET = 'gbk'", "gbk"),
        ("text/html", None),
        ("", None),
    ],
)
def test_charset_of_a_header(header: str, charset: str | None) -> None:
    assert charset_of(header) == charset
