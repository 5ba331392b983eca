from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxocrawl.runs.bibliography import bibtex, ris


def document(**fields: Any) -> dict[str, Any]:
    record = {
        "url": "http://a.example/1",
        "final_url": "https://a.example/article/1",
        "kind": "html",
        "title": "Order Chiroptera",
        "authors": ["Simmons, Nancy B."],
        "year": 2005,
        "doi": "10.5555/bats.1",
        "language": "en",
        "content_hash": "0123456789abcdef",
        "path": "documents/0123456789abcdef.html",
    }
    return record | fields


def parse_bibtex(text: str) -> list[tuple[str, str, dict[str, str]]]:
    """(type, key, fields) of each entry, by counting braces as BibTeX does."""
    entries, at = [], 0
    while (start := text.find("@", at)) >= 0:
        head = re.compile(r"@(\w+)\{([^\s,{}]+),\s*").match(text, start)
        assert head, text[start : start + 80]
        fields, at = {}, head.end()
        while text[at] != "}":
            field = re.compile(r"(\w+) = \{").match(text, at)
            assert field, text[at : at + 80]
            depth, at = 1, field.end()
            begin = at
            while depth:
                depth += {"{": 1, "}": -1}.get(text[at], 0)
                at += 1
            assert field[1] not in fields
            fields[field[1]] = text[begin : at - 1]
            assert text[at] == ","
            at = re.compile(r",\s*").match(text, at).end()  # type: ignore[union-attr]
        entries.append((head[1], head[2], fields))
        at += 1
    return entries


def parse_ris(text: str) -> list[list[tuple[str, str]]]:
    entries: list[list[tuple[str, str]]] = [[]]
    for line in text.split("\r\n"):
        if not line:
            continue
        match = re.fullmatch(r"([A-Z][A-Z0-9])  - (.*)", line)
        assert match, line
        if match[1] == "ER":
            entries.append([])
        else:
            entries[-1].append((match[1], match[2]))
    assert entries.pop() == []
    return entries


def keys(*records: dict[str, Any]) -> list[str]:
    return [key for _, key, _ in parse_bibtex(bibtex(records))]


def test_an_article_has_its_fields() -> None:
    [(kind, key, fields)] = parse_bibtex(bibtex([document()]))

    assert (kind, key) == ("article", "Simmons2005Order")
    assert fields == {
        "author": "Simmons, Nancy B.",
        "title": "{Order Chiroptera}",
        "year": "2005",
        "doi": "10.5555/bats.1",
        "url": "https://a.example/article/1",
        "language": "en",
        "file": "documents/0123456789abcdef.html",
    }


def test_a_document_without_doi_is_misc_and_leaves_out_what_is_unknown() -> None:
    bare = document(doi="", authors=[], year=None, language="", title="")

    [(kind, key, fields)] = parse_bibtex(bibtex([bare]))
    [tags] = parse_ris(ris([bare]))

    assert (kind, key) == ("misc", "Anonnd01234567")
    assert set(fields) == {"url", "file"}
    assert tags[0] == ("TY", "ELEC")
    assert {tag for tag, _ in tags} == {"TY", "ID", "UR", "L1"}


def test_ris_has_one_author_a_line() -> None:
    [tags] = parse_ris(ris([document(authors=["Simmons, N. B.", "Åkesson, Ö."])]))

    assert tags[:5] == [
        ("TY", "JOUR"),
        ("ID", "Simmons2005Order"),
        ("AU", "Simmons, N. B."),
        ("AU", "Åkesson, Ö."),
        ("TI", "Order Chiroptera"),
    ]
    assert dict(tags)["PY"] == "2005"


def test_tied_keys_get_letters_and_the_first_keeps_its_own() -> None:
    one = document()

    assert keys(one, one, one) == ["Simmons2005Order", "Simmons2005Ordera", "Simmons2005Orderb"]
    assert keys(one, one)[:1] == keys(one)
    assert len({key.casefold() for key in keys(*[one] * 800)}) == 800


def test_a_tie_avoids_a_key_that_is_another_document_s_own() -> None:
    other = document(title="Ordera")

    assert keys(other, document(), document()) == [
        "Simmons2005Ordera",
        "Simmons2005Order",
        "Simmons2005Orderb",
    ]


