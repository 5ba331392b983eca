"""A run's documents: in two columns, one by one, and their stored copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from taxocrawl.runs.document_list import score_parts
from taxocrawl.web.aspects import text_model
from taxocrawl.web.document import origin_of, read_document
from taxocrawl.web.folders import document_of, documents_of, run_folder, stored_copy, text_of
from taxocrawl.web.forms.results import ResultsForm
from taxocrawl.web.jobs import crawls
from taxocrawl.web.models import Role
from taxocrawl.web.permissions import account_of, readable_run, readable_runs, run_of_document
from taxocrawl.web.results import two_columns
from taxocrawl.web.security import SANDBOXED
from taxocrawl.web.views.runs import aspects_of

if TYPE_CHECKING:
    from typing import Any

    from django.http import HttpRequest

    from taxocrawl.runs.folder import RunFolder


@require_GET
def results(request: HttpRequest, run_id: str) -> HttpResponse:
    """A run's documents by their score and diversified (METU 5.5)."""
    run = readable_run(request, run_id)
    folder = run_folder(settings.DESK.runs, run.folder)
    records, aspects = documents_of(folder), aspects_of(run)
    form = ResultsForm(request.GET.dict(), aspects, records)
    columns = two_columns(
        folder,
        records,
        aspects,
        text_model(settings.DESK.stopwords),
        form.filters,
        form.way,
        form.value("length"),
    )
    account = account_of(request)
    context = {
        "section": "runs",
        "run": run,
        "state": crawls.state_of(run, settings.DESK),
        "form": form,
        "columns": columns,
        "aspects": aspects,
        "owns": account.may(Role.CURATOR) and (account.is_superuser or run.owner_id == account.pk),
    }
    return render(request, "desk/results.html", context)


@require_GET
def document(request: HttpRequest, run_id: str, digest: str) -> HttpResponse:
    """One document: its text with names and acts, its score's parts, and why it was fetched."""
    run = run_of_document(request, run_id, digest)
    folder, record = found_document(run.folder, digest)
    origin = origin_of(folder, str(record["url"]))
    context = {
        "section": "runs",
        "run": run,
        "record": record,
        "found": read_document(folder, digest),
        "origin": origin,
        "parts": score_parts(origin.get("evidence")),
        "has_copy": stored_copy(folder, record) is not None,
        "may_read_run": readable_runs(account_of(request)).filter(pk=run.pk).exists(),
    }
    return render(request, "desk/document.html", context)


@require_GET
def document_text(request: HttpRequest, run_id: str, digest: str) -> HttpResponse:
    """The whole extracted text, as plain text."""
    run = run_of_document(request, run_id, digest)
    folder, _ = found_document(run.folder, digest)
    response = HttpResponse(text_of(folder, digest), content_type="text/plain; charset=utf-8")
    response["Content-Security-Policy"] = SANDBOXED
    return response


@require_GET
def document_copy(request: HttpRequest, run_id: str, digest: str) -> FileResponse:
    """The bytes as they were downloaded: a file to keep, never a page of the desk."""
    run = run_of_document(request, run_id, digest)
    folder, record = found_document(run.folder, digest)
    path = stored_copy(folder, record)
    if path is None:
        raise Http404
    response = FileResponse(
        path.open("rb"),
        as_attachment=True,
        filename=f"{digest[:16]}{path.suffix}",
        content_type="application/octet-stream",
    )
    response["Content-Security-Policy"] = SANDBOXED
    return response


def found_document(name: str, digest: str) -> tuple[RunFolder, dict[str, Any]]:
    """The run's folder and the document's record. Raises Http404."""
    folder = run_folder(settings.DESK.runs, name)
    record = document_of(folder, digest)
    if record is None:
        raise Http404
    return folder, record
