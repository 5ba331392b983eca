"""What a project's judgments say together: agreement, truth, qrels, a training index."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from taxocrawl.evaluate.agreement import cohen_kappa, consensus, fleiss_kappa
from taxocrawl.evaluate.truth import Label
from taxocrawl.exceptions import ArgumentError
from taxocrawl.items import Category, Kind
from taxocrawl.rerank.trec import Judgement
from taxocrawl.runs.folder import write_atomically
from taxocrawl.web.folders import documents_of, run_folder, stored_copy
from taxocrawl.web.models import Assignment, Project

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from pathlib import Path

TOPIC_ID = "1"
"""The topic of a project in qrels: it has one."""
WHOLE = "0"
"""Subtopic that stands for the topic as a whole, in qrels of a project without aspects."""
_CATEGORIES = {
    Label.RELEVANT: Category.TAXONOMIC.value,
    Label.OTHER: Category.NON_TAXONOMIC.value,
    Label.BORDERLINE: "borderline",
}
_KINDS = {Kind.TEXT.value: "txt"}


@dataclass(frozen=True, slots=True)
class Judged:
    """One document with what its annotators say."""

    document: str
    judgments: Sequence[Assignment]

    @property
    def label(self) -> Label:
        """What more than half say; borderline when they disagree."""
        return consensus([Label(one.relevance) for one in self.judgments], Label.BORDERLINE)

    def has_aspect(self, number: int) -> bool:
        """Whether more than half say that it is relevant to an aspect."""
        return consensus([_says(one, number) for one in self.judgments], False)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on one question; kappas are None where they are not defined."""

    question: str
    documents: int
    """With judgments of more than one annotator."""
    cohen: float | None
    """Where all of these are of the same two annotators."""
    fleiss: float | None


def judged_documents(projects: Iterable[Project]) -> list[Judged]:
    """The documents of projects that somebody has judged, in the order of their projects."""
    found: dict[str, list[Assignment]] = defaultdict(list)
    for one in Assignment.objects.filter(
        project__in=list(projects), judged_at__isnull=False
    ).order_by("project__created", "position", "annotator__username"):
        found[one.document].append(one)
    return [Judged(document, judgments) for document, judgments in found.items()]


def agreements(project: Project, judged: Sequence[Judged]) -> list[Agreement]:
    """Agreement on the topic and on each aspect."""
    rows = [_agreement("the topic", judged, lambda one: one.relevance)]
    for number, name in enumerate(project.aspects):
        rows.append(_agreement(name, judged, lambda one, n=number: _says(one, n)))  # type: ignore[misc]
    return rows


def truth_csv(judged: Sequence[Judged], urls: Mapping[str, str]) -> str:
    """A truth file (`scrapy evaluate crawl --truth`): url, label, number of judgments."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("url", "label", "judgments"))
    for one in judged:
        if one.document in urls:
            writer.writerow((urls[one.document], one.label.value, len(one.judgments)))
    return text.getvalue()


def qrels(project: Project, judged: Sequence[Judged]) -> list[Judgement]:
    """Judgements of documents by their hash, borderline documents left out.

    The subtopics are the aspects, from 1 in the order of the project; without aspects the topic
    as a whole is subtopic `WHOLE`.
    """
    rows = []
    for one in judged:
        if one.label is Label.BORDERLINE:
            continue
        if not project.aspects:
            rows.append(Judgement(TOPIC_ID, WHOLE, one.document, int(one.label is Label.RELEVANT)))
        for number in range(len(project.aspects)):
            relevance = int(one.label is Label.RELEVANT and one.has_aspect(number))
            rows.append(Judgement(TOPIC_ID, str(number + 1), one.document, relevance))
    return rows


def format_qrels(rows: Iterable[Judgement]) -> str:
    """A qrels file: topic, subtopic, document, judgment."""
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def training_rows(projects: Iterable[Project], runs: Path) -> str:
    """An index for `scrapy train` of all documents that were judged in these projects.

    Columns path, label, kind, title, source_repo; the paths are those of stored copies. A document
    that was judged in several projects has the label that all its judgments make.
    """
    projects = list(projects)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("path", "label", "kind", "title", "source_repo"))
    found = _stored(projects, runs)
    for judged in judged_documents(projects):
        if judged.document in found:
            path, record = found[judged.document]
            kind = _KINDS.get(str(record["kind"]), str(record["kind"]))
            title = " ".join(str(record.get("title") or "").split())
            writer.writerow((str(path), _CATEGORIES[judged.label], kind, title, "desk"))
    return text.getvalue()


def write_training_index(path: Path, runs: Path) -> None:
    """Write the index of all projects on the built-in topic.

    Raises ArgumentError when nothing was judged, StorageError when it cannot be written.
    """
    rows = training_rows(Project.objects.filter(run__topic=""), runs)
    if rows.count("\n") < 2:
        raise ArgumentError("--from-desk: no document was judged at the desk so far")
    write_atomically(path, rows.encode())


def _stored(projects: Iterable[Project], runs: Path) -> dict[str, tuple[Path, dict[str, Any]]]:
    """Where the documents of the projects' runs are, with their records, by hash."""
    found: dict[str, tuple[Path, dict[str, Any]]] = {}
    for name in dict.fromkeys(project.run.folder for project in projects):
        folder = run_folder(runs, name)
        for record in documents_of(folder):
            path = stored_copy(folder, record)
            if path is not None:
                found.setdefault(str(record["content_hash"]), (path.absolute(), record))
    return found


def _agreement(
    question: str, judged: Sequence[Judged], answer: Callable[[Assignment], Hashable]
) -> Agreement:
    shared = [one.judgments for one in judged if len(one.judgments) > 1]
    pairs = {tuple(one.annotator_id for one in judgments) for judgments in shared}
    same_two = len(pairs) == 1 and len(next(iter(pairs))) == 2
    labels = [[answer(one) for one in judgments] for judgments in shared]
    return Agreement(
        question,
        len(shared),
        cohen_kappa((one, other) for one, other in labels) if same_two else None,
        fleiss_kappa(labels),
    )


def _says(judgment: Assignment, number: int) -> bool:
    """Whether a judgment holds its document relevant to an aspect."""
    return number < len(judgment.aspects) and bool(judgment.aspects[number])
