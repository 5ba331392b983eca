"""`scrapy classify FILE|URL...`: what the trained classifiers say of documents.

Exit codes: 0 every document was classified; 2 a wrong argument or model, or a document that
cannot be had (the others are classified all the same).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy import Request, Spider
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from taxocrawl.commands._models import load_models
from taxocrawl.commands._subcommands import exit_code_of
from taxocrawl.exceptions import InputFileError, TaxocrawlError
from taxocrawl.items import Kind
from taxocrawl.responses import DocumentResponse

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator, Mapping, Sequence

    from scrapy.http import Response
    from twisted.python.failure import Failure

    from taxocrawl.classify.base import Classifier
    from taxocrawl.items import Decision, Document

_WITHOUT_FRONTIER: dict[str, object] = {
    "SCHEDULER": "scrapy.core.scheduler.Scheduler",
    "DOWNLOADER_MIDDLEWARES": {
        "taxocrawl.downloadermiddlewares.routing.DocumentRoutingMiddleware": 585
    },
    "SPIDER_MIDDLEWARES": {
        "taxocrawl.spidermiddlewares.classification.ClassificationMiddleware": 100
    },
    "ITEM_PIPELINES": {},
    "EXTENSIONS": {},
}
"""What of a crawl is left when there is no run and no frontier: Scrapy's own robots rules and
delays, document routing, classification."""

Answer = tuple["Document", "Decision"] | str
"""A document with its decision, or the reason why there is none."""


class Command(ScrapyCommand):
    """Classifies local files, and pages fetched as politely as in a crawl."""

    requires_project = True
    default_settings: ClassVar = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[--json] FILE|URL ..."

    def short_desc(self) -> str:
        return "Classify documents as taxonomic or not"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON object a line")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args:
            raise UsageError("expected a FILE or URL")
        urls = [name for name in args if name.startswith(("http://", "https://"))]
        assert self.settings is not None
        try:
            models = load_models(self.settings)
        except TaxocrawlError as error:
            self.exitcode = exit_code_of(error)
            return
        # Addresses first: reading files runs an event loop, after which Scrapy's is lost.
        answers = self._of_urls(urls)
        answers |= of_files([name for name in args if name not in urls], models)
        for name in args:
            answer = answers[name]
            if isinstance(answer, str):
                self.exitcode = exit_code_of(InputFileError(answer))
            if not isinstance(answer, str) or opts.json:
                print(_line(name, answer, as_json=opts.json))

    def _of_urls(self, urls: Sequence[str]) -> dict[str, Answer]:
        if not urls:
            return {}
        assert self.settings is not None
        assert self.crawler_process is not None
        for name, value in _WITHOUT_FRONTIER.items():
            self.crawler_process.settings.set(name, value, priority="cmdline")
        answers: dict[str, Answer] = {url: f"{url}: no answer" for url in urls}
        self.crawler_process.crawl(_Fetch, urls=list(urls), answers=answers)
        self.crawler_process.start()
        return answers


def of_files(names: Sequence[str], models: Mapping[str, Classifier]) -> dict[str, Answer]:
    """What the models say of files, each read as what its bytes are."""
    from taxocrawl.classify import text_of
    from taxocrawl.classify.reading import read_documents

    answers: dict[str, Answer] = {}
    documents = read_documents([Path(name) for name in names]) if names else []
    for name, document in zip(names, documents, strict=True):
        if isinstance(document, InputFileError):
            answers[name] = str(document)
        else:
            classifier = models["pdf" if document.kind is Kind.PDF else "html"]
            answers[name] = (document, classifier.decide(text_of(document)))
    return answers


class _Fetch(Spider):
    """Fetches addresses and keeps what came of each."""

    name = "classify"

    def __init__(self, urls: list[str], answers: dict[str, Answer], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.urls = urls
        self.answers = answers

    async def start(self) -> AsyncIterator[Request]:
        for url in self.urls:
            yield Request(
                url,
                callback=self.parse,
                errback=self.failed,
                cb_kwargs={"asked": url},
                dont_filter=True,
            )

    def parse(self, response: Response, asked: str) -> None:
        if isinstance(response, DocumentResponse) and response.decision is not None:
            self.answers[asked] = (response.document, response.decision)
        elif isinstance(response, DocumentResponse):
            reason = response.document.reason or "empty"
            self.answers[asked] = f"{asked}: no text ({reason})"
        else:
            self.answers[asked] = f"{asked}: answered with status {response.status}"

    def failed(self, failure: Failure) -> None:
        # Scrapy sets the request on the failure; Twisted's own type knows nothing of it.
        asked = vars(failure)["request"].cb_kwargs["asked"]
        detail = " ".join(str(failure.value).split()) or type(failure.value).__name__
        self.answers[asked] = f"{asked}: cannot be fetched ({detail})"


def _line(name: str, answer: Answer, *, as_json: bool) -> str:
    if isinstance(answer, str):
        return json.dumps({"input": name, "error": answer}, ensure_ascii=False)
    document, decision = answer
    if as_json:
        return json.dumps(
            {
                "input": name,
                "kind": document.kind.value,
                "title": document.title,
                "category": decision.category.value,
                "confidence": round(decision.confidence, 4),
                "model": decision.model,
            },
            ensure_ascii=False,
        )
    return (
        f"{decision.category.value:<13}  {decision.confidence:.2f}  {document.kind.value}  {name}"
    )
