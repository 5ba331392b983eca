"""What keeps what the web wrote, and other accounts' work, out of a reader's browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from taxocrawl.web.models import Account

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    Answer = Callable[[HttpRequest], HttpResponseBase]

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing inline, nothing from elsewhere."""
SANDBOXED = "sandbox; default-src 'none'; base-uri 'none'; form-action 'none'"
"""For bytes that came from the web: no script, no request, an origin of its own."""
_FORM_OVERHEAD = 64 * 1024


class HeadersMiddleware:
    """Refuses bodies that are too long, and sends the headers that every answer has."""

    def __init__(self, get_response: Answer) -> None:
        self._answer = get_response
        self._longest = settings.DESK.upload_max + _FORM_OVERHEAD

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._refusal(request) or self._answer(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=()"
        )
        if not request.path.startswith(f"/{settings.STATIC_URL.strip('/')}/"):
            response.headers.setdefault("Cache-Control", "no-store, private")
        return response

    def _refusal(self, request: HttpRequest) -> HttpResponse | None:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdigit() or int(length) > self._longest:
            text = f"413: more than {settings.DESK.upload_max} bytes\n"
            return HttpResponse(text, status=413, content_type="text/plain; charset=utf-8")
        return None


class FirstAccountMiddleware:
    """Sends every visitor to the form for the first account while there is none."""

    def __init__(self, get_response: Answer) -> None:
        self._answer = get_response
        self._found = False

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        self._found = self._found or Account.objects.exists()
        form = reverse("first-account")
        if not self._found and request.path != form:
            return redirect(form)
        return self._answer(request)
