"""Who may see and change what. What an account may not see is, to it, not there."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, cast

from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404

from taxocrawl.web.models import Account, Assignment, Project, Role, Run, TextList

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    View = Callable[..., HttpResponse]


def account_of(request: HttpRequest) -> Account:
    """Who asks; only for views that need a log-in."""
    return cast("Account", request.user)


def needs(role: Role) -> Callable[[View], View]:
    """A view for accounts with this role or one above; others are answered with 403."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not account_of(request).may(role):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return guarded

    return decorate


def readable_runs(account: Account) -> QuerySet[Run]:
    """The runs an account may read: its own, shared ones, and all for the one who manages."""
    if account.is_superuser:
        return Run.objects.all()
    return Run.objects.filter(Q(owner=account) | Q(shared=True))


def readable_run(request: HttpRequest, run_id: str) -> Run:
    """A run that the asking account may read. Raises Http404."""
    return get_object_or_404(readable_runs(account_of(request)), pk=run_id)


def own_run(request: HttpRequest, run_id: str) -> Run:
    """A run that the asking account may change. Raises Http404 when it may not even read it."""
    account = account_of(request)
    run = readable_run(request, run_id)
    if not (account.is_superuser or run.owner_id == account.pk) or not account.may(Role.CURATOR):
        raise PermissionDenied
    return run


def run_of_document(request: HttpRequest, run_id: str, digest: str) -> Run:
    """The run of a document that the account may read, or is to judge. Raises Http404."""
    account = account_of(request)
    run = get_object_or_404(Run, pk=run_id)
    if readable_runs(account).filter(pk=run_id).exists():
        return run
    assigned = Assignment.objects.filter(
        annotator=account, document=digest, project__run=run
    ).exists()
    if not assigned:
        raise Http404
    return run


def own_list(request: HttpRequest, list_id: str) -> TextList:
    """A list of texts of the asking account. Raises Http404."""
    return get_object_or_404(TextList, pk=list_id, owner=account_of(request))


def own_project(request: HttpRequest, project_id: str) -> Project:
    """A project that the asking account looks after. Raises Http404."""
    account = account_of(request)
    everyones = {} if account.is_superuser else {"owner": account}
    return get_object_or_404(Project, pk=project_id, **everyones)


def own_assignment(request: HttpRequest, assignment_id: str) -> Assignment:
    """A document that the asking account is to judge. Raises Http404."""
    return get_object_or_404(Assignment, pk=assignment_id, annotator=account_of(request))
