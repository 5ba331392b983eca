from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxocrawl.text.doi import doi_from_url, doi_url, find_dois, normalise_doi

SICI = "10.5555/(sici)1099-0000(199805)12:3<118::aid-demo2>3.0.co;2-g"
ALLEN = "10.5555/demo(1979)98<12:anb>2.0.co;2"


@pytest.mark.parametrize(
    ("text", "dois"),
    [
        ("10.5555/(SICI)1099-0000(199805)12:3<118::AID-DEMO2>3.0.CO;2-G.", [SICI]),
        ("(see 10.5555/demo.4674.4.8).", ["10.5555/demo.4674.4.8"]),
        ("[10.5555/demo.7], and", ["10.5555/demo.7"]),
        ("10.5555/GEO.2009.05.25.02(ABCD)", ["10.5555/geo.2009.05.25.02(abcd)"]),
        ("10.5555/demo(1979)98&lt;12:ANB&gt;2.0.CO;2", [ALLEN]),
        ("10.5555/demo(1979)98&amp;lt;12:ANB&amp;gt;2.0.CO;2", [ALLEN]),
        ("10.5555/demo(1979)98[12:ANB]2.0.CO;2", ["10.5555/demo(1979)98[12:anb]2.0.co;2"]),
        ('<a href="https://doi.org/10.5555/demo.7">x</a>', ["10.5555/demo.7"]),
        ("10.5555/demo.7</a> 10.5555/demo.8<br>", ["10.5555/demo.7", "10.5555/demo.8"]),
        ("<10.5555/demo.7>", ["10.5555/demo.7"]),
        ("doi:10.5555/DEMO.7; DOI 10.5555/demo.7", ["10.5555/demo.7"]),
        ("doi10.5555/demo.7", ["10.5555/demo.7"]),
        ("10.5555/a1,10.5555/b2;10.5555/c3", ["10.5555/a1", "10.5555/b2", "10.5555/c3"]),
        ("10.5555/a1https://doi.org/10.5555/b2", ["10.5555/a1", "10.5555/b2"]),
        ("10.5555/demo–2019−1", ["10.5555/demo-2019-1"]),
        ("10.5555/demo.7。作者", ["10.5555/demo.7"]),
        ("“10.5555/demo.7” ‘10.5555/demo.8’", ["10.5555/demo.7", "10.5555/demo.8"]),
        ("10.5555.12/demo.7?!", ["10.5555.12/demo.7"]),
        ("version 1.10.5555/x, 10.5/x, 10.5555/, 210.5555/x, 10.0.0.1/x", []),
        ("", []),
    ],
)
def test_dois_are_found_in_text(text: str, dois: list[str]) -> None:
    assert find_dois(text) == dois


@pytest.mark.parametrize(
    ("url", "doi"),
    [
        ("https://journal.example/doi/abs/10.5555/mamm.12244?cookieSet=1", "10.5555/mamm.12244"),
        ("https://journal.example/doi/10.5555/mamm.12244/abstract", "10.5555/mamm.12244"),
        ("https://journal.example/doi/full/10.5555/mamm.12244#sec-2", "10.5555/mamm.12244"),
        ("https://journal.example/doi/epdf/10.5555/mamm.12244", "10.5555/mamm.12244"),
        ("https://journal.example/doi/10.5555/mamm.12244/full/html", "10.5555/mamm.12244"),
        ("https://journal.example/doi/10.5555/mamm.12244;jsessionid=A1.f01", "10.5555/mamm.12244"),
        ("https://doi.org/10.5555/bats/bat053", "10.5555/bats/bat053"),
        ("https://x.example/bats/article/doi/10.5555/bats/bat053/5345678", "10.5555/bats/bat053"),
        ("https://dx.doi.org/10.5555%2FDEMO.7", "10.5555/demo.7"),
        ("https://dx.doi.org/10.5555%252FDEMO.7", "10.5555/demo.7"),
        ("https://x.example/article?id=10.5555/demo.7&type=printable", "10.5555/demo.7"),
        ("https://x.example/content/pdf/10.5555/s1-2-3.pdf", "10.5555/s1-2-3"),
        ("https://x.example/content/10.1101/2020.01.02.123456v2.full.pdf",
         "10.1101/2020.01.02.123456"),
        ("https://doi.org/10.5555/demo(1979)98%3C12:ANB%3E2.0.CO;2", ALLEN),
        ("https://doi.org/10.5555/demo.7/", "10.5555/demo.7"),
        ("https://x.example/10.55/demo", ""),
        ("http://10.0.0.1/article", ""),
    ],
)  # fmt: skip
def test_the_doi_of_a_url(url: str, doi: str) -> None:
    assert doi_from_url(url) == doi


@pytest.mark.parametrize(
    "text", ["doi:10.5555/demo.7", "DOI: 10.5555/DEMO.7.", "10.5555/de\u00admo.7"]
)
def test_spellings_of_one_doi(text: str) -> None:
    assert normalise_doi(text) == "10.5555/demo.7"


def test_the_address_of_a_doi_is_percent_encoded() -> None:
    assert doi_url(ALLEN) == "https://doi.org/10.5555/demo(1979)98%3C12:anb%3E2.0.co;2"
    assert doi_from_url(doi_url(SICI)) == SICI


def test_no_address_for_what_is_no_doi() -> None:
    with pytest.raises(ValueError, match=r"expected a DOI .*'none'"):
        doi_url("none")


doi_like = st.builds(
    "10.5555/{}".format,
    st.text(st.sampled_from("aZ9.,;:()[]<>/-_%&?#'=pdfv1 \u2013"), min_size=1, max_size=30),
)


@given(st.one_of(st.text(), doi_like))
def test_normalising_twice_is_normalising_once(text: str) -> None:
    once = normalise_doi(text)
    assert normalise_doi(once) == once


@given(doi_like)
def test_a_found_doi_survives_its_own_address(text: str) -> None:
    for doi in find_dois(text):
        assert doi_from_url(doi_url(doi)) == doi
