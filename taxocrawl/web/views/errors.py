"""Pages for what goes wrong; the API answers in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import JsonResponse
from django.shortcuts import render

from taxocrawl.web.tokens import API

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

_SAID = {
    400: ("This cannot be understood", "The request is not one that this desk answers."),
    403: (
        "This is not yours to do",
        "Your account may not do this. Whoever manages the accounts can change that.",
    ),
    404: (
        "There is no such page",
        "It may have been removed, or be another account’s, which is not shown.",
    ),
    500: ("Something broke", "The desk’s log says what. Your data is as it was."),
}


def error_page(request: HttpRequest, status: int) -> HttpResponse:
    """The page, or JSON, for a status."""
    heading, text = _SAID[status]
    if request.path.startswith(API):
        return JsonResponse({"error": heading}, status=status)
    context = {"heading": heading, "text": text, "status": status}
    return render(request, "desk/error.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Status 400."""
    return error_page(request, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Status 403."""
    return error_page(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Status 404."""
    return error_page(request, 404)


def failed(request: HttpRequest) -> HttpResponse:
    """Status 500."""
    return error_page(request, 500)
