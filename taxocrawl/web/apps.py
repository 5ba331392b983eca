"""The review desk as a Django application."""

from __future__ import annotations

from django.apps import AppConfig


class DeskConfig(AppConfig):
    """Its models are named ``desk.…``."""

    name = "taxocrawl.web"
    label = "desk"
    default_auto_field = "django.db.models.BigAutoField"
