from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxocrawl.text.names import ScientificName, find_names, parse_name


def parsed(text: str) -> ScientificName:
    name = parse_name(text)
    assert name is not None, f"{text!r} was not taken for a name"
    return name


def canonicals(text: str) -> list[str]:
    return [name.canonical for name in find_names(text)]


@pytest.mark.parametrize(
    ("text", "canonical", "authors", "year"),
    [
        # The traps of TXT-04.
        ("Neuroterus demo Lobão-Vale, Zhao & Ecker, 2022", "Neuroterus demo",
         "Lobão-Vale; Zhao; Ecker", 2022),
        ("Sepidium demoi Roches des Monts, 1881", "Sepidium demoi", "Roches des Monts", 1881),
        ("Vulpes demo leucopus (Linnaeus,1758)", "Vulpes demo leucopus", "Linnaeus", 1758),
        ("Mico demo (e Souza Júnior & Prado, 1998)", "Mico demo", "e Souza Júnior; Prado", 1998),
        ("Trachypithecus demo (Đặng Vũ Tùng, 1977)", "Trachypithecus demo", "Đặng Vũ Tùng", 1977),
        ("Aus x cus L.", "Aus x cus", "L.", None),
        # And others of their kind.
        ("Mico demo e Souza Júnior, 1998", "Mico demo", "e Souza Júnior", 1998),
        ("Aus demo van der Hoeven & de la Torre, 1966", "Aus demo",
         "van der Hoeven; de la Torre", 1966),
        ("Aus demo d'Orbigny, 1835", "Aus demo", "d'Orbigny", 1835),
        ("Aus demo D’Orbigny & O’Neill, 1900", "Aus demo", "D’Orbigny; O’Neill", 1900),
        ("Aus demo 't Hart, 1900", "Aus demo", "'t Hart", 1900),
        ("Aus demo (É. Geoffroy Saint-Hilaire, 1803)", "Aus demo",
         "É. Geoffroy Saint-Hilaire", 1803),
        ("Aus demo Łomnicki, Ørsted et Şahin 1894", "Aus demo", "Łomnicki; Ørsted; Şahin", 1894),
        ("Aus demo McKenna, B. Smith Jr., and MacLeay, 1999a", "Aus demo",
         "McKenna; B. Smith Jr.; MacLeay", 1999),
        ("Aus demo Smith et al., 2001", "Aus demo", "Smith", 2001),
        ("Aus demo P.-H. Fabre & J.P. Tribe, 2013", "Aus demo", "P.-H. Fabre; J.P. Tribe", 2013),
        ("Aus demo Hanna (1928: 261)", "Aus demo", "Hanna", 1928),
        ("Aus demo (Christ 1901: 31) Smith", "Aus demo", "Christ", 1901),
        ("Aus demo Rchb.f. DQ210235", "Aus demo", "Rchb.f.", None),
        ("Aus demo DOBSON, 1878", "Aus demo", "Dobson", 1878),
        ("Aus demo(Dobson,1878)", "Aus demo", "Dobson", 1878),
        ("Aus demo Zhao&Ecker,2022", "Aus demo", "Zhao; Ecker", 2022),
        ("Aus demo [Denis & Schiffermüller], 1775", "Aus demo", "Denis; Schiffermüller", 1775),
        ("Aus demo Peters, “1871” [1872]", "Aus demo", "Peters", 1871),
        ("Aus demo Horsfield in Vigors & Horsfield, 1827: 12", "Aus demo", "Horsfield", 1827),
        ("Aus demo F.Muell. ex Benth.", "Aus demo", "F.Muell.; Benth.", None),
        ("Aus demo (Vahl) Kunth", "Aus demo", "Vahl; Kunth", None),
        ("Aus demo Hook. f.", "Aus demo", "Hook. f.", None),
        ("Aus demo L. f. minor", "Aus demo minor", "", None),
        ("Aus demo subsp. cus (L.) Mill.", "Aus demo cus", "L.; Mill.", None),
        ("Aus demo L. var. cus Willd.", "Aus demo cus", "Willd.", None),
        ("Aus (Bus) demo Smith, 1900", "Aus demo", "Smith", 1900),
        ("Aus novae-angliae Smith, 1900", "Aus novae-angliae", "Smith", 1900),
        ("P. hypomelanus Temminck, 1853", "P. hypomelanus", "Temminck", 1853),
        ("Marasmius demo Kovač, nom. nov.", "Marasmius demo", "Kovač", None),
        ("×Aus demo", "x Aus demo", "", None),
        ("Aus ×cus Smith", "Aus x cus", "Smith", None),
        ("Aus bus x Aus cus", "Aus bus x Aus cus", "", None),
        ("Aus bus Smith ×Aus cus", "Aus bus x Aus cus", "Smith", None),
        ("Pteropus Brisson, 1762", "Pteropus", "Brisson", 1762),
    ],
)  # fmt: skip
def test_name_with_authorship(text: str, canonical: str, authors: str, year: int | None) -> None:
    name = parsed(text)
    assert (name.canonical, "; ".join(name.authors), name.year) == (canonical, authors, year)
    assert text[name.start : name.end] == name.verbatim


def test_brackets_are_kept_as_a_mark() -> None:
    assert parsed("Vulpes demo leucopus (Linnaeus,1758)").bracketed
    assert not parsed("Vulpes demo Linnaeus, 1758").bracketed


