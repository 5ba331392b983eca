"""The main job: from a query to exported taxonomic documents (KU chapter 3)."""

from __future__ import annotations

from taxocrawl.spiders.focused import FocusedSpider


class TaxonomicSpider(FocusedSpider):
    """Collects the taxonomic documents for one or more queries."""

    name = "taxonomic"
