"""A topic's aspects as they stand in its folder, and the topics that ship."""

from __future__ import annotations

from pathlib import Path

import pytest

from taxocrawl.exceptions import InputFileError
from taxocrawl.seeds.file import FileSeeds
from taxocrawl.settings import GOLDSTANDARD_DIR
from taxocrawl.topic import SEEDS_FILE, read_aspects, read_goldstandard


def _topic(folder: Path, **aspects: str) -> Path:
    (folder / "aspects").mkdir()
    for name, text in aspects.items():
        (folder / "aspects" / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def test_aspects_by_name_without_comments(tmp_path: Path) -> None:
    read = read_aspects(_topic(tmp_path, range="# where\n\nisland\ncave\n", fruit_diet="figs"))
    assert [(a.name, a.label, a.phrases) for a in read.found] == [
        ("fruit_diet", "fruit diet", "figs"),
        ("range", "range", "island\ncave"),
    ]
    assert read.remarks == ()


def test_no_folder_and_no_file_are_no_aspects(tmp_path: Path) -> None:
    expected = (f"{tmp_path / 'aspects'}: no aspects (expected files <aspect>.txt)",)
    assert (read_aspects(tmp_path).found, read_aspects(tmp_path).remarks) == ((), expected)
    assert read_aspects(_topic(tmp_path)).remarks == expected


def test_an_empty_aspect_is_left_out_and_one_alone_is_remarked(tmp_path: Path) -> None:
    read = read_aspects(_topic(tmp_path, diet="# none yet\n\n", range="island"))
    assert [aspect.name for aspect in read.found] == ["range"]
    folder = tmp_path / "aspects"
    assert read.remarks == (
        f"{folder / 'diet.txt'}: no phrases, the aspect is left out",
        f"{folder}: range is the only aspect: there is nothing to balance",
    )


def test_the_same_phrases_twice_are_remarked(tmp_path: Path) -> None:
    read = read_aspects(_topic(tmp_path, diet="figs nectar", food="nectar\nfigs", range="cave"))
    assert len(read.found) == 3
    assert [remark.partition(": ")[2] for remark in read.remarks] == [
        "the same phrases as of diet: the two cannot be told apart"
    ]


def test_a_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    _topic(tmp_path)
    (tmp_path / "aspects" / "diet.txt").write_bytes(b"\xff\xfe\x00caf\xe9")
    with pytest.raises(InputFileError, match=r"diet\.txt: expected phrases of an aspect"):
        read_aspects(tmp_path)


@pytest.mark.parametrize(
    ("topic", "names"),
    [
        ("covid-19", ["economic", "prevention", "research", "symptoms", "vaccine"]),
        (
            "bats",
            ["conservation", "distribution", "ecology", "morphology", "phylogeny", "taxonomy"],
        ),
    ],
)
def test_topics_that_ship_have_distinct_aspects(topic: str, names: list[str]) -> None:
    folder = GOLDSTANDARD_DIR / topic
    read = read_aspects(folder)
    assert [aspect.name for aspect in read.found] == names
    assert read.remarks == ()
    assert all(len(set(aspect.phrases.split())) >= 30 for aspect in read.found)
    assert read_goldstandard(folder / "topic.txt")


def test_the_documents_phrases_and_seeds_of_covid_19() -> None:
    """METU tables A.2-A.6 print 102, 138, 132, 216 and 208 words; listing A.1 has 20 URLs."""
    found = read_aspects(GOLDSTANDARD_DIR / "covid-19").found
    assert [len(a.phrases.split()) for a in found] == [102, 138, 132, 216, 208]
    seeds = FileSeeds(GOLDSTANDARD_DIR / "covid-19" / SEEDS_FILE)
    assert not seeds.bad_lines
    assert len(seeds) == 20
