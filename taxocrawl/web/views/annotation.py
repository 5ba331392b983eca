"""Judging documents: one's own tasks, a document at a time, by mouse or keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from taxocrawl.web.annotation import next_of
from taxocrawl.web.document import read_document
from taxocrawl.web.folders import document_of, run_folder
from taxocrawl.web.forms import posted
from taxocrawl.web.forms.annotation import JudgmentForm
from taxocrawl.web.models import Assignment, Project, Role
from taxocrawl.web.permissions import account_of, needs, own_assignment

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@needs(Role.ANNOTATOR)
@require_GET
def tasks(request: HttpRequest) -> HttpResponse:
    """What the account is to judge, and the projects that it looks after."""
    account = account_of(request)
    mine = (
        Project.objects.filter(assignment__annotator=account)
        .annotate(
            given=Count("assignment"),
            done=Count("assignment", filter=Q(assignment__judged_at__isnull=False)),
        )
        .order_by("-created")
    )
    kept = Project.objects.all() if account.is_superuser else Project.objects.filter(owner=account)
    kept = kept.annotate(
        given=Count("assignment"),
        done=Count("assignment", filter=Q(assignment__judged_at__isnull=False)),
    )
    context = {"mine": mine, "kept": kept, "section": "annotation"}
    return render(request, "desk/tasks.html", context)


@needs(Role.ANNOTATOR)
@require_GET
def next_document(request: HttpRequest, project_id: str) -> HttpResponse:
    """The next document of a project, or word that there is none."""
    account = account_of(request)
    own = Assignment.objects.filter(project_id=project_id, annotator=account)
    if not own.exists():
        raise Http404
    following = next_of(account, get_object_or_404(Project, pk=project_id))
    if following is None:
        messages.success(request, "All your documents of this project are judged. Thank you.")
        return redirect("own-judgments", project_id)
    return redirect("judge", following.pk)


@needs(Role.ANNOTATOR)
@require_http_methods(["GET", "POST"])
def judge(request: HttpRequest, assignment_id: str) -> HttpResponse:
    """One document and the form for its judgment."""
    assignment = own_assignment(request, assignment_id)
    project = assignment.project
    form = JudgmentForm(project, posted(request), initial=_said(assignment))
    if request.method == "POST" and form.is_valid():
        assignment.relevance = form.cleaned_data["relevance"]
        assignment.aspects = form.values
        assignment.judged_at = timezone.now()
        assignment.save(update_fields=["relevance", "aspects", "judged_at"])
        return redirect("next-document", project.pk)
    folder = run_folder(settings.DESK.runs, project.run.folder)
    own = Assignment.objects.filter(project=project, annotator=assignment.annotator)
    context = {
        "section": "annotation",
        "assignment": assignment,
        "project": project,
        "form": form,
        "record": document_of(folder, assignment.document) or {},
        "found": read_document(folder, assignment.document),
        "done": own.filter(judged_at__isnull=False).count(),
        "given": own.count(),
    }
    return render(request, "desk/judge.html", context, status=422 if form.errors else 200)


@needs(Role.ANNOTATOR)
@require_GET
def own_judgments(request: HttpRequest, project_id: str) -> HttpResponse:
    """What the account has judged in a project, each to be changed."""
    own = Assignment.objects.filter(project_id=project_id, annotator=account_of(request))
    first = own.select_related("project__run").first()
    if first is None:
        raise Http404
    folder = run_folder(settings.DESK.runs, first.project.run.folder)
    rows = [(one, document_of(folder, one.document) or {}) for one in own]
    context = {"section": "annotation", "project": first.project, "rows": rows}
    return render(request, "desk/own_judgments.html", context)


def _said(assignment: Assignment) -> dict[str, Any]:
    """A judgment as the form has it; nothing before there is one."""
    if assignment.judged_at is None:
        return {}
    chosen = [str(number) for number, value in enumerate(assignment.aspects) if value]
    return {"relevance": assignment.relevance, "aspects": chosen}
