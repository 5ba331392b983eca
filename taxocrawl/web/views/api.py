"""The desk as JSON, for programs: runs, results and judgments; starting and cancelling.

Described by openapi.json beside this package, which is served as well.
"""

from __future__ import annotations

import json
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from taxocrawl.exceptions import TaxocrawlError
from taxocrawl.web import api_records as records
from taxocrawl.web.aspects import text_model
from taxocrawl.web.folders import documents_of, find_new_runs, run_folder
from taxocrawl.web.forms.crawl import CrawlForm
from taxocrawl.web.forms.results import ResultsForm
from taxocrawl.web.jobs import crawls
from taxocrawl.web.models import Assignment, Project, Role
from taxocrawl.web.permissions import (
    account_of,
    needs,
    own_project,
    own_run,
    readable_run,
    readable_runs,
    run_of_document,
)
from taxocrawl.web.results import two_columns
from taxocrawl.web.views.documents import found_document
from taxocrawl.web.views.runs import aspects_of, resume, started_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

SCHEMA = Path(__file__).parents[1] / "openapi.json"
_LISTED = 500


class BodyError(ValueError):
    """A request whose body is not the JSON that is expected."""


def api(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view whose errors are answered in JSON."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except BodyError as error:
            return JsonResponse({"error": str(error)}, status=400)
        except TaxocrawlError as error:
            return JsonResponse({"error": str(error)}, status=409)

    return answered


@require_GET
def schema(request: HttpRequest) -> HttpResponse:
    """The description of this interface, in OpenAPI 3.1."""
    return HttpResponse(SCHEMA.read_bytes(), content_type="application/json")


@require_http_methods(["GET", "POST"])
@api
def runs(request: HttpRequest) -> HttpResponse:
    """The runs that may be read; with POST, a new one."""
    if request.method == "POST":
        return _start(request)
    options = settings.DESK
    find_new_runs(options.runs)
    found = readable_runs(account_of(request)).select_related("owner")[:_LISTED]
    return JsonResponse({"runs": [records.run_record(run, options) for run in found]})


@needs(Role.CURATOR)
def _start(request: HttpRequest) -> JsonResponse:
    form = CrawlForm(settings.DESK, records.crawl_fields(_body(request)))
    if not form.is_valid():
        errors = {name or "": list(map(str, said)) for name, said in form.errors.items()}
        return JsonResponse(
            {"error": "the crawl is not as it should be", "fields": errors}, status=422
        )
    run = started_run(form, account_of(request))
    return JsonResponse(records.run_record(run, settings.DESK), status=201)


@require_GET
@api
def run(request: HttpRequest, run_id: str) -> JsonResponse:
    """A run with its progress."""
    found = readable_run(request, run_id)
    return JsonResponse(records.run_record(found, settings.DESK, progress=True))


@require_POST
@api
def cancel(request: HttpRequest, run_id: str) -> JsonResponse:
    """Ask a crawl to end."""
    found = own_run(request, run_id)
    crawls.cancel(found, settings.DESK)
    return JsonResponse(records.run_record(found, settings.DESK))


@require_POST
@api
def resume_run(request: HttpRequest, run_id: str) -> JsonResponse:
    """Go on with a crawl that was interrupted."""
    found = own_run(request, run_id)
    resume(found)
    return JsonResponse(records.run_record(found, settings.DESK))


@require_GET
@api
def results(request: HttpRequest, run_id: str) -> JsonResponse:
    """A run's documents by their score and diversified."""
    found = readable_run(request, run_id)
    folder = run_folder(settings.DESK.runs, found.folder)
    documents, aspects = documents_of(folder), aspects_of(found)
    given = request.GET.dict()
    if "lambda" in given:
        given["lambda_"] = given.pop("lambda")
    form = ResultsForm(given, aspects, documents)
    if not form.is_valid():
        errors = {name: list(map(str, said)) for name, said in form.errors.items()}
        return JsonResponse({"error": "a parameter is wrong", "fields": errors}, status=422)
    model = text_model(settings.DESK.stopwords)
    length = form.value("length")
    columns = two_columns(folder, documents, aspects, model, form.filters, form.way, length)
    return JsonResponse(records.columns_record(columns, form.way))


@require_GET
@api
def document(request: HttpRequest, run_id: str, digest: str) -> JsonResponse:
    """One document with its text, names, acts and the parts of its score."""
    found = run_of_document(request, run_id, digest)
    folder, record = found_document(found.folder, digest)
    return JsonResponse(records.whole_document(folder, record))


@needs(Role.CURATOR)
@require_GET
@api
def projects(request: HttpRequest) -> JsonResponse:
    """The projects of judging that the account looks after."""
    account = account_of(request)
    everyones = {} if account.is_superuser else {"owner": account}
    found = Project.objects.filter(**everyones)[:_LISTED]
    return JsonResponse({"projects": [records.project_record(one) for one in found]})


@needs(Role.CURATOR)
@require_GET
@api
def judgments(request: HttpRequest, project_id: str) -> JsonResponse:
    """The judgments of a project, and its annotators' agreement."""
    project = own_project(request, project_id)
    made = Assignment.objects.filter(project=project, judged_at__isnull=False)
    return JsonResponse(records.judgments_record(project, made.select_related("annotator")))


def _body(request: HttpRequest) -> dict[str, Any]:
    """The object that a request has sent. Raises BodyError."""
    try:
        found = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise BodyError("the body is not JSON") from error
    if not isinstance(found, dict):
        raise BodyError("the body is not a JSON object")
    return found
