"""Short texts: lists of one's own, uploaded or found live, in two columns."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import messages
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from taxocrawl.exceptions import TaxocrawlError
from taxocrawl.rerank.live import live_posts
from taxocrawl.web.aspects import stored, text_model, to_store
from taxocrawl.web.forms import posted
from taxocrawl.web.forms.results import WayForm
from taxocrawl.web.forms.texts import TextsForm
from taxocrawl.web.models import TextList
from taxocrawl.web.permissions import account_of, own_list
from taxocrawl.web.texts import records_of, text_columns

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_GET
def text_lists(request: HttpRequest) -> HttpResponse:
    """The account's lists, newest first."""
    rows = TextList.objects.filter(owner=account_of(request))[:200]
    return render(request, "desk/text_lists.html", {"rows": rows, "section": "texts"})


@require_http_methods(["GET", "POST"])
def new_list(request: HttpRequest) -> HttpResponse:
    """The form for a list."""
    form = TextsForm(posted(request), request.FILES if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            made = _made(request, form.cleaned_data)
        except TaxocrawlError as error:
            form.add_error("source", str(error))
        else:
            return redirect("text-list", made.pk)
    status = 422 if form.errors else 200
    return render(request, "desk/new_texts.html", {"form": form, "section": "texts"}, status=status)


@require_GET
def text_list(request: HttpRequest, list_id: str) -> HttpResponse:
    """A list in two columns."""
    found = own_list(request, list_id)
    aspects = stored(found.aspects)
    form = WayForm(request.GET.dict(), aspects)
    model = text_model(settings.DESK.stopwords)
    first, second = text_columns(found.records, aspects, model, form.way, form.value("length"))
    context = {
        "list": found,
        "form": form,
        "first": first,
        "second": second,
        "aspects": aspects,
        "section": "texts",
    }
    return render(request, "desk/text_list.html", context)


@require_POST
def delete_list(request: HttpRequest, list_id: str) -> HttpResponse:
    """Remove a list of one's own."""
    own_list(request, list_id).delete()
    messages.success(request, "The list is removed.")
    return redirect("text-lists")


def _made(request: HttpRequest, given: dict[str, Any]) -> TextList:
    """The list that a valid form describes; a live search is made now."""
    records, source = given.get("records"), given["source"]
    if source:
        desk = settings.DESK
        found = live_posts(
            source,
            given["query"],
            given["limit"],
            url=desk.post_sources.get(source, ""),
            user_agent=desk.user_agent,
            environment=os.environ,
        )
        records = records_of(found, source)
    return TextList.objects.create(
        owner=account_of(request),
        query=given["query"],
        source=source or "uploaded",
        aspects=to_store(given["aspects"]),
        records=records,
    )
