"""Slows down the guessing of passwords."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from taxocrawl.web.models import LoginFailure

if TYPE_CHECKING:
    from django.http import HttpRequest

WINDOW = timedelta(minutes=15)
"""Failures are forgotten after this time."""
LIMITS = {"pair": 5, "address": 20, "name": 50}
"""Failures within the window: of one account from one address, of one address, of one account."""


def is_blocked(request: HttpRequest, username: str) -> bool:
    """Whether no further attempt is looked at for now."""
    since = timezone.now() - WINDOW
    recent = LoginFailure.objects.filter(at__gte=since)
    return any(
        recent.filter(key=key).count() >= LIMITS[what] for what, key in _keys(request, username)
    )


def record_failure(request: HttpRequest, username: str) -> None:
    """Count an attempt that failed."""
    LoginFailure.objects.filter(at__lt=timezone.now() - WINDOW).delete()
    LoginFailure.objects.bulk_create(LoginFailure(key=key) for _, key in _keys(request, username))


def forget(request: HttpRequest, username: str) -> None:
    """After a log-in: this address may mistype this account's password anew."""
    LoginFailure.objects.filter(key=dict(_keys(request, username))["pair"]).delete()


def _keys(request: HttpRequest, username: str) -> list[tuple[str, str]]:
    address, name = str(request.META.get("REMOTE_ADDR", "")), username.strip().casefold()
    parts = {"pair": f"{name}\n{address}", "address": address, "name": name}
    return [
        (what, hashlib.sha256(f"{what}\n{text}".encode("utf-8", "replace")).hexdigest())
        for what, text in parts.items()
    ]
