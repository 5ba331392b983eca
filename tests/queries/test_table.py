"""Look-ups in the table of bats, and tables that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from taxocrawl.exceptions import InputFileError
from taxocrawl.queries.table import BATS, TableTaxonomy
from taxocrawl.queries.taxonomy import find_mention


@pytest.fixture(scope="module")
def bats() -> TableTaxonomy:
    return TableTaxonomy()


@pytest.mark.parametrize(
    ("name", "taxon", "rank"),
    [
        ("Pteropus vampyrus", "Pteropus vampyrus", "species"),
        ("  pteropus   VAMPYRUS ", "Pteropus vampyrus", "species"),
        ("Pteropus_vampyrus", "Pteropus vampyrus", "species"),
        ("Pteropus", "Pteropus", "genus"),
        ("PTEROPODIDAE", "Pteropodidae", "family"),
        ("Chiroptera", "Chiroptera", "order"),
        ("Stenodermatinae", "Stenodermatinae", "subfamily"),
        ("Yinpterochiroptera", "Pteropodiformes", "suborder"),
        ("Pteropus giganteus", "Pteropus medius", "species"),
        ("Pteropus vampyrus intermedius", "Pteropus vampyrus", "species"),
        ("Pipistrellus kitcheneri", "Hypsugo kitcheneri", "species"),
        ("bats", "Chiroptera", "order"),
        ("Bat", "Chiroptera", "order"),
        ("flying foxes", "Pteropus", "genus"),
        ("flying fox", "Pteropus", "genus"),
        ("Large Flying Fox", "Pteropus vampyrus", "species"),
        ("large flying foxes", "Pteropus vampyrus", "species"),
        ("Andersen's Flying Fox", "Pteropus vampyrus", "species"),
        ("vampire bats", "Desmodontinae", "subfamily"),
    ],
)
def test_lookup(bats: TableTaxonomy, name: str, taxon: str, rank: str) -> None:
    found = bats.lookup(name)
    assert found is not None
    assert (found.name, found.rank) == (taxon, rank)


@pytest.mark.parametrize(
    "name", ["", " ", "Felis catus", "Pteropus vampirus", "vampyrus", "x" * 999]
)
def test_unknown_names(bats: TableTaxonomy, name: str) -> None:
    assert bats.lookup(name) is None


def test_what_is_known_of_a_species(bats: TableTaxonomy) -> None:
    taxon = bats.lookup("Pteropus vampyrus")
    assert taxon is not None
    assert taxon.classification == (
        ("order", "Chiroptera"),
        ("suborder", "Pteropodiformes"),
        ("superfamily", "Pteropodoidea"),
        ("family", "Pteropodidae"),
        ("subfamily", "Pteropodinae"),
        ("tribe", "Pteropodini"),
        ("genus", "Pteropus"),
    )
    assert taxon.vernacular == ("Large Flying Fox", "Andersen’s Flying Fox")
    assert taxon.synonyms == ("Pteropus intermedius", "Pteropus giganteus")


def test_children_are_of_the_next_rank_and_the_largest_come_first(bats: TableTaxonomy) -> None:
    order = bats.lookup("Chiroptera")
    assert order is not None
    assert order.children == ("Vespertilioniformes", "Pteropodiformes")
    genus = bats.lookup("Pteropus")
    assert genus is not None
    assert len(genus.children) == 63
    assert "Pteropus vampyrus" in genus.children


def test_suggestions(bats: TableTaxonomy) -> None:
    assert bats.suggest("Pteropus vampirus") == "Pteropus vampyrus"
    assert bats.suggest("pteropodida") == "Pteropodidae"
    assert bats.suggest("Felis catus") == ""
    assert bats.suggest("bst") == ""


def test_mentions_are_the_longest_names(bats: TableTaxonomy) -> None:
    mention = find_mention('on "Pteropus vampyrus" (Pteropodidae)', bats)
    assert mention is not None
    assert (mention.taxon.name, mention.before, mention.after) == (
        "Pteropus vampyrus",
        "on",
        "(Pteropodidae)",
    )
    assert mention.with_name("Pteropus") == "on Pteropus (Pteropodidae)"
    assert find_mention("nothing of that kind", bats) is None


def test_the_table_that_ships_is_small_and_whole() -> None:
    assert BATS.stat().st_size < 500_000
    first = BATS.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("# Facts of the Mammal Diversity Database v1.2 (CC BY 4.0")


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "cats.csv"
    path.write_bytes("\ufeffspecies,genus,family\r\nFelis catus,Felis,Felidae\r\n,,\r\n".encode())
    cats = TableTaxonomy(path)
    assert cats.name == "cats"
    taxon = cats.lookup("felis catus")
    assert taxon is not None
    assert taxon.classification == (("family", "Felidae"), ("genus", "Felis"))
    assert cats.lookup("bats") is None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "'species' is missing"),
        (b"name,genus\nx,y\n", "'species' is missing"),
        (b"species,genus\n", "found no row"),
        (b"species,genus\n,\n", "found no row"),
        (b'species,genus\n"Felis catus,Felis\n', "unexpected end of data"),
        (b"PK\x03\x04\x00", "got binary data"),
    ],
)
def test_tables_that_are_none_cost_one_line(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(data)
    with pytest.raises(InputFileError) as caught:
        TableTaxonomy(path)
    assert str(caught.value).startswith(f"{path}: expected a CSV table with the columns species")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"none\.csv: .*not there"):
        TableTaxonomy(tmp_path / "none.csv")
