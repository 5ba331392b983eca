"""Runs: the list, a new one, its progress, and what may be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from taxocrawl.exceptions import ArgumentError, TaxocrawlError
from taxocrawl.runs.folder import write_atomically
from taxocrawl.web.aspects import (
    as_lines,
    aspects_of_topic,
    parse_aspects,
    stored,
    text_model,
    to_store,
)
from taxocrawl.web.folders import find_new_runs, info_of, run_folder, tail, unreadable
from taxocrawl.web.forms import posted
from taxocrawl.web.forms.crawl import CrawlForm
from taxocrawl.web.jobs import crawls
from taxocrawl.web.models import Role, Run
from taxocrawl.web.permissions import account_of, needs, own_run, readable_run, readable_runs
from taxocrawl.web.progress import balance_of, charts, progress_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from taxocrawl.topic import Aspect
    from taxocrawl.web.models import Account

_LISTED = 200


@require_GET
def run_list(request: HttpRequest) -> HttpResponse:
    """The runs that the account may read, newest first."""
    options = settings.DESK
    find_new_runs(options.runs)
    rows = []
    for run in readable_runs(account_of(request)).select_related("owner")[:_LISTED]:
        state = crawls.state_of(run, options)
        progress = progress_of(run_folder(options.runs, run.folder))
        rows.append({"run": run, "state": state, "progress": progress})
    return render(request, "desk/runs.html", {"rows": rows, "section": "runs"})


@needs(Role.CURATOR)
@require_http_methods(["GET", "POST"])
def new_run(request: HttpRequest) -> HttpResponse:
    """The form for a crawl; starts it when all is right."""
    form = CrawlForm(settings.DESK, posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            run = started_run(form, account_of(request))
        except TaxocrawlError as error:
            form.add_error(None, str(error))
        else:
            return redirect("run", run.pk)
    status = 422 if form.errors else 200
    return render(request, "desk/new_run.html", {"form": form, "section": "runs"}, status=status)


def started_run(form: CrawlForm, owner: Account) -> Run:
    """Enter the run that a valid form describes, and start its crawl.

    Raises ArgumentError or StorageError when it cannot be started; then nothing is entered.
    """
    options = settings.DESK
    run = Run(
        owner=owner,
        shared=form.cleaned_data["shared"],
        title=form.title,
        spider=form.spider,
        topic=form.cleaned_data["topic"],
        aspects=to_store(form.aspects_given),
    )
    # The id keeps apart two runs of one second.
    run.folder = f"{crawls.folder_name(form.title)}-{run.pk[:6].replace('-', '0')}"
    run.arguments = dict(form.arguments)
    if form.seeds:
        path = options.inputs / f"{run.pk}-seeds.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, "".join(f"{url}\n" for url in form.seeds).encode())
        names = [form.arguments["seeds"], str(path.absolute())]
        run.arguments["seeds"] = ",".join(filter(None, names))
    with transaction.atomic():
        crawls.start(run, options)
    return run


@require_GET
def run_page(request: HttpRequest, run_id: str) -> HttpResponse:
    """A run's progress. Asked for with ``?part=live`` it is the changing part alone."""
    run = readable_run(request, run_id)
    template = "desk/run_live.html" if request.GET.get("part") == "live" else "desk/run.html"
    return render(request, template, run_context(request, run))


def run_context(request: HttpRequest, run: Run) -> dict[str, Any]:
    """What the page of a run shows."""
    options, account = settings.DESK, account_of(request)
    folder = run_folder(options.runs, run.folder)
    state = crawls.state_of(run, options)
    progress = progress_of(folder)
    aspects = aspects_of(run)
    balance = balance_of(folder, aspects, text_model(options.stopwords)) if progress else {}
    owns = account.may(Role.CURATOR) and (account.is_superuser or run.owner_id == account.pk)
    return {
        "section": "runs",
        "run": run,
        "info": info_of(folder),
        "state": state,
        "progress": progress,
        "charts": charts(progress, balance) if progress else [],
        "unreadable": "" if progress else unreadable(folder),
        "balance": balance,
        "aspects": aspects,
        "problem": crawls.problem_of(run, options) if state == crawls.State.FAILED else "",
        "owns": owns,
        "may_resume": owns and crawls.may_resume(run, state, options),
        "log": list(tail(crawls.log_of(run, options))) if owns else [],
        "may_judge": account.may(Role.CURATOR),
    }


def aspects_of(run: Run) -> list[Aspect]:
    """The aspects kept with a run, else those of its topic's folder."""
    return stored(run.aspects) or aspects_of_topic(
        settings.DESK.goldstandards / (run.topic or "taxonomy")
    )


@require_POST
def cancel_run(request: HttpRequest, run_id: str) -> HttpResponse:
    """Ask a crawl to end."""
    run = own_run(request, run_id)
    try:
        asked = crawls.cancel(run, settings.DESK)
    except TaxocrawlError as error:
        messages.error(request, str(error))
    else:
        said = "The crawl is ending; it can be resumed." if asked else "The crawl had ended."
        messages.info(request, said)
    return redirect("run", run.pk)


@require_POST
def resume_run(request: HttpRequest, run_id: str) -> HttpResponse:
    """Go on with a crawl that was interrupted."""
    run = own_run(request, run_id)
    try:
        resume(run)
    except TaxocrawlError as error:
        messages.error(request, str(error))
    return redirect("run", run.pk)


def resume(run: Run) -> None:
    """Go on with a crawl. Raises ArgumentError when it is under way or has ended by itself."""
    options = settings.DESK
    if not crawls.may_resume(run, crawls.state_of(run, options), options):
        raise ArgumentError("this crawl cannot be resumed: it is under way, or was not interrupted")
    crawls.start(run, options)


@require_POST
def share_run(request: HttpRequest, run_id: str) -> HttpResponse:
    """Let everyone with an account read a run, or its owner alone."""
    run = own_run(request, run_id)
    run.shared = request.POST.get("shared") == "yes"
    run.save(update_fields=["shared"])
    messages.success(request, "Everyone may read it." if run.shared else "It is yours alone.")
    return redirect("run", run.pk)


@require_http_methods(["GET", "POST"])
def run_aspects(request: HttpRequest, run_id: str) -> HttpResponse:
    """Change the aspects by which a run's documents are ordered and counted."""
    run = own_run(request, run_id)
    text, problem = as_lines(aspects_of(run)), ""
    if request.method == "POST":
        text = request.POST.get("aspects", "")
        try:
            run.aspects = to_store(parse_aspects(text))
        except ArgumentError as error:
            problem = str(error)
        else:
            run.save(update_fields=["aspects"])
            return redirect("results", run.pk)
    context = {"section": "runs", "run": run, "text": text, "problem": problem}
    return render(request, "desk/aspects.html", context, status=422 if problem else 200)
