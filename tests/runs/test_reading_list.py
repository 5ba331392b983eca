from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from taxocrawl.runs.document_list import document_list
from taxocrawl.runs.reading_list import LENGTH, diverse_order, reading_list

RECORDS = [
    {"title": "A new bat of Borneo", "url": "http://127.0.0.1/1"},
    {"title": "A new bat of Borneo", "url": "http://127.0.0.1/2"},
    {"title": "Two shrews from Java", "url": "http://127.0.0.1/3"},
    {"title": "Figs & <wasps>", "url": "javascript:alert(1)"},
]


def rows(text: str) -> list[list[str]]:
    return [
        [cell.text_content() for cell in row.iter("th", "td")]
        for row in html.fromstring(text).iter("tr")
    ][1:]


def test_a_repeated_title_moves_down_and_both_orders_are_shown() -> None:
    assert diverse_order(RECORDS) == (0, 2, 3, 1)
    found = rows(reading_list(RECORDS))
    assert found[1] == ["2", "A new bat of Borneo", "Two shrews from Java (3)"]
    assert found[0][2] == "A new bat of Borneo (same)"
    assert [row[1] for row in found] == [record["title"] for record in RECORDS]


def test_it_stands_below_the_documents() -> None:
    text = document_list(RECORDS, 4, lambda record: {})
    assert text.index("</ol>") < text.index("an order that repeats itself less")
    assert "javascript:" not in reading_list(RECORDS)


def test_titles_are_not_set_like_numbers_and_the_order_is_explained() -> None:
    text = reading_list(RECORDS)
    (table,) = html.fromstring(text).xpath('//div[contains(@class, "words")]//table')
    assert len(table.xpath(".//tbody/tr")) == len(RECORDS)
    assert "MMR over the words of the titles, lambda 0.5" in text


def test_too_few_documents_have_no_other_order() -> None:
    assert reading_list(RECORDS[:2]) == ""


def test_no_more_than_a_screenful() -> None:
    assert len(rows(reading_list(RECORDS * 10))) == LENGTH


@given(st.lists(st.one_of(st.none(), st.text(), st.integers()), min_size=3, max_size=6))
def test_any_titles(titles: list[object]) -> None:
    records = [{"title": title, "url": ""} for title in titles]
    assert sorted(diverse_order(records)) == list(range(len(titles)))
    reading_list(records)
