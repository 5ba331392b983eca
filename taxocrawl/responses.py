"""The typed response that document routing makes of a download."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.http import Response

if TYPE_CHECKING:
    from taxocrawl.items import Decision, Document


class DocumentResponse(Response):
    """A successful download with the document that was made of it.

    `decision` is set by the classification spider middleware; None for a document that is not
    classified (a broken PDF, a login wall, a picture).
    """

    attributes: tuple[str, ...] = (*Response.attributes, "document")

    def __init__(self, *args: Any, document: Document, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.document = document
        self.decision: Decision | None = None
