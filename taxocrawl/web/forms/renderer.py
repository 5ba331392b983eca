"""How the desk's forms are drawn."""

from __future__ import annotations

from django.forms.renderers import DjangoTemplates


class DeskRenderer(DjangoTemplates):
    """Django's, with fields of our own form: a label without colon, then help and errors."""

    field_template_name = "desk/field.html"
