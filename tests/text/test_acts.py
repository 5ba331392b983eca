from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxocrawl.text.acts import find_acts, find_markers


def kinds(text: str) -> list[str]:
    return [act.kind for act in find_acts(text)]


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("Pentademo corticola nov. gen., nov. spec.", ["new genus", "new species"]),
        ("Marasmius demo Kovač, nom. nov.", ["replacement name"]),
        ("Myotis demo n. sp.", ["new species"]),
        ("comb. nov.", ["new combination"]),
        ("stat. rev.", ["revised status"]),
        ("espécie nova", ["new species"]),
        ("especie nueva", ["new species"]),
        ("espèce nouvelle", ["new species"]),
        ("neue Art", ["new species"]),
        ("syn. nov.", ["new synonym"]),
    ],
)
def test_wordings_of_the_case(text: str, acts: list[str]) -> None:
    assert kinds(text) == acts


@pytest.mark.parametrize(
    "text",
    [
        "sp. nov.", "nov. sp.", "n. sp.", "nov. spec.", "spec. nov.", "sp. n.", "sp.nov.", "n.sp.",
        "sp.n.", "spp. nov.", "Sp. nov.", "SP. NOV.", "Spec. Nov.", "N. SP.", "sp nov", "sp.\nnov.",
        "sp. nova", "species nova", "nova species", "Aus bus n. sp. = Aus cus", "sp. n. (Figs 1-3)",
        "a new species of Aus", "Aus bus, new species", "New species", "two new species",
        "Descriptions of new species", "nueva especie", "novas espécies", "nouvelles espèces",
        "neuer Arten", "nuova specie", "nieuwe soort", "новый вид", "yeni bir tür", "nowy gatunek",
        "新种", "新種",
    ],
)  # fmt: skip
def test_every_wording_of_a_new_species(text: str) -> None:
    assert kinds(text) == ["new species"]


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("sp. et gen. nov.", ["new species", "new genus"]),
        ("gen. et sp. nov.", ["new genus", "new species"]),
        ("gen. & sp. nov.", ["new genus", "new species"]),
        ("gen. n., sp. n.", ["new genus", "new species"]),
        ("n. gen. et n. sp.", ["new genus", "new species"]),
        ("n. g., n. sp.", ["new genus", "new species"]),
        ("comb. et stat. nov.", ["new combination", "new status"]),
        ("new genus and species", ["new genus", "new species"]),
        ("new genus and three new species", ["new genus", "new species"]),
    ],
)
def test_wordings_of_two_acts_have_one_span_or_two(text: str, acts: list[str]) -> None:
    assert kinds(text) == acts


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("comb. n.", "new combination"), ("n. comb.", "new combination"),
        ("new combinations", "new combination"), ("combinatio nova", "new combination"),
        ("nueva combinación", "new combination"), ("新组合", "new combination"),
        ("stat. nov.", "new status"), ("stat. n.", "new status"), ("stat. rest.", "revised status"),
        ("comb. rev.", "revised combination"), ("n. syn.", "new synonym"),
        ("nueva sinonimia", "new synonym"), ("new synonymy", "new synonym"),
        ("nomen novum", "replacement name"), ("new replacement name", "replacement name"),
        ("nom nouveau", "replacement name"), ("subsp. nov.", "new subspecies"),
        ("ssp. n.", "new subspecies"), ("sous-espèce nouvelle", "new subspecies"),
        ("var. nov.", "new variety"), ("f. nov.", "new form"), ("subgen. nov.", "new subgenus"),
        ("gen. nov.", "new genus"), ("genus novum", "new genus"), ("género nuevo", "new genus"),
        ("neue Gattung", "new genus"), ("fam. nov.", "new family"), ("trib. nov.", "new tribe"),
        ("ord. nov.", "new order"), ("gen. emend.", "emended diagnosis"),
        ("emended diagnosis", "emended diagnosis"),
        ("lectotype here designated", "type designation"),
    ],
)  # fmt: skip
def test_other_acts(text: str, kind: str) -> None:
    assert kinds(text) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "Pteropus sp. Nov. 2019", "a novel species concept", "sp. novel", "Myotis sp. November",
        "Pteropus sp., 12 Nov. 2019", "Pteropus sp. nov. 2019", "May-Nov. sp. 3", "Nov. sp. 3",
        "Myotis sp. n = 12", "Myotis sp. n. = 12", "Myotis sp n", "N. sp.", "Nyctalus sp.",
        "species n. 5", "5 g n", "sp. novus-like", "Art Nouveau", "casanova especie",
        "new species records", "new species concept", "new species-level", "arrival of new species",
        "many new species", "a new family of genes", "renew species", "neue Arbeit", "",
    ],
)  # fmt: skip
def test_look_alikes_are_no_acts(text: str) -> None:
    assert kinds(text) == []


def test_spans_and_verbatim_text() -> None:
    (act,) = find_acts("İ Myotis demo Sp. Nov. is")
    assert (act.verbatim, act.start, act.end) == ("Sp. Nov.", 14, 22)


pieces = st.lists(
    st.sampled_from(["sp.", "nov.", "n.", "gen.", "et", "new", "species", "neue", "Art", "İ",
                     "2019", "Nov.", "新", "种", ",", "=", "\n", "of"]),
    max_size=25,
)  # fmt: skip


@given(st.one_of(st.text(), pieces.map(" ".join), pieces.map("".join)))
def test_acts_come_in_order_with_their_text(text: str) -> None:
    acts = find_acts(text)
    assert [act.start for act in acts] == sorted(act.start for act in acts)
    assert all(act.verbatim == text[act.start : act.end] != "" for act in acts)


def test_parts_of_a_treatment_are_counted() -> None:
    text = (
        "Diagnosis. Small.\nDescription of it.\nType locality. Java.\nHolotype male, paratypes 3.\n"
        "Etymology. From Latin. http://zoobank.org/1\nMaterial examined. One.\n"
        "The diagnosis is hard."
    )
    assert find_markers(text) == {
        "diagnosis": 1, "description": 1, "type locality": 1, "holotype": 1, "other types": 1,
        "etymology": 1, "zoobank": 1, "material examined": 1,
    }  # fmt: skip
    assert find_markers("A crawl of the web.") == {}
