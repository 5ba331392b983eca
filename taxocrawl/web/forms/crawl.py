"""The form for a new crawl: its answers become a spider's arguments and are checked as such."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from django import forms

from taxocrawl.exceptions import TaxocrawlError
from taxocrawl.frontier.reachable import is_private_host
from taxocrawl.frontier.selection import POLICIES, BestFirst
from taxocrawl.frontier.urls import host_of, unfetchable
from taxocrawl.queries.expand import STYLES
from taxocrawl.score.choice import SCORERS
from taxocrawl.seeds import PROVIDERS
from taxocrawl.spiders.plan import (
    ARGUMENTS,
    ASPECT_ARGUMENTS,
    FILTERS,
    TOPIC_ARGUMENTS,
    CrawlPlan,
)
from taxocrawl.web.aspects import aspects_of_topic, parse_aspects, topics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from taxocrawl.topic import Aspect
    from taxocrawl.web.options import DeskOptions

_LINES = 100
_TAXONOMIC = ("", "taxonomic documents (the built-in topic)")
_NAMES = {
    "taxonomic": tuple(ARGUMENTS),
    "topic": (*ARGUMENTS, *TOPIC_ARGUMENTS),
    "diversified": (*ARGUMENTS, *TOPIC_ARGUMENTS, *ASPECT_ARGUMENTS),
}
"""The arguments of each spider."""
_COMPLAINT = re.compile(r"(\w+)(?:=|:)")


class CrawlForm(forms.Form):
    """A new crawl. After `is_valid`, `arguments` and `spider` say what is to be started."""

    queries = forms.CharField(
        label="Queries",
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="One a line, such as Pteropus vampyrus.",
    )
    expand = forms.ChoiceField(
        label="Expansion",
        choices=[(style, style) for style in STYLES],
        help_text="generic adds words such as “new species”; taxonomic adds related taxa.",
    )
    providers = forms.MultipleChoiceField(
        label="Search for seeds",
        required=False,
        choices=[(name, name) for name in PROVIDERS],
        widget=forms.CheckboxSelectMultiple,
        initial=list(PROVIDERS),
    )
    seed_urls = forms.CharField(
        label="Seeds of your own",
        required=False,
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text="Addresses of pages to begin with, one a line.",
    )
    topic = forms.ChoiceField(label="Topic", required=False)
    page_filter = forms.ChoiceField(
        label="Page filter",
        choices=[(name, name) for name in FILTERS],
        required=False,
        help_text="For another topic than the built-in one: a classifier trained for it.",
    )
    aspects = forms.CharField(
        label="Aspects",
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One a line, “name” or “name: words”. Left empty: those of the topic’s folder.",
    )
    even = forms.BooleanField(
        label="Crawl evenly over the aspects of the topic’s folder", required=False
    )
    scorer = forms.ChoiceField(
        label="Scorer", choices=[(name, name) for name in SCORERS if name != "glove"]
    )
    selection = forms.ChoiceField(
        label="Selection",
        choices=[(name, name) for name in POLICIES],
        help_text="Which known pages an iteration takes.",
    )
    batch = forms.IntegerField(
        label="Pages an iteration", required=False, min_value=1, max_value=100_000,
        help_text="Not for “all”.",
    )  # fmt: skip
    iterations = forms.IntegerField(
        label="Iterations", min_value=0, max_value=1000, help_text="The seeds are iteration 0."
    )
    max_pages = forms.IntegerField(
        label="At most so many downloads", min_value=0, help_text="0 for no limit."
    )
    min_score = forms.FloatField(
        label="Lowest score of a link", required=False, min_value=0, max_value=1
    )
    allowed_hosts = forms.CharField(
        label="Only these hosts", required=False, max_length=2000,
        help_text="Joined by commas; empty for any.",
    )  # fmt: skip
    shared = forms.BooleanField(label="Everyone with an account may read this run", required=False)

    def __init__(self, options: DeskOptions, data: Mapping[str, Any] | None = None) -> None:
        initial = {
            "iterations": options.iterations,
            "max_pages": options.max_pages,
            "scorer": "tfidf",
            "page_filter": "none",
        }
        super().__init__(data, initial=initial)
        self._options = options
        self.seeds: list[str] = []
        """Addresses given, to be written to a file whose name becomes part of `seeds=`."""
        self.arguments: dict[str, str] = {}
        field = self.fields["topic"]
        assert isinstance(field, forms.ChoiceField)
        named = [name for name in topics(options.goldstandards) if name != "taxonomy"]
        field.choices = [_TAXONOMIC, *((name, name) for name in named)]

    @property
    def spider(self) -> str:
        """Name of the spider that does it."""
        if not self.cleaned_data["topic"]:
            return "taxonomic"
        return "diversified" if self.cleaned_data["even"] else "topic"

    @property
    def title(self) -> str:
        """For headings: the queries, else the first seed."""
        queries = _lines(self.cleaned_data["queries"])
        return ", ".join(queries)[:500] or f"seeds from {host_of(self.seeds[0])}"

    def clean_seed_urls(self) -> str:
        """Refuse addresses that are no web pages, or of hosts that the desk may not ask."""
        self.seeds = _lines(self.cleaned_data["seed_urls"])
        for url in self.seeds:
            if reason := unfetchable(url):
                raise forms.ValidationError(f"{url[:80]}: {reason}; expected http(s) addresses.")
            if not self._options.private_hosts_allowed and is_private_host(host_of(url)):
                raise forms.ValidationError(
                    f"{url[:80]}: an address of this machine or its network; "
                    "whoever runs the desk would have to allow that."
                )
        return "\n".join(self.seeds)

    def chosen_aspects(self) -> list[Aspect]:
        """The aspects written, else those of the topic's folder."""
        written = parse_aspects(self.cleaned_data.get("aspects") or "")
        topic = self.cleaned_data.get("topic") or "taxonomy"
        return written or aspects_of_topic(self._options.goldstandards / topic)

    def clean(self) -> dict[str, Any]:
        """Check the whole as the spider does, with its own code."""
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        self._check_choices(cleaned)
        if self.errors:
            return cleaned
        queries = _lines(cleaned["queries"])
        if len(queries) > _LINES:
            self.add_error("queries", f"{len(queries)} queries are too many (at most {_LINES}).")
            return cleaned
        self.arguments = self._arguments(queries)
        try:
            self.aspects_given = self.chosen_aspects()
            plan = CrawlPlan.parse(
                # The file of seeds is written once all else is right.
                {**self.arguments, "seeds": " ".join(self.seeds) or self.arguments["seeds"]},
                iterations=self._options.iterations,
                max_pages=self._options.max_pages,
                names=_NAMES[self.spider],
                goldstandard_dir=self._options.goldstandards,
            )
            plan.settings(self._options.selection_params, self._options.models)
        except TaxocrawlError as error:
            self._place(str(error))
        return cleaned

    def _check_choices(self, given: dict[str, Any]) -> None:
        """What is left to the spiders themselves, or has no meaning together."""
        if not given["providers"] and not self.seeds:
            self.add_error("providers", "Choose a search, or give seeds of your own.")
        if not given["even"]:
            return
        topic = self._options.goldstandards / given["topic"]
        if not given["topic"] or not aspects_of_topic(topic):
            self.add_error("even", "Choose a topic whose folder has aspects.")
        elif given["selection"] == BestFirst.name:
            self.add_error("selection", "An even crawl needs iterations: choose another one.")

    def _arguments(self, queries: list[str]) -> dict[str, str]:
        given = self.cleaned_data
        # As a JSON list no query is taken for the name of a file.
        found = {"query": json.dumps(queries, ensure_ascii=False)} if queries else {}
        found |= {
            "expand": given["expand"],
            "seeds": ",".join(given["providers"]),
            "iterations": str(given["iterations"]),
            "max_pages": str(given["max_pages"]),
            "scorer": given["scorer"],
            "selection": given["selection"],
        }
        if given["topic"]:
            found |= {"topic": given["topic"], "filter": given["page_filter"] or "none"}
        for name in ("batch", "min_score"):
            if given[name] is not None:
                found[name] = str(given[name])
        if hosts := given["allowed_hosts"].strip():
            found["allowed_hosts"] = hosts
        return found

    def _place(self, message: str) -> None:
        """Put what the spider's own check says beside the field that it names."""
        names = {"query": "queries", "seeds": "seed_urls", "filter": "page_filter"}
        match = _COMPLAINT.match(message)
        name = names.get(match[1], match[1]) if match else ""
        self.add_error(name if name in self.fields else None, message)


def _lines(text: str) -> list[str]:
    return list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))
