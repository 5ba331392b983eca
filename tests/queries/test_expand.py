"""Generic and taxonomic expansion with the table of bats that ships."""

from __future__ import annotations

from pathlib import Path

import pytest

from taxocrawl.exceptions import ArgumentError, InputFileError
from taxocrawl.queries.expand import ExpandedQuery, expand, expand_all, read_terms
from taxocrawl.queries.table import TableTaxonomy


@pytest.fixture(scope="module")
def bats() -> TableTaxonomy:
    return TableTaxonomy()


def texts(expanded: list[ExpandedQuery]) -> list[str]:
    return [query.text for query in expanded]


def test_none_is_the_query_exactly() -> None:
    query = ' a=b\n"Đặng" '
    assert expand(query, "none") == [ExpandedQuery(query, "none", query)]


def test_generic_terms_are_those_of_the_document() -> None:
    found = texts(expand("Pteropus", "generic"))
    for query in (
        'Pteropus "new genus"',
        'Pteropus "relationship species"',
        "Pteropus phylogenetic",
    ):
        assert query in found
    assert 'Bats "new species"' in texts(expand("Bats", "generic"))
    assert len(found) == len(set(found)) == len(read_terms())


def test_generic_terms_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "terms.txt"
    path.write_text('# mine\nsp.  nov.\nkey\n"type locality" Java\nkey\n')
    terms = read_terms(path)
    assert texts(expand(" Any\nquery ", "generic", terms=terms)) == [
        'Any query "sp. nov."',
        "Any query key",
        'Any query "type locality" Java',
    ]
    assert expand("Any", "generic", terms=terms)[0].relation == "term"


@pytest.mark.parametrize("data", [b"", b"# none\n", b"\x00"])
def test_files_without_terms(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "terms.txt"
    path.write_bytes(data)
    with pytest.raises(InputFileError, match=r"terms\.txt: expected a list of terms"):
        read_terms(path)


def test_taxonomic_expansion_of_a_species(bats: TableTaxonomy) -> None:
    expanded = expand("Pteropus vampyrus", "taxonomic", taxonomy=bats)
    assert [(query.relation, query.text) for query in expanded] == [
        ("query", "Pteropus vampyrus"),
        ("term", "Pteropus vampyrus phylogenetic"),
        ("genus", "Pteropus phylogenetic"),
        ("order", "Pteropus Chiroptera phylogenetic"),
        ("order", "Pteropus vampyrus Chiroptera"),
        ("suborder", "Pteropus vampyrus Pteropodiformes"),
        ("family", "Pteropus vampyrus Pteropodidae"),
        ("subfamily", "Pteropus vampyrus Pteropodinae"),
        ("subspecies", "Pteropus vampyrus intermedius"),
        ("synonym", "Pteropus intermedius"),
        ("synonym", "Pteropus giganteus"),
    ]
    assert {query.source_query for query in expanded} == {"Pteropus vampyrus"}


def test_the_documents_taxonomic_queries_are_among_them(bats: TableTaxonomy) -> None:
    """KU 4.3.3, "Taxonomically Expanded"."""
    found = {
        text.casefold() for text in texts(expand("Pteropus vampyrus", "taxonomic", taxonomy=bats))
    }
    assert found >= {
        "pteropus phylogenetic",
        "pteropus chiroptera phylogenetic",
        "pteropus vampyrus",
        "pteropus vampyrus phylogenetic",
    }


def test_taxonomic_expansion_of_a_genus(bats: TableTaxonomy) -> None:
    assert texts(expand("  pteropus ", "taxonomic", taxonomy=bats)) == [
        "pteropus",
        "Pteropus phylogenetic",
        "Pteropus Chiroptera phylogenetic",
        "pteropus Chiroptera",
        "pteropus Pteropodiformes",
        "pteropus Pteropodidae",
        "pteropus Pteropodinae",
    ]


def test_english_names_bring_the_scientific_one(bats: TableTaxonomy) -> None:
    found = texts(expand("Bats", "taxonomic", taxonomy=bats))
    assert found[:3] == ["Bats", "Chiroptera", "Chiroptera phylogenetic"]
    assert "Pteropus vampyrus" in texts(expand("Large Flying Fox", "taxonomic", taxonomy=bats))


def test_a_synonym_brings_the_accepted_name(bats: TableTaxonomy) -> None:
    found = texts(expand("Pteropus giganteus", "taxonomic", taxonomy=bats))
    assert found[:2] == ["Pteropus giganteus", "Pteropus medius"]


def test_other_words_of_the_query_stay(bats: TableTaxonomy) -> None:
    found = texts(expand("diet of Pteropus vampyrus in Java", "taxonomic", taxonomy=bats))
    assert "diet of Pteropus vampyrus in Java Pteropodidae" in found
    assert "diet of Pteropus giganteus in Java" in found


def test_terms_that_are_there_are_not_added_again(bats: TableTaxonomy) -> None:
    found = texts(expand("Pteropus chiroptera phylogeny", "taxonomic", taxonomy=bats))
    assert not any(text.lower().count("chiroptera") > 1 for text in found)
    assert "Pteropus chiroptera phylogeny phylogenetic" not in found


def test_names_of_each_kind_are_limited(bats: TableTaxonomy) -> None:
    most = max(
        (expand(row, "taxonomic", taxonomy=bats) for row in ("Phyllostomidae", "bats", "Artibeus")),
        key=len,
    )
    assert len(most) <= 3 + 5 + 5 + 5 + 5
    relations = [query.relation for query in most]
    assert relations.count("synonym") <= 5
    assert relations.count("narrower taxon") == 5


def test_an_unknown_name_stands_for_itself(
    bats: TableTaxonomy, caplog: pytest.LogCaptureFixture
) -> None:
    [only] = expand("Felis catus", "taxonomic", taxonomy=bats)
    assert (only.text, only.relation) == ("Felis catus", "query")
    assert "no taxon of the chiroptera table in 'Felis catus'" in only.note
    assert "did you mean" not in only.note
    assert only.note in caplog.text


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("Pteropus vampirus", "Pteropus vampyrus"),
        ("Pterpous vampyrus", "Pteropus vampyrus"),
        ("Pteropodida", "Pteropodidae"),
        ("Chiropetra", "Chiroptera"),
        ("Artibius lituratus taxonomy", "Artibeus lituratus"),
    ],
)
def test_a_misspelt_name_is_told(bats: TableTaxonomy, query: str, meant: str) -> None:
    expanded = expand(query, "taxonomic", taxonomy=bats)
    assert expanded[0].text == query
    assert f"did you mean '{meant}'?" in expanded[0].note


