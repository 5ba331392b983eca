"""The form above two columns: method, lambda and filters, all in the address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from taxocrawl.rerank.reranker import EXPLICIT
from taxocrawl.web.results import METHODS, Filters, choices

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from taxocrawl.topic import Aspect

LENGTHS = (10, 20, 50, 100)
METHOD_NAMES = {
    "mmr": "MMR: unlike what stands above",
    "xquad": "xQuAD: covers the aspects",
    "sy": "Sy: leaves out what repeats",
}
HINTS = {
    "mmr": "1 is relevance alone, 0 is difference alone",
    "xquad": "0 is relevance alone, 1 is the aspects alone",
    "sy": "the likeness from which on a text repeats another",
}


class WayForm(forms.Form):
    """How the diverse column is made."""

    method = forms.ChoiceField(label="Diversify by", required=False)
    lambda_ = forms.FloatField(
        label="λ",
        required=False,
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"type": "range", "step": "0.05"}),
    )
    length = forms.TypedChoiceField(
        label="Show", coerce=int, choices=[(n, str(n)) for n in LENGTHS], required=False
    )

    defaults: Mapping[str, Any] = {"method": "mmr", "lambda_": 0.5, "length": 20}

    def __init__(self, data: Mapping[str, Any], aspects: Sequence[Aspect]) -> None:
        super().__init__({**{k: str(v) for k, v in self.defaults.items()}, **_flat(data)})
        method = self.fields["method"]
        assert isinstance(method, forms.ChoiceField)
        possible = [name for name in METHODS if aspects or name not in EXPLICIT]
        method.choices = [(name, METHOD_NAMES[name]) for name in possible]

    @property
    def way(self) -> tuple[str, float]:
        """Method and lambda; the defaults for what cannot be read."""
        value = self.value("lambda_")
        return self.value("method"), float(value)

    @property
    def hint(self) -> str:
        return HINTS[self.value("method")]

    def value(self, name: str) -> Any:
        """A field's value, its default when it is empty or wrong."""
        given = self.cleaned_data.get(name) if self.is_valid() or not self.has_error(name) else None
        return self.defaults[name] if given in (None, "") else given


class ResultsForm(WayForm):
    """The same with filters for a run's documents."""

    kind = forms.ChoiceField(label="Kind", required=False)
    category = forms.ChoiceField(label="Category", required=False)
    aspect = forms.ChoiceField(label="Nearest aspect", required=False)
    words = forms.CharField(label="Title or author has", required=False, max_length=200)
    year_from = forms.IntegerField(label="Year from", required=False, min_value=0, max_value=9999)
    year_to = forms.IntegerField(label="to", required=False, min_value=0, max_value=9999)

    def __init__(
        self,
        data: Mapping[str, Any],
        aspects: Sequence[Aspect],
        records: Sequence[Mapping[str, Any]],
    ) -> None:
        super().__init__(data, aspects)
        found = {
            "kind": choices(records, "kind"),
            "category": choices(records, "category"),
            "aspect": [aspect.name for aspect in aspects],
        }
        for name, values in found.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", "any"), *((value, value) for value in values)]

    @property
    def filters(self) -> Filters:
        """What is shown; a filter that cannot be read shows all."""
        self.is_valid()
        given = self.cleaned_data
        return Filters(
            kind=given.get("kind") or "",
            category=given.get("category") or "",
            aspect=given.get("aspect") or "",
            words=given.get("words") or "",
            year_from=given.get("year_from"),
            year_to=given.get("year_to"),
        )


def _flat(data: Mapping[str, Any]) -> dict[str, Any]:
    """One value a name, the last one, of those that were given."""
    return {name: data[name] for name in data if data[name] != ""}
