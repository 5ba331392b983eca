"""Run folders as a crawl leaves them, made without one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from taxocrawl.frontier.base import Candidate, Outcome, State
from taxocrawl.frontier.selection import Top
from taxocrawl.frontier.sqlite import SqliteFrontier
from taxocrawl.items import Kind
from taxocrawl.runs.folder import RunFolder, content_hash


@dataclass
class Doc:
    """One exported document."""

    title: str
    text: str = "Abstract. Pteropus exemplaris sp. nov. is described from Specimen Island."
    kind: Kind = Kind.HTML
    body: bytes = b""
    year: int | None = 2016
    score: float = 0.5
    confidence: float = 0.9
    category: str = "taxonomic"
    aspects: Mapping[str, float] = field(default_factory=dict)
    """Cosine to each aspect as a crawl over aspects measures it."""
    final_url: str = ""


BATS = [
    Doc("A new flying fox", "Pteropus exemplaris sp. nov. A flying fox from an island.", score=0.9),
    Doc("A flying fox, again", "Pteropus exemplaris sp. nov. A flying fox there.", score=0.8),
    Doc(
        "Viruses of bats",
        "Henipavirus in the blood of horses.",
        Kind.PDF,
        year=2001,
        score=0.7,
        confidence=0.55,
    ),
    Doc("Caves and tourists", "A cave with many visitors.", year=None, score=0.6, category=""),
]


def digest_of(document: Doc) -> str:
    return content_hash(document.body or document.title.encode())


def make_run(
    runs: Path, name: str, documents: Sequence[Doc] = BATS, outcome: str = "iterations done"
) -> RunFolder:
    """A run's folder with these documents and one page that was dropped."""
    folder = RunFolder(runs / name)
    folder.create()
    frontier = SqliteFrontier(folder.frontier)
    pages = [*documents, None]
    frontier.push(
        [
            Candidate(
                f"http://journal.example/article/{number}",
                0.9,
                source="seed:crossref",
                evidence={"rank": 1},
            )
            for number in range(len(pages))
        ],
        -1,
    )
    frontier.select(Top(len(pages)), 0)
    for number, document in enumerate(pages):
        entry = frontier.pop()
        assert entry is not None
        fetch = {
            "time": f"2026-11-28T10:0{number % 10}:00.000+00:00",
            "url": entry.url,
            "final_url": entry.url,
            "status": 200,
            "kind": "html",
            "category": "taxonomic" if document else "non-taxonomic",
            "confidence": 0.9,
            "iteration": 0,
            "reason": "" if document else "non-taxonomic",
            "aspects": dict(document.aspects) if document else {},
        }
        record = _record(folder, document, entry.url) if document else None
        frontier.settle(Outcome(entry.id, State.DONE, fetch=fetch, document=record))
    frontier.set_meta("iteration", 0)
    frontier.close()
    info = {
        "spider": "taxonomic",
        "arguments": {"query": "Pteropus"},
        "queries": ["Pteropus"],
        "starts": ["2026-11-28T10:00:00+00:00"],
        "outcome": outcome,
        "versions": {"taxocrawl": "1"},
        "aspects": sorted({name for document in documents for name in document.aspects}),
    }
    folder.info.write_text(json.dumps(info), encoding="utf-8")
    return folder


def _record(folder: RunFolder, document: Doc, url: str) -> dict[str, object]:
    digest = digest_of(document)
    path = folder.store(
        digest, document.kind, document.body or document.title.encode(), document.text
    )
    return {
        "url": url,
        "final_url": document.final_url or url,
        "kind": document.kind.value,
        "title": document.title,
        "authors": ["Ada M. Probst"],
        "year": document.year,
        "doi": "",
        "language": "en",
        "category": document.category or None,
        "confidence": document.confidence,
        "score": 0.9,
        "page_score": document.score,
        "iteration": 0,
        "depth": 0,
        "referrer": "",
        "content_hash": digest,
        "path": path,
        "flags": [],
    }
