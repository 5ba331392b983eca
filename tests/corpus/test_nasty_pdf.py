"""Every nasty PDF ends with text or a reason, and costs the documents behind it nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest

from taxocrawl.documents.pdf_pool import PdfPool
from taxocrawl.items import Document
from tests.documents import pdfs

REASONS = {
    "password",
    "malformed",
    "truncated",
    "time limit",
    "memory limit",
    "too large",
    "no text",
    "worker died",
}
BAT = "Pteropus vampyrus is redescribed from Borneo. The holotype is an adult female."

NASTY = {
    "p001.pdf": "malformed",
    "p002.pdf": "no text",
    "p004.pdf": "no text",
    "p005.pdf": "no text",
    "p007.pdf": "malformed",
    "p008.pdf": "password",
    "p012.pdf": "no text",
    "p015.pdf": "no text",
    "p018.pdf": "password",
    "p019.pdf": "password",
    "p020.pdf": "truncated",
    "p023.pdf": "no text",
    "p027.pdf": "no text",
    "p031.pdf": "password",
}
"""Reasons of those that do not give all their text."""


def read_all(paths: Iterable[Path], **options: object) -> dict[str, Document]:
    """The answers by file name, with a normal document behind each nasty one."""

    async def run() -> dict[str, Document]:
        async with PdfPool(workers=2, **options) as pool:

            async def read(path: Path) -> tuple[str, Document]:
                document = await pool.extract(path.read_bytes(), path.name)
                behind = await pool.extract(pdfs.bat(), f"behind {path.name}")
                assert folded(behind) == BAT, path.name
                return path.name, document

            return dict(await asyncio.gather(*map(read, sorted(paths))))

    return asyncio.run(run())


def folded(document: Document) -> str:
    return " ".join(document.text.split())


@pytest.fixture(scope="module")
def case_answers(cases: Path) -> dict[str, Document]:
    return read_all((cases / "files").glob("*.pdf"), timeout_seconds=8, memory_mb=512)


@pytest.fixture(scope="module")
def nasty_answers(corpora: Path) -> dict[str, Document]:
    return read_all((corpora / "nasty_pdf").glob("*.pdf"))


def test_each_nasty_file_has_its_reason(nasty_answers: dict[str, Document]) -> None:
    reasons = {name: document.reason for name, document in nasty_answers.items()}
    assert {name: reason for name, reason in reasons.items() if reason} == NASTY


def test_each_nasty_file_without_a_reason_has_text(nasty_answers: dict[str, Document]) -> None:
    assert len(nasty_answers) > 25
    for name, document in nasty_answers.items():
        assert document.reason or len(document.text) >= 8, name
        assert "\0" not in document.text, name


def test_text_is_kept_only_with_a_flag_when_there_is_a_reason(
    nasty_answers: dict[str, Document], case_answers: dict[str, Document]
) -> None:
    for name, document in {**nasty_answers, **case_answers}.items():
        assert document.reason in {"", *REASONS}, name
        assert not document.reason or not document.text or "partial" in document.flags, name


@pytest.mark.parametrize(
    "name", ["plain.pdf", "permonly.pdf", "permonly_r4.pdf", "circular.pdf", "prevloop.pdf"]
)
def test_readable_cases(name: str, case_answers: dict[str, Document]) -> None:
    document = case_answers[name]
    assert (folded(document), document.reason) == (BAT, "")


def test_a_page_tree_with_a_loop_is_read_once(case_answers: dict[str, Document]) -> None:
    assert folded(case_answers["pagesloop.pdf"]) == BAT


def test_locked(case_answers: dict[str, Document]) -> None:
    assert (case_answers["locked.pdf"].reason, case_answers["locked.pdf"].text) == ("password", "")


@pytest.mark.parametrize("name", ["multi_cut.pdf", "multi_html_tail.pdf"])
def test_cut(name: str, case_answers: dict[str, Document]) -> None:
    document = case_answers[name]
    assert document.reason == "truncated"
    assert {"partial", "truncated"} <= set(document.flags)
    assert "Page 1 of the revision of Pteropus." in document.text
    assert "Page 6 of the revision" not in document.text


def test_ligatures(case_answers: dict[str, Document]) -> None:
    assert folded(case_answers["ligature.pdf"]) == (
        "Myotis fimbriatus and Myotis capaccinii were classified; specific status confirmed."
    )


@pytest.mark.parametrize("name", ["sideways.pdf", "rotate.pdf", "upsidedown.pdf"])
def test_sideways(name: str, case_answers: dict[str, Document]) -> None:
    lines = case_answers[name].text.splitlines()
    assert "Pteropus vampyrus measurements in mm" in lines
    assert not [line for line in lines if len(line) == 1]


def test_hostile_cases(case_answers: dict[str, Document]) -> None:
    assert case_answers["bomb.pdf"].reason in {"memory limit", "too large"}
    assert case_answers["doubling.pdf"].reason in {"malformed", "time limit"}
    assert case_answers["slowflate.pdf"].reason in {"", "no text", "time limit"}


def test_normal_pdfs_are_whole(corpora: Path) -> None:
    answers = read_all((corpora / "docs" / "pdf").glob("d01*.pdf"))
    assert len(answers) > 10
    assert {name for name, document in answers.items() if document.reason} == set()
    assert min(len(document.text) for document in answers.values()) > 1000
