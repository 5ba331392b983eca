"""Programs that act for an account: a token in the header ``Authorization: Bearer …``."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING

from django.http import JsonResponse

from taxocrawl.web.models import ApiToken

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from taxocrawl.web.models import Account

    Answer = Callable[[HttpRequest], HttpResponseBase]

API = "/api/"
_SCHEME = "Bearer "
_BYTES = 32


def new_token(account: Account, name: str) -> str:
    """Make a token and return it: the only time that it can be read."""
    token = secrets.token_urlsafe(_BYTES)
    ApiToken.objects.create(account=account, name=name, digest=_digest(token))
    return token


class TokenMiddleware:
    """Knows requests of programs before cookies are looked at; only the API takes tokens."""

    def __init__(self, get_response: Answer) -> None:
        self._answer = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("Authorization", "")
        if not request.path.startswith(API) or not given.startswith(_SCHEME):
            return self._answer(request)
        token = (
            ApiToken.objects.select_related("account")
            .filter(digest=_digest(given.removeprefix(_SCHEME).strip()), account__is_active=True)
            .first()
        )
        if token is None:
            return JsonResponse({"error": "the token is not known"}, status=401)
        request.META["desk.account"] = token.account
        # Browsers do not send tokens by themselves, which is what CSRF lives on.
        request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]
        return self._answer(request)


class TokenAccountMiddleware:
    """Makes the token's account the one who asks; the API answers nobody else."""

    def __init__(self, get_response: Answer) -> None:
        self._answer = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        account = request.META.get("desk.account")
        if account is not None:
            request.user = account
        elif request.path.startswith(API) and not request.user.is_authenticated:
            return JsonResponse({"error": "log in, or send a token"}, status=401)
        return self._answer(request)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
