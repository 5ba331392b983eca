from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from taxocrawl.exceptions import InputFileError
from taxocrawl.score.linkmodel import LinkModel, make_link_model
from taxocrawl.score.links import LinkScore
from taxocrawl.score.pagetexts import PageTexts
from taxocrawl.score.recorded import RecordedModel

WORDS = ("whale ", "engine ", 'caf\u00e9 "bat"\n')
PARAMS = {"learned": {"every": 3, "least": 4, "exploration": 0.3}, "opic": {"every": 3}}


def made(name: str, path: Path) -> RecordedModel:
    model = make_link_model(name, PARAMS[name])
    assert model is not None
    return RecordedModel(model, path)


def tell(model: LinkModel, pages: range) -> list[dict[str, float]]:
    """Pages that link to later ones; the scores that each brings about."""
    answers = []
    for n in pages:
        rng = Random(n)
        links = [
            (f"p{to}", f"h{to % 2}", LinkScore(0, 0, rng.random(), rng.random(), rng.random()))
            for to in range(n + 1, n + 8)
        ]
        texts = PageTexts(rng.choice(WORDS) * 3, tuple(rng.choice(WORDS) for _ in links))
        answers.append(model.add_page(f"p{n}", rng.random(), links, [f"a{n}"], texts))
        if model.due:
            answers.append(model.rescore())
    return answers


@pytest.mark.parametrize("name", ["learned", "opic"])
def test_a_resumed_model_goes_on_as_if_never_interrupted(name: str, tmp_path: Path) -> None:
    whole = tell(made(name, tmp_path / "whole"), range(30))
    path = tmp_path / "cut"
    first = tell(made(name, path), range(17))
    path.write_bytes(path.read_bytes() + b'["p17", 0.5, [')  # killed while writing
    assert first + tell(made(name, path), range(17, 30)) == whole


def test_a_page_told_again_counts_once(tmp_path: Path) -> None:
    model = made("learned", tmp_path / "m")
    tell(model, range(5))
    lines = (tmp_path / "m").read_text()
    assert tell(made("learned", tmp_path / "m"), range(4, 5)) == [{}]
    assert (tmp_path / "m").read_text() == lines


@pytest.mark.parametrize(
    "line",
    [
        "x",
        "{}",
        '["p", 1]',
        '["p", 1, [], [], "x"]',
        '["p", 1, [], [], "x", 1]',
        '["p", 1, [["q", "h", {"no": 1}]], []]',
    ],
)
def test_another_file_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "m").write_text(f"{line}\n")
    with pytest.raises(InputFileError, match="line 1: expected what a link model was told"):
        made("learned", tmp_path / "m")
