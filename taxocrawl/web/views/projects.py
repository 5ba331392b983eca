"""Projects of judging: a new one, how far it is, how far its annotators agree, its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from taxocrawl.exceptions import TaxocrawlError
from taxocrawl.topic import Aspect
from taxocrawl.web.annotation import assign, in_order, model_names
from taxocrawl.web.aspects import as_lines, text_model
from taxocrawl.web.folders import documents_of, run_folder
from taxocrawl.web.forms import posted
from taxocrawl.web.forms.annotation import ProjectForm
from taxocrawl.web.judgments import (
    agreements,
    format_qrels,
    judged_documents,
    qrels,
    training_rows,
    truth_csv,
)
from taxocrawl.web.models import Assignment, Project, Role
from taxocrawl.web.permissions import account_of, needs, own_project, readable_run
from taxocrawl.web.project_figures import measured
from taxocrawl.web.views.runs import aspects_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

    from taxocrawl.web.models import Run


@needs(Role.CURATOR)
@require_http_methods(["GET", "POST"])
def new_project(request: HttpRequest, run_id: str) -> HttpResponse:
    """The form that gives a run's documents to annotators."""
    run = readable_run(request, run_id)
    options = settings.DESK
    folder = run_folder(options.runs, run.folder)
    records = documents_of(folder)
    initial = {
        "topic": run.title,
        "aspects": as_lines(Aspect(one.name, one.name) for one in aspects_of(run)),
        "annotators": [str(account_of(request).pk)],
    }
    form = ProjectForm(
        posted(request),
        initial=initial,
        documents=len(records),
        models=model_names(options.models),
    )
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        model = options.models / given["model"] if given["model"] else None
        try:
            ordered = in_order(folder, records, given["order"], model)
        except TaxocrawlError as error:
            form.add_error("model", str(error))
        else:
            documents = [str(record["content_hash"]) for record in ordered[: given["number"]]]
            return redirect("project", _made(run, request, given, documents).pk)
    context = {"section": "annotation", "run": run, "form": form, "documents": len(records)}
    return render(request, "desk/new_project.html", context, status=422 if form.errors else 200)


@needs(Role.CURATOR)
@require_GET
def project_page(request: HttpRequest, project_id: str) -> HttpResponse:
    """How far a project is, the annotators' agreement, and what its judgments say."""
    project = own_project(request, project_id)
    judged = judged_documents([project])
    folder = run_folder(settings.DESK.runs, project.run.folder)
    people = (
        Assignment.objects.filter(project=project)
        .values("annotator__username")
        .annotate(given=Count("pk"), done=Count("pk", filter=Q(judged_at__isnull=False)))
        .order_by("annotator__username")
    )
    assigned = Assignment.objects.filter(project=project).values("document").distinct().count()
    context = {
        "section": "annotation",
        "project": project,
        "people": people,
        "documents": assigned,
        "judged": judged,
        "labels": _counted(judged),
        "agreements": agreements(project, judged),
        "figures": measured(
            project,
            folder,
            judged,
            aspects_of(project.run),
            text_model(settings.DESK.stopwords),
        ),
    }
    return render(request, "desk/project.html", context)


@needs(Role.CURATOR)
@require_POST
def delete_project(request: HttpRequest, project_id: str) -> HttpResponse:
    """Remove a project with its judgments."""
    own_project(request, project_id).delete()
    return redirect("tasks")


@needs(Role.CURATOR)
@require_GET
def export_truth(request: HttpRequest, project_id: str) -> HttpResponse:
    """The judgments as a truth file."""
    return _file(request, project_id, "truth.csv", _truth)


@needs(Role.CURATOR)
@require_GET
def export_qrels(request: HttpRequest, project_id: str) -> HttpResponse:
    """The judgments as qrels."""
    return _file(
        request,
        project_id,
        "qrels.txt",
        lambda project: format_qrels(qrels(project, judged_documents([project]))),
    )


@needs(Role.CURATOR)
@require_GET
def export_index(request: HttpRequest, project_id: str) -> HttpResponse:
    """The judged documents as an index for training."""
    return _file(
        request,
        project_id,
        "index.csv",
        lambda project: training_rows([project], settings.DESK.runs),
    )


def _truth(project: Project) -> str:
    folder = run_folder(settings.DESK.runs, project.run.folder)
    urls = {
        str(record["content_hash"]): str(record.get("final_url") or record["url"])
        for record in documents_of(folder)
    }
    return truth_csv(judged_documents([project]), urls)


def _file(
    request: HttpRequest, project_id: str, name: str, text: Callable[[Project], str]
) -> HttpResponse:
    project = own_project(request, project_id)
    response = HttpResponse(text(project), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{project.pk}-{name}"'
    return response


def _made(run: Run, request: HttpRequest, given: dict[str, Any], documents: list[str]) -> Project:
    with transaction.atomic():
        project = Project.objects.create(
            run=run,
            owner=account_of(request),
            topic=given["topic"],
            aspects=given["aspects"],
            overlap=given["overlap"],
        )
        assign(project, documents, given["accounts"])
    return project


def _counted(judged: list[Any]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in judged:
        counts[one.label.value] = counts.get(one.label.value, 0) + 1
    return counts
