"""What the JSON interface says of runs, documents and judgments (openapi.json)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taxocrawl.frontier.selection import All
from taxocrawl.runs.document_list import score_parts
from taxocrawl.seeds import PROVIDERS
from taxocrawl.web.document import origin_of, read_document
from taxocrawl.web.folders import run_folder, text_of
from taxocrawl.web.jobs import crawls
from taxocrawl.web.judgments import agreements, judged_documents
from taxocrawl.web.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from taxocrawl.runs.folder import RunFolder
    from taxocrawl.web.models import Assignment, Project, Run
    from taxocrawl.web.options import DeskOptions
    from taxocrawl.web.progress import Progress
    from taxocrawl.web.results import Columns, Listed

_LINES = ("queries", "seed_urls", "aspects")
"""Fields of the form that hold one entry a line, and here may be lists."""
_DOCUMENT = (
    *("content_hash", "url", "final_url", "kind", "title", "authors", "year", "doi", "language"),
    *("category", "confidence", "score", "page_score", "iteration", "depth", "referrer", "flags"),
)


def crawl_fields(body: Mapping[str, Any]) -> dict[str, Any]:
    """A new crawl as the form has it; what is not given is the form's default."""
    fields: dict[str, Any] = {
        "expand": "none",
        "scorer": "tfidf",
        "selection": All.name,
        "iterations": 2,
        "max_pages": 0,
        "providers": [] if body.get("seed_urls") else list(PROVIDERS),
        "page_filter": "none",
    }
    for name, value in body.items():
        lines = name in _LINES and isinstance(value, list)
        fields[name] = "\n".join(map(str, value)) if lines else value
    return fields


def run_record(run: Run, options: DeskOptions, *, progress: bool = False) -> dict[str, Any]:
    """A run, with its progress when asked for."""
    state = crawls.state_of(run, options)
    found: dict[str, Any] = {
        "id": run.pk,
        "title": run.title,
        "spider": run.spider,
        "topic": run.topic,
        "owner": run.owner.username if run.owner else None,
        "shared": run.shared,
        "created": run.created.isoformat(),
        "state": state.value,
        "problem": crawls.problem_of(run, options) if state is crawls.State.FAILED else "",
    }
    if progress:
        made = progress_of(run_folder(options.runs, run.folder))
        found["progress"] = _progress_record(made) if made else None
    return found


def _progress_record(progress: Progress) -> dict[str, Any]:
    tally = progress.tally
    names = ("iteration", "downloaded", "passed", "rejected", "failed", "harvest_rate")
    return {
        "iteration": progress.iteration,
        "states": dict(progress.states),
        "downloaded": tally.downloaded,
        "passed": tally.passed,
        "documents": progress.documents,
        "requests_a_minute": round(progress.clock.rate, 3),
        "iterations": [{name: row[name] for name in names} for row in progress.iterations],
        "not_exported": [
            {"reason": reason, "fate": fate, "pages": number}
            for fate, reason, number in progress.reasons
        ],
        "hosts": [
            {"host": host, "requests": one.fetched, "passed": one.passed, "failed": one.failed}
            for host, one in progress.hosts
        ],
    }


def columns_record(columns: Columns, way: tuple[str, float]) -> dict[str, Any]:
    """Both orders of a run's documents."""
    return {
        "method": way[0],
        "lambda": way[1],
        "found": columns.found,
        "total": columns.total,
        "aspects": dict(columns.aspects),
        "original": [_listed(one) for one in columns.original],
        "diversified": [_listed(one) for one in columns.diverse],
    }


def _listed(listed: Listed) -> dict[str, Any]:
    return {
        **document_record(listed.record),
        "place": listed.place,
        "first_place": listed.first_place,
        "aspect": listed.aspect,
        "snippet": listed.snippet,
    }


def document_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """What is public of a line of documents.jsonl."""
    return {name: record.get(name) for name in _DOCUMENT}


def whole_document(folder: RunFolder, record: Mapping[str, Any]) -> dict[str, Any]:
    """A document with its text, and what is known of it."""
    digest = str(record["content_hash"])
    found = read_document(folder, digest)
    origin = origin_of(folder, str(record["url"]))
    return {
        **document_record(record),
        "text": text_of(folder, digest),
        "names": [{"name": name, "mentions": number} for name, number in found.names],
        "acts": [{"kind": kind, "mentions": number} for kind, number in found.acts],
        "score_parts": dict(score_parts(origin.get("evidence"))),
        "source": str(origin.get("source") or ""),
        "referrers": list(origin.get("referrers") or ()),
    }


def project_record(project: Project) -> dict[str, Any]:
    """A project of judging."""
    return {
        "id": project.pk,
        "run": project.run_id,
        "topic": project.topic,
        "aspects": list(project.aspects),
        "overlap": project.overlap,
        "created": project.created.isoformat(),
    }


def judgments_record(project: Project, made: Iterable[Assignment]) -> dict[str, Any]:
    """A project with all its judgments, and what they say together."""
    judged = judged_documents([project])
    return {
        "project": project_record(project),
        "judgments": [_judgment(project.aspects, one) for one in made],
        "labels": {one.document: one.label.value for one in judged},
        "agreement": [
            {
                "question": one.question,
                "documents": one.documents,
                "cohen_kappa": one.cohen,
                "fleiss_kappa": one.fleiss,
            }
            for one in agreements(project, judged)
        ],
    }


def _judgment(aspects: Sequence[str], judgment: Assignment) -> dict[str, Any]:
    moment = judgment.judged_at
    return {
        "document": judgment.document,
        "annotator": judgment.annotator.username,
        "relevance": judgment.relevance,
        "aspects": [name for name, yes in zip(aspects, judgment.aspects, strict=False) if yes],
        "judged": moment.isoformat() if moment else None,
    }
