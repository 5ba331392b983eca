from __future__ import annotations

import math

import pytest

from taxocrawl.classify.lexicon import PHRASES, WORDS
from taxocrawl.classify.markers import NAMES, has_evidence, marker_values


def values(text: str) -> dict[str, float]:
    return dict(zip(NAMES, marker_values(text), strict=True))


def found(text: str) -> set[str]:
    return {name for name, value in values(text).items() if value and not name.startswith("zone")}


@pytest.mark.parametrize(
    ("text", "marker"),
    [
        ("Aus bus sp. nov.", "act on species"),
        ("Aus bus n. sp.", "act on species"),
        ("Aus bus n.sp.", "act on species"),
        ("Aus bus,\nnov. spec.", "act on species"),
        ("Aus bus sp.\n nov.", "act on species"),
        ("Aus gen. et sp. nov.", "act on higher taxon"),
        ("Aus cus comb. nov.", "act of change"),
        ("Aus cus (Smith) stat. rev.", "act of change"),
        ("una especie nueva", "new taxon"),
        ("duas espécies novas", "new taxon"),
        ("deux espèces nouvelles", "new taxon"),
        ("eine neue Art", "new taxon"),
        ("中国蝙蝠一新种记述", "new taxon"),
        ("Holótipo: fêmea", "holotype"),
        ("HOLOTYPUS ♂", "holotype"),
        ("Derivatio nominis.", "treatment"),
        ("Pteropus vampyrus (Linnaeus, 1758)", "authority"),
        ("Linnaeus 1758", "old year"),
        ("the scientists have found", "news"),
    ],
)
def test_a_marker_is_found_however_it_is_written(text: str, marker: str) -> None:
    assert marker in found(text)


@pytest.mark.parametrize(
    "text",
    ["Pteropus sp. Novel findings", "a novel species concept", "innovation", "sp. in November"],
)
def test_look_alikes_are_no_acts(text: str) -> None:
    acts = {"act on species", "act on higher taxon", "act of change", "new taxon"}
    assert not acts & found(text)


def test_a_count_is_taken_relative_to_the_length_of_the_text() -> None:
    short = values("holotype")["holotype"]
    assert short == pytest.approx(math.log1p(3000 / 501))
    assert 0 < values("holotype " + "word " * 5000)["holotype"] < short


def test_the_title_zone_is_counted_on_its_own() -> None:
    late = values("word " * 400 + "holotype")
    assert late["holotype"] > 0
    assert late["zone holotype"] == 0
    assert values("holotype")["zone holotype"] == pytest.approx(math.log(2))


def test_acts_with_nothing_around_them_are_told_from_a_treatment() -> None:
    contents = "A new species of Aus, 1-9. Bus cus sp. nov. in Peru, 10-20."
    assert values(contents)["act without support"] > 0
    assert values(contents + " Holotype male.")["act without support"] == 0


def test_an_empty_text_has_no_markers() -> None:
    assert set(marker_values("")) == {0.0}


def test_every_marker_has_one_value() -> None:
    assert len(set(NAMES)) == len(NAMES) == len(marker_values("Aus bus sp. nov."))


def test_the_lexicon_holds_lower_case_words_parted_by_one_blank() -> None:
    for entries in (*PHRASES.values(), *WORDS.values()):
        assert len(set(entries)) == len(entries)
        for entry in entries:
            assert entry == " ".join(entry.lower().split())
            assert not set(entry) & set(".,;:()[]")


def test_a_text_without_an_act_a_type_or_a_treatment_has_no_evidence() -> None:
    prices = "Annals of Bat Systematics. Subscription: 40 euros, width of the page 21 cm."
    assert not has_evidence(marker_values(prices))
    assert has_evidence(marker_values("The holotype is an adult female."))
    assert has_evidence(marker_values("Pteropus fictus sp. nov."))
