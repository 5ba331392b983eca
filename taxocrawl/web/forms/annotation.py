"""Forms about judging documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from taxocrawl.exceptions import TaxocrawlError
from taxocrawl.web.annotation import BY_SCORE, LEAST_SURE, annotators
from taxocrawl.web.aspects import parse_aspects
from taxocrawl.web.models import Relevance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taxocrawl.web.models import Project

_ORDERS = (
    (LEAST_SURE, "least sure first: of which the classifier knows least"),
    (BY_SCORE, "by score"),
)


class ProjectForm(forms.Form):
    """Documents to be judged: by whom, how many, in which order."""

    topic = forms.CharField(
        label="Topic", max_length=500, help_text="What documents are judged to be relevant to."
    )
    aspects = forms.CharField(
        label="Aspects",
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One a line. Each document is judged for each of them, too.",
    )
    number = forms.IntegerField(label="Documents", min_value=1, max_value=100_000)
    annotators = forms.MultipleChoiceField(label="Annotators", widget=forms.CheckboxSelectMultiple)
    overlap = forms.IntegerField(
        label="Annotators of each document",
        min_value=1,
        max_value=20,
        initial=1,
        help_text="More than one shows how far they agree.",
    )
    order = forms.ChoiceField(label="Order", choices=_ORDERS)
    model = forms.ChoiceField(
        label="Classifier that says so",
        required=False,
        help_text="One that was trained since the crawl decides anew.",
    )

    def __init__(
        self, data: Any, *, initial: dict[str, Any], documents: int, models: Sequence[str]
    ) -> None:
        super().__init__(data, initial={"number": max(1, documents), **initial})
        self._documents = documents
        self._accounts = {str(account.pk): account for account in annotators()}
        names = {
            "annotators": [(key, one.username) for key, one in self._accounts.items()],
            "model": [("", "the crawl’s own"), *((name, name) for name in models)],
        }
        for name, values in names.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = values

    def clean_aspects(self) -> list[str]:
        """Names of the aspects; words after a colon are the run's business."""
        try:
            return [aspect.name for aspect in parse_aspects(self.cleaned_data["aspects"])]
        except TaxocrawlError as error:
            raise forms.ValidationError(str(error)) from error

    def clean(self) -> dict[str, Any]:
        """There must be documents, and as many annotators as each is to have."""
        cleaned = super().clean() or self.cleaned_data
        if not self._documents:
            self.add_error(None, "The run has no documents.")
        chosen = cleaned.get("annotators") or []
        if chosen and cleaned.get("overlap", 1) > len(chosen):
            self.add_error("overlap", f"Only {len(chosen)} annotators are chosen.")
        cleaned["accounts"] = [self._accounts[key] for key in chosen]
        return cleaned


class JudgmentForm(forms.Form):
    """One annotator's judgment of one document."""

    relevance = forms.ChoiceField(
        label="Is it relevant to the topic?", choices=Relevance.choices, widget=forms.RadioSelect
    )
    aspects = forms.MultipleChoiceField(
        label="To which aspects?", required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._number = len(project.aspects)
        field = self.fields["aspects"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(str(number), name) for number, name in enumerate(project.aspects)]

    @property
    def values(self) -> list[bool]:
        """One truth value an aspect; what is not relevant has no aspect."""
        given = self.cleaned_data
        if given["relevance"] != Relevance.RELEVANT:
            return [False] * self._number
        return [str(number) in given["aspects"] for number in range(self._number)]
