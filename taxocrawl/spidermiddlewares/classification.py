"""Classifies every document before the spider sees it (KU 3.2)."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from scrapy.exceptions import NotConfigured

from taxocrawl.classify import load_classifier, text_of
from taxocrawl.documents.pages import INDEX_PAGE, is_index
from taxocrawl.items import Category, Kind
from taxocrawl.responses import DocumentResponse

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from taxocrawl.classify.base import Classifier

logger = logging.getLogger(__name__)


class ClassificationMiddleware:
    """Puts a `Decision` on each response whose document has text and no reason against it.

    A page that only lists taxonomic documents reads like one. It is non-taxonomic and flagged
    ``index page``: it is not exported, but what it lists is followed.
    """

    def __init__(self, html: Classifier, pdf: Classifier) -> None:
        self.classifiers = {Kind.HTML: html, Kind.TEXT: html, Kind.PDF: pdf}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        if not settings["CLASSIFIER_HTML"]:
            raise NotConfigured("no page filter: CLASSIFIER_HTML is empty")
        folder = Path(settings["MODELS_DIR"])
        return cls(
            load_classifier(folder / settings["CLASSIFIER_HTML"]),
            load_classifier(folder / (settings["CLASSIFIER_PDF"] or settings["CLASSIFIER_HTML"])),
        )

    def process_spider_input(self, response: Response) -> None:
        """Classify; other responses (errors, search answers) pass untouched."""
        if not isinstance(response, DocumentResponse):
            return
        document = response.document
        classifier = self.classifiers.get(document.kind)
        if classifier is not None and not document.reason and document.text:
            response.decision = classifier.decide(text_of(document))
            if response.decision.taxonomic and is_index(document):
                response.decision = replace(
                    response.decision, category=Category.NON_TAXONOMIC, confidence=0.5
                )
                response.document = replace(document, flags=(*document.flags, INDEX_PAGE))
