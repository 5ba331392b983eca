"""Where short texts come from: a file, or a live search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from taxocrawl.exceptions import TaxocrawlError
from taxocrawl.rerank.sources import SOURCES
from taxocrawl.web.aspects import parse_aspects
from taxocrawl.web.texts import MOST, parse_texts

if TYPE_CHECKING:
    from taxocrawl.topic import Aspect


class TextsForm(forms.Form):
    """Short texts and the query that they answer."""

    query = forms.CharField(label="Query", max_length=500)
    source = forms.ChoiceField(
        label="From",
        choices=[("", "the file or lines below"), *((name, name) for name in SOURCES)],
        required=False,
        help_text="A live search asks the network’s own service, with the token of this desk.",
    )
    limit = forms.IntegerField(label="At most so many", min_value=1, max_value=200, initial=100)
    file = forms.FileField(
        label="File",
        required=False,
        allow_empty_file=True,
        help_text="One text a line, or JSON Lines with text, and maybe id, timestamp, author, url.",
    )
    lines = forms.CharField(
        label="Or lines",
        required=False,
        max_length=500_000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=f"One text a line, at most {MOST}.",
    )
    aspects = forms.CharField(
        label="Aspects",
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One a line, “name” or “name: words”; for xQuAD.",
    )

    def clean_aspects(self) -> list[Aspect]:
        """The aspects as they are kept."""
        try:
            return parse_aspects(self.cleaned_data["aspects"])
        except TaxocrawlError as error:
            raise forms.ValidationError(str(error)) from error

    def clean(self) -> dict[str, Any]:
        """Read what was uploaded or written; its records are `records`."""
        cleaned = super().clean() or self.cleaned_data
        if self.errors or cleaned["source"]:
            return cleaned
        upload = cleaned.get("file")
        try:
            name = "the file" if upload else "the lines"
            given = upload.read() if upload else cleaned["lines"].encode()
            cleaned["records"] = parse_texts(given, name)
        except TaxocrawlError as error:
            self.add_error("file" if upload else "lines", str(error))
        return cleaned
