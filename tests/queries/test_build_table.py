"""The table made from a species file and an alignment of checklists."""

from __future__ import annotations

import csv
from pathlib import Path

from taxocrawl.queries.build_table import build, main
from taxocrawl.queries.table import TableTaxonomy

RANKS = {
    "order": "CHIROPTERA",
    "suborder": "NA",
    "family": "PTEROPODIDAE",
    "tribe": "INCERTAE SEDIS",
}


def species(name: str, **fields: str) -> dict[str, str]:
    genus, epithet = name.split("_")
    row = {"sciName": name, "genus": genus, "specificEpithet": epithet, "mainCommonName": "NA"}
    return row | RANKS | fields


def test_names_of_the_species_file() -> None:
    row = species(
        "Aus_bus",
        MSW3_sciName="Cus_bus",
        CMW_sciName="Aus_bus",
        nominalNames="dus (von Someone & others, 1823)|bus O. Thomas, 1900|NA|",
        originalNameCombination="Eus_bus",
        mainCommonName="Common Aus",
        otherCommonNames="Aus Bat|NA",
        taxonomyNotes="Name transfer: fus -> bus",
        authoritySpeciesAuthor="Linnaeus",
        authoritySpeciesYear="1758",
    )
    [made] = build([row])
    assert made["species"] == "Aus bus"
    assert (made["order"], made["suborder"], made["tribe"]) == ("Chiroptera", "", "")
    assert made["synonyms"] == "Aus dus|Aus fus|Cus bus|Eus bus"
    assert made["vernacular"] == "Common Aus|Aus Bat"
    assert (made["authority"], made["year"]) == ("Linnaeus", "1758")


def table(*rows: list[str]) -> list[dict[str, str]]:
    return [{"id": "x", "1980": r[0], "2005": r[1], "2025": r[2]} for r in rows]


def test_names_of_the_checklists() -> None:
    aligned = table(
        ["Cus bus", "Cus bus", "Aus bus"],  # an older combination, in two lists
        ["Dus bus", "Aus bus", "N/A"],  # another, in one
        ["Aus zus", "Aus bus [synonym of]", "Aus cus [synonym of]"],  # lists disagree
        ["N/A", "Aus bus minor", "Aus bus [synonym of]"],  # a subspecies
        ["Aus bus cus", "Aus cus", "Aus cus"],  # once a subspecies, now a species
        ["Aus bus bus", "Aus bus and Aus cus", "Aus bus?"],  # nothing new, nothing clear
    )
    bus, cus = build([species("Aus_bus"), species("Aus_cus")], aligned)
    assert bus["synonyms"] == "Cus bus|Dus bus"
    assert bus["disputed"] == "Aus zus"
    assert bus["subspecies"] == "Aus bus minor"
    assert cus["synonyms"] == "Aus bus cus|Aus zus"
    assert cus["disputed"] == ""


def test_the_species_file_decides_where_checklists_disagree() -> None:
    aligned = table(["Aus zus", "Aus bus [synonym of]", "Aus cus [synonym of]"])
    note = {"taxonomyNotes": "Name transfer: zus -> bus"}
    bus, cus = build([species("Aus_bus", **note), species("Aus_cus")], aligned)
    assert (bus["synonyms"], cus["disputed"]) == ("Aus zus", "Aus zus")


def test_from_files_to_a_taxonomy(tmp_path: Path) -> None:
    row = species("Aus_bus", mainCommonName='Common "Aus"')
    with (tmp_path / "mdd.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        writer.writeheader()
        writer.writerow(row)
    (tmp_path / "names.tsv").write_text("id\t2005\t2025\nx\tCus bus\tAus bus\n")
    made = tmp_path / "table.csv"
    main([
        str(tmp_path / "mdd.csv"), str(made), "--checklists", str(tmp_path / "names.tsv"),
        "--source", "Facts of\nours",
    ])  # fmt: skip
    assert made.read_text().startswith("# Facts of ours\nspecies,genus,")
    taxon = TableTaxonomy(made).lookup("cus bus")
    assert taxon is not None
    assert (taxon.name, taxon.vernacular) == ("Aus bus", ('Common "Aus"',))