@pytest.mark.parametrize(
    ("text", "rank", "hybrid"),
    [
        ("Aus bus", "species", False),
        ("Aus bus cus", "subspecies", False),
        ("Aus bus var. cus", "variety", False),
        ("Aus bus f. cus", "form", False),
        ("Aus x cus L.", "species", True),
        ("× Aus bus", "species", True),
        ("Pteropus", "genus", False),
        ("Pteropodidae Gray, 1821", "family", False),
        ("Pteropodinae", "subfamily", False),
    ],
)
def test_ranks_and_hybrids(text: str, rank: str, hybrid: bool) -> None:
    assert (parsed(text).rank, parsed(text).hybrid) == (rank, hybrid)


@pytest.mark.parametrize(
    "text",
    [
        "Helicella nr. demo", "Helicella cf. demo", "Helicella aff. demo", "Helicella sp.",
        "Helicella sp. 1", "Helicella spp.", "Helicella ?demo", "Helicella cf demo",
        "The results were", "In vitro", "Bats are nice", "Results", "", "  ", "demo", "1758",
        "Figure 1", "Sp. nov.", "H.",
    ],
)  # fmt: skip
def test_open_nomenclature_and_prose_are_no_names(text: str) -> None:
    assert parse_name(text) is None


def test_abbreviated_genera_are_spelled_out_by_what_stands_before() -> None:
    text = "Pteropus vampyrus and Phyllostomus hastatus. P. vampyrus eats fruit; P. discolor too."
    assert canonicals(text)[2:] == ["Pteropus vampyrus", "Phyllostomus discolor"]
    assert canonicals("In the genus Pteropus, P. hypomelanus") == ["Pteropus hypomelanus"]
    assert canonicals("Aedes sp. and Ae. aegypti") == ["Aedes aegypti"]
    assert canonicals("P. hypomelanus, unlike Pteropus vampyrus") == [
        "P. hypomelanus",
        "Pteropus vampyrus",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Myotis fimbriatus and Myotis capaccinii were classified;",
         ["Myotis fimbriatus", "Myotis capaccinii"]),
        ("found in Myotis\nlucifugus there", ["Myotis lucifugus"]),
        ("(Pteropus vampyrus)", ["Pteropus vampyrus"]),
        ("Bison bison and Lynx lynx", ["Bison bison", "Lynx lynx"]),
        ("Mus musculus domesticus was", ["Mus musculus domesticus"]),
        ("Mus musculus populations in Mus musculus genera", ["Mus musculus", "Mus musculus"]),
        ("a lion (Panthera leo Linnaeus, 1758); Panthera leo", ["Panthera leo", "Panthera leo"]),
        ("Panthera leo, then P. leo", ["Panthera leo", "Panthera leo"]),
        ("Myotis demo n. sp.", ["Myotis demo"]),
        ("Cynopterus sphinx (Vahl, 1797)", ["Cynopterus sphinx"]),
        ("Aus x cus L. grows", ["Aus x cus"]),
        ("Lepus europaeus x Lepus timidus", ["Lepus europaeus", "Lepus timidus"]),
        ("the ×Triticosecale alba", ["x Triticosecale alba"]),
        ("2 x Myotis alba", ["Myotis alba"]),
        ("Myotis cf. nattereri, Myotis sp., cf. Myotis alba, Helicella nr. alba", []),
        ("The data were. Various species. Previous analyses. In situ. Malaysia via Borneo.", []),
        ("European species and Australian genera; Smith and Jones (1999); J. K. alba", []),
        ("Pteropodidae are a family; Vespertilionidae genera", []),
        ("Fig. alba and Dr. alba, U. S. data", []),
    ],
)  # fmt: skip
def test_names_in_prose(text: str, found: list[str]) -> None:
    assert canonicals(text) == found


@pytest.mark.parametrize(
    ("text", "authors", "year"),
    [
        ("Myotis alba Le Conte, 1831 was found", ("Le Conte",), 1831),
        ("Myotis alba (Leisler, 1817) Figs 1-3", ("Leisler",), 1817),
        ("Quercus alba L. grows", ("L.",), None),
        ("P. alba Mill.\nP. viridis", ("Mill.",), None),
        ("Quercus alba (Lindl.) Lindl.\nXylobium sp.", ("Lindl.", "Lindl."), None),
        ("Quercus alba Hanna (1928: 261) which", ("Hanna",), 1928),
        ("Quercus alba (L.) Mill. grows", ("L.", "Mill."), None),
        ("Myotis alba Bats were found", (), None),
        ("Myotis alba (Smith et al. 2001)", (), None),
        ("Myotis alba (Chiroptera) and", (), None),
        ("Myotis alba, Smith 2001", (), None),
    ],
)
def test_authorship_in_prose(text: str, authors: tuple[str, ...], year: int | None) -> None:
    name = find_names(text)[0]
    assert (name.authors, name.year) == (authors, year)


pieces = st.lists(
    st.sampled_from(
        ["Myotis", "alba", "P.", "sp.", "x", "×", "(", ")", "L.", "&", ",", "1758", "de", "et",
         "Smith", "The", "subsp.", "f.", "\n", "nov.", "-", "Đặng", "cf."]
    ),
    max_size=30,
)  # fmt: skip


@given(st.one_of(st.text(), pieces.map(" ".join), pieces.map("".join)))
def test_spans_lie_in_the_text_in_order(text: str) -> None:
    names = find_names(text)
    assert [name.start for name in names] == sorted(name.start for name in names)
    for name in names:
        assert 0 <= name.start < name.end <= len(text)
        assert text[name.start : name.end] == name.verbatim


@given(st.one_of(st.text(), pieces.map(" ".join)))
def test_a_parsed_name_is_its_part_of_the_string(text: str) -> None:
    name = parse_name(text)
    assert name is None or text[name.start : name.end] == name.verbatim
