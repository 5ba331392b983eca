"""Precision and recall of the duplicate rules on the shared corpora, by threshold.

    python -m benchmarks.duplicates [SHARED]

Positive pairs: each real document beside altered copies of itself (other menus, misread letters,
hyphenation, a tail that is cut off), and each rendered page beside the JATS of the same article.
Negative pairs: all pairs of different documents, and species pages made from one template.
"""

from __future__ import annotations

import csv
import itertools
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from lxml import etree

from taxocrawl.classify.reading import read_documents
from taxocrawl.documents.duplicates import (
    FULL_TEXT_WORDS,
    MIN_NEAR_WORDS,
    NEAR,
    NEAR_STRICT,
    Fingerprint,
    fingerprint,
    resemblance,
    same_work,
)
from taxocrawl.items import Document, Kind

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MENU = (
    "Home About the journal Editorial board Instructions for authors Submit a manuscript Current"
    " issue Archive Subscribe Contact Log in Register Search Advanced search Cookies Privacy"
    " Follow us Share this article Download PDF Export citation Email alert Metrics Cited by"
).split()


@dataclass(frozen=True)
class Sample:
    """One document; those of one `work` are copies of each other."""

    work: str
    how: str
    marks: Fingerprint


def samples(shared: Path, every: int = 1) -> list[Sample]:
    """Real documents (each, or every so many), altered copies, JATS twins and template pages."""
    corpora = shared / "corpora"
    with (corpora / "index.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    readable = [row["path"] for row in rows if Path(row["path"]).suffix in (".html", ".pdf")]
    paths = readable[::every]
    found: list[Sample] = []
    for path, document in zip(
        paths, read_documents([corpora / path for path in paths]), strict=True
    ):
        if isinstance(document, Document) and len(document.text.split()) >= MIN_NEAR_WORDS:
            found += _copies(_work_of(path), document)
    for row in rows:
        if row["path"].endswith(".xml") and "jats" in row["path"]:
            found.append(_sample(_work_of(row["path"]), "jats", _jats(corpora / row["path"])))
    found += _template_pages(corpora / "facts")
    return found


# Page and PDF, or preview and article, of one work: seen by looking at what was found.
_SAME = {
    "docs/pdf/d0016.pdf": "docs/html/d0306.html",
    "docs/pdf/d0152.pdf": "docs/html/d0490.html",
    "docs/pdf/d0532.pdf": "docs/pdf/d0044.pdf",
}


def _work_of(path: str) -> str:
    # A rendered page and its JATS have the same number.
    path = _SAME.get(path, path)
    name = Path(path)
    return name.stem if name.parent.name in ("html_rendered", "jats") else path


def _sample(work: str, how: str, document: Document) -> Sample:
    return Sample(work, how, fingerprint(document, f"{work} {how}"))


def _copies(work: str, document: Document) -> Iterator[Sample]:
    dice = random.Random(work)
    words = document.text.split()
    bare = replace(document, doi="", title="", authors=(), year=None)
    altered = {
        "other menus": [*dice.choices(_MENU, k=40), *words, *dice.choices(_MENU, k=40)],
        "1 % misread": _misread(words, 0.01, dice),
        "3 % misread": _misread(words, 0.03, dice),
        "6 % misread": _misread(words, 0.06, dice),
        "hyphenated": _hyphenated(words, dice),
        "10 % cut": words[: int(0.9 * len(words))],
        "30 % cut": words[: int(0.7 * len(words))],
    }
    yield _sample(work, "original", document)
    for how, text in altered.items():
        yield _sample(work, how, replace(bare, text=" ".join(text)))


def _misread(words: list[str], share: float, dice: random.Random) -> list[str]:
    misread = list(words)
    for at in dice.sample(range(len(words)), int(share * len(words))):
        place = dice.randrange(len(words[at]))
        misread[at] = words[at][:place] + dice.choice(_LETTERS) + words[at][place + 1 :]
    return misread


def _hyphenated(words: list[str], dice: random.Random) -> list[str]:
    """A long word broken at the end of every other line of twelve words."""
    broken = list(words)
    for at in range(dice.randrange(24), len(words), 24):
        if len(broken[at]) > 6:
            broken[at] = f"{broken[at][:3]}- {broken[at][3:]}"
    return broken


def _jats(path: Path) -> Document:
    tree = etree.parse(path, etree.XMLParser(resolve_entities=False, recover=True))
    body = " ".join(
        " ".join(part.itertext()) for part in tree.iter("article-title", "abstract", "body")
    )
    return Document(kind=Kind.TEXT, text=body)


def _template_pages(facts: Path) -> Iterator[Sample]:
    """Pages of different species that differ in names, authors and years alone."""
    table = next(iter(sorted(facts.glob("mdd_*.csv"))), None)
    if table is None:
        return
    with table.open(encoding="utf-8", newline="") as file:
        for row in itertools.islice(csv.DictReader(file), 300):
            values = [value for value in row.values() if value]
            text = " ".join([*_MENU, *values, *_MENU[10:], _TEMPLATE, *values[:4]])
            yield _sample(f"species {values}", "template", Document(kind=Kind.HTML, text=text))


_TEMPLATE = (
    "This page is part of the checklist of bats. Scientific name authority and year of the original"
    " description are given as published. Type locality, distribution, habitat and conservation"
    " status are taken from the sources that are listed below. Corrections are welcome: please"
    " write to the editors. Data may be used under the terms of the licence when the source is"
    " named. Last change of this page: see the log of changes of the database."
)


def pairs(found: list[Sample]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of every pair of samples: resemblance, words of the shorter, and whether they are copies."""
    sketched = [sample for sample in found if sample.marks.sketch]
    matrix = np.stack([np.frombuffer(sample.marks.sketch, "<u4") for sample in sketched])
    words = np.array([sample.marks.words for sample in sketched])
    number: dict[str, int] = {}
    works = np.array([number.setdefault(sample.work, len(number)) for sample in sketched])
    first, second = np.triu_indices(len(sketched), 1)
    alike = np.concatenate(
        [(matrix[at] == matrix[at + 1 :]).mean(axis=1) for at in range(len(sketched) - 1)]
    )
    return alike, np.minimum(words[first], words[second]), works[first] == works[second]


def main() -> None:
    shared = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")
    found = samples(shared)
    alike, words, same = pairs(found)
    print(f"{len(found)} samples; resemblance alone, by the length of the shorter text:")
    print("words      threshold  precision %  recall %  wrong pairs")
    for least, below in ((MIN_NEAR_WORDS, FULL_TEXT_WORDS), (FULL_TEXT_WORDS, 10**9)):
        of_length = (words >= least) & (words < below)
        for threshold in (0.4, 0.5, NEAR, 0.7, 0.8, NEAR_STRICT):
            chosen = of_length & (alike >= threshold)
            right = (chosen & same).sum()
            print(
                f"from {least:<5} {threshold:9.2f}  {100 * right / max(1, chosen.sum()):11.2f}"
                f"  {100 * right / (of_length & same).sum():8.2f}  {chosen.sum() - right:11}"
            )
    _by_alteration(found)
    _wrong(found)


def _by_alteration(found: list[Sample]) -> None:
    originals = {sample.work: sample for sample in found if sample.how == "original"}
    print("\nagainst the original          pairs  found %  mean resemblance  share a band %")
    for how in dict.fromkeys(sample.how for sample in found):
        one = [(originals[s.work], s) for s in found if s.how == how and s.work in originals]
        if how == "original" or not one:
            continue
        hits = sum(bool(same_work(a.marks, b.marks)) for a, b in one)
        mean = np.mean([resemblance(a.marks.sketch, b.marks.sketch) for a, b in one])
        band = sum(bool({*a.marks.match_keys()} & {*b.marks.match_keys()}) for a, b in one)
        print(
            f"{how:28} {len(one):6} {100 * hits / len(one):8.1f} {mean:17.3f}"
            f" {100 * band / len(one):15.1f}"
        )


def _wrong(found: list[Sample]) -> None:
    """Different documents taken for copies, by kind."""
    real = [sample for sample in found if sample.how in ("original", "template")]
    wrong = [
        (one, other, how)
        for one, other in itertools.combinations(real, 2)
        if one.work != other.work and (how := same_work(one.marks, other.marks))
    ]
    print(f"\nwrong among {len(real)} different documents: {len(wrong)}")
    for one, other, how in wrong[:10]:
        print(" ", how, one.work[:60], "|", other.work[:60])


if __name__ == "__main__":
    main()
