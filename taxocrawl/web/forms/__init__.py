"""What the desk's forms ask for, and what they accept."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.http import HttpRequest, QueryDict


def posted(request: HttpRequest) -> QueryDict | None:
    """What a form was sent with, also when that is nothing; None before it was sent."""
    return request.POST if request.method == "POST" else None