def test_keys_that_differ_in_case_alone_are_ties() -> None:
    first, second = keys(document(authors=["DeSilva, A."]), document(authors=["Desilva, A."]))

    assert first.casefold() != second.casefold()


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"authors": ["Nancy B. Simmons"]}, "Simmons2005Order"),
        ({"authors": ["Łukasz Gørlitz-Müller"]}, "GorlitzMuller2005Order"),
        ({"authors": ["翼手 太郎"]}, "Anon2005Order"),
        ({"title": "A new Bat"}, "Simmons2005A"),
        ({"title": "On the bats of Ghana"}, "Simmons2005Bats"),
        ({"title": "«Über» Étoile"}, "Simmons2005Uber"),
        ({"title": "新種"}, "Simmons200501234567"),
        ({"year": "20050"}, "SimmonsndOrder"),
        ({"authors": ["x" * 500]}, "x" * 24 + "2005Order"),
    ],
)
def test_keys_are_short_ascii(fields: dict[str, Any], key: str) -> None:
    assert keys(document(**fields)) == [key]


HOSTILE = [
    "Unbalanced } brace {{ and \\ backslash",
    "@article{evil,\n title={x}}",
    "50 % of $5 & #1_a ~ ^ \\input{/etc/passwd}",
    "line\nbreak\r\nER  - \r\nTY  - JOUR\u2028x",
    "bell\x07 nul\x00 escape\x1b[31m lone \ud800 surrogate",
    "right-to-left \u202egnp.exe \u2066inside",
    "}" * 50 + "{" * 49,
    "\\",
    "Trailing backslash \\",
    "Юникод 新種 Ünïcödé 😀",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_titles_and_names_stay_one_entry(text: str) -> None:
    records = [document(title=text, authors=[text, "Simmons, N."], language=text), document()]

    entries = parse_bibtex(bibtex(records))
    tagged = parse_ris(ris(records))

    assert [kind for kind, _, _ in entries] == ["article", "article"]
    assert set(entries[0][2]) == set(entries[1][2])
    assert [tag for tag, _ in tagged[0] if tag in ("TY", "TI")] == ["TY", "TI"]
    for output in (bibtex(records), ris(records)):
        assert not re.search("[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]", output)
        output.encode("utf-8")


def test_latex_specials_are_escaped_and_unicode_is_kept() -> None:
    [(_, _, fields)] = parse_bibtex(bibtex([document(title="50 % & {Übersicht} C:\\x_1 ~^#$")]))

    assert fields["title"] == (
        r"{50 \% \& \textbraceleft{}Übersicht\textbraceright{} "
        r"C:\textbackslash{}x\_1 \textasciitilde{}\textasciicircum{}\#\$}"
    )


@pytest.mark.parametrize("name", ["Royal Museum and Garden", "others", "a, b, c, d"])
def test_what_bibtex_would_divide_is_kept_together(name: str) -> None:
    [(_, _, fields)] = parse_bibtex(bibtex([document(authors=[name, "Simmons, N."])]))

    assert fields["author"] == f"{{{name}}} and Simmons, N."


@pytest.mark.parametrize(
    ("url", "printed"),
    [
        ("https://a.example/x_y%20z?a=1&b=2#c", "https://a.example/x_y%20z?a=1&b=2#c"),
        ("https://a.example/{x}\\y", "https://a.example/%7Bx%7D%5Cy"),
        ("javascript:alert(1)", None),
        ("file:///etc/passwd", None),
    ],
)
def test_only_web_addresses_are_written_and_stay_usable(url: str, printed: str | None) -> None:
    [(_, _, fields)] = parse_bibtex(bibtex([document(final_url=url, url="")]))

    assert fields.get("url") == printed


def test_no_documents_make_an_empty_bibliography() -> None:
    assert bibtex([]) == ""
    assert ris([]) == ""


@given(st.lists(st.text(), max_size=3), st.text(), st.text(), st.text())
def test_whatever_the_web_sends_is_one_entry_with_balanced_braces(
    authors: list[str], title: str, doi: str, url: str
) -> None:
    records = [
        document(authors=authors, title=title, doi=doi, final_url=f"http://a.example/{url}"),
        document(),
    ]

    entries, tagged = parse_bibtex(bibtex(records)), parse_ris(ris(records))

    assert len(entries) == len(tagged) == 2
    assert all(re.fullmatch("[A-Za-z0-9]+", key) for _, key, _ in entries)
    assert entries[1][2]["title"] == "{Order Chiroptera}"
