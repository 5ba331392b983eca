"""`scrapy train`, `classify` and `evaluate classifier` as a user runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.classify.corpus import OTHER, TAXONOMIC

ROOT = Path(__file__).resolve().parents[2]


def scrapy(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "scrapy", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def page(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(
        f"<html><head><title>{name}</title></head><body><p>{text}</p></body></html>",
        encoding="utf-8",
    )
    return name


@pytest.fixture
def index(tmp_path: Path) -> Path:
    lines = ["path,label,kind"]
    for label, texts in (("taxonomic", TAXONOMIC), ("non-taxonomic", OTHER)):
        lines += [
            f"{page(tmp_path, f'{label}{n}.html', text)},{label},html"
            for n, text in enumerate(texts)
        ]
    path = tmp_path / "INDEX.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def train(index: Path, *more: object) -> subprocess.CompletedProcess[str]:
    return scrapy(
        "train", "--index", index, "--kind", "html", "--out", index.parent / "model", *more
    )


def test_without_an_index_nothing_is_trained(tmp_path: Path) -> None:
    wanted = ["--kind", "html", "--algorithm", "rocchio", "--out", tmp_path / "model"]
    done = scrapy("train", *wanted)
    assert (done.returncode, "--from-desk" in done.stderr) == (2, True)
    done = scrapy("train", "--from-desk", *wanted, "-s", f"DESK_DIR={tmp_path / 'desk'}")
    assert done.returncode == 2
    assert done.stderr.endswith("--from-desk: no document was judged at the desk so far\n")


def test_a_model_is_trained_measured_and_used(index: Path) -> None:
    done = train(index, "--algorithm", "rocchio")
    assert done.returncode == 0, done.stderr
    assert "5-fold cross-validation: accuracy" in done.stdout
    model = index.parent / "model"
    assert {path.name for path in model.iterdir()} == {"model.json", "MODEL.md"}
    card = (model / "MODEL.md").read_text()
    for needed in ("8 taxonomic", "8 non-taxonomic", "SHA-256", "Licence", "accuracy"):
        assert needed in card
    (index.parent / "gone.csv").write_text(
        index.read_text() + "gone.html,taxonomic,html\nx.html,borderline,html\n"
    )
    measured = scrapy(
        "evaluate", "classifier", "--index", index.parent / "gone.csv", "--model", model, "--json"
    )
    assert measured.returncode == 1
    assert measured.stderr.count("\n") == 1
    assert "gone.html" in measured.stderr
    figures = json.loads(measured.stdout)
    assert (figures["tp"] + figures["fn"], figures["fp"] + figures["tn"]) == (8, 8)
    assert (figures["borderline"], figures["unreadable"]) == (1, 1)
    allowed = scrapy(
        "evaluate", "classifier", "--index", index.parent / "gone.csv", "--model", model,
        "--allow-missing",
    )  # fmt: skip
    assert allowed.returncode == 0
    assert "non-taxonomic" in allowed.stdout


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["taxonomic"] * 20, ["column label", "'taxonomic'", "20 rows"]),
        (["Taxonomic", "taxonomic "] * 10, ["column label", "'taxonomic'", "20 rows"]),
        (["taxonomic"] * 19 + ["non-taxonomic"], ["5 folds", "19 taxonomic", "1 non-taxonomic"]),
    ],
)
@pytest.mark.parametrize("algorithm", ["rocchio", "svm"])
def test_cls03_training_is_refused_and_the_old_model_stays(
    tmp_path: Path, labels: list[str], words: list[str], algorithm: str
) -> None:
    index = tmp_path / "INDEX.csv"
    rows = [
        f"{page(tmp_path, f'd{n}.html', 'text')},{label},html" for n, label in enumerate(labels)
    ]
    index.write_text("path,label,kind\n" + "\n".join(rows) + "\n")
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "model.json").write_text("the old one")
    done = train(index, "--algorithm", algorithm)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    for word in (str(index), *words):
        assert word in done.stderr
    assert [path.name for path in (tmp_path / "model").iterdir()] == ["model.json"]
    assert (tmp_path / "model" / "model.json").read_text() == "the old one"


def test_a_missing_document_stops_training(index: Path) -> None:
    index.write_text(index.read_text() + "gone.html,taxonomic,html\n")
    done = train(index, "--algorithm", "rocchio")
    assert done.returncode == 2
    assert "gone.html" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (index.parent / "model").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--index", "none.csv", "--kind", "html", "--algorithm", "svm", "--out", "m"],
        ["--index", "README.md", "--kind", "html", "--algorithm", "svm", "--out", "m"],
        ["--kind", "html", "--algorithm", "svm", "--out", "m"],
        ["--index", "x.csv", "--kind", "gif", "--algorithm", "svm", "--out", "m"],
        ["--index", "x.csv", "--kind", "pdf", "--algorithm", "svm", "--out", "m", "--folds", "1"],
    ],
)
def test_wrong_arguments_end_with_code_2(arguments: list[str]) -> None:
    done = scrapy("train", *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_files_are_classified_and_a_missing_one_is_told(tmp_path: Path) -> None:
    good = tmp_path / page(tmp_path, "a.html", TAXONOMIC[0])
    done = scrapy("classify", "--json", good, tmp_path / "none.pdf")
    assert done.returncode == 2
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["category"] == "taxonomic"
    assert 0.5 <= first["confidence"] <= 1
    assert "none.pdf" in second["error"]
    assert done.stderr.count("\n") == 1


def test_a_broken_model_is_one_line(tmp_path: Path) -> None:
    good = tmp_path / page(tmp_path, "a.html", TAXONOMIC[0])
    done = scrapy("classify", good, "-s", f"CLASSIFIER_HTML={tmp_path / 'none'}")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "none" in done.stderr
