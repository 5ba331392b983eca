"""The table that ships is what its script makes of the shared facts."""

from __future__ import annotations

from pathlib import Path

from taxocrawl.queries.build_table import main
from taxocrawl.queries.table import BATS, TableTaxonomy


def test_the_table_that_ships_can_be_made_again(corpora: Path, tmp_path: Path) -> None:
    facts, made = corpora / "facts", tmp_path / "chiroptera.csv"
    aligned = facts / "bat_names_14_checklists.tsv"
    main([str(facts / "mdd_chiroptera.csv"), str(made), "--checklists", str(aligned)])
    shipped = BATS.read_text(encoding="utf-8").partition("\n")[2]
    assert made.read_text(encoding="utf-8") == shipped
    assert shipped.count("\n") == 999


def test_other_mammals_make_a_table_too(corpora: Path, tmp_path: Path) -> None:
    made = tmp_path / "mammals.csv"
    main([str(corpora / "facts" / "mdd_other_mammals.csv"), str(made)])
    mammals = TableTaxonomy(made, groups=None)
    taxon = mammals.lookup("Ornithorhynchus anatinus")
    assert taxon is not None
    assert "Platypus anatinus" in taxon.synonyms
    assert mammals.lookup("platypus") == taxon
    assert mammals.lookup("Platypus anatinus") == taxon