def test_a_genus_with_other_words_is_not_misspelt(bats: TableTaxonomy) -> None:
    assert expand("Pteropus phylogeny", "taxonomic", taxonomy=bats)[0].note == ""


def test_wrong_styles_and_a_missing_taxonomy_are_refused(bats: TableTaxonomy) -> None:
    with pytest.raises(ArgumentError, match="expected one of none, generic, taxonomic, got 'Gen'"):
        expand("Pteropus", "Gen", taxonomy=bats)
    with pytest.raises(ArgumentError, match="needs a taxonomy"):
        expand("Pteropus", "taxonomic")
    for style in ("none", "generic", "taxonomic"):
        with pytest.raises(ArgumentError, match="expected at least one word"):
            expand(" \n", style, taxonomy=bats)


def test_several_queries_are_expanded_to_distinct_texts(tmp_path: Path) -> None:
    assert expand_all(["Bats", "Pteropus"], "none") == ["Bats", "Pteropus"]
    both = expand_all(["Pteropus vampyrus", "Pteropus medius"], "taxonomic")
    assert both.count("Pteropus phylogenetic") == 1
    assert both[0] == "Pteropus vampyrus"
    path = tmp_path / "terms.txt"
    path.write_text("sp. nov.\n")
    found = expand_all(["Bats", "Pteropus"], "generic", terms_file=path)
    assert found == ['Bats "sp. nov."', 'Pteropus "sp. nov."']
    with pytest.raises(InputFileError, match="expected a CSV table"):
        expand_all(["Bats"], "taxonomic", taxonomy_file=path)


def test_every_taxon_of_the_table_expands(bats: TableTaxonomy) -> None:
    for name in bats._taxa:
        expanded = expand(name, "taxonomic", taxonomy=bats)
        assert expanded[0].text == name
        assert len({query.text.casefold() for query in expanded}) == len(expanded)
        assert all(query.text == " ".join(query.text.split()) for query in expanded)
