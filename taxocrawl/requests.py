"""Between Scrapy's requests and the frontier's entries."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scrapy import Request

from taxocrawl.frontier.base import Candidate
from taxocrawl.frontier.payload import pack, unpack

if TYPE_CHECKING:
    from scrapy.spiders import Spider

    from taxocrawl.frontier.base import Entry


def request_of(entry: Entry, spider: Spider) -> Request:
    """The request that an entry stands for, with what it has been through (retries, redirects).

    Its meta tells `frontier_id`, `iteration`, `depth`, `link_score` and `referrer`; it comes back
    to the spider's `parse` or `failed`.
    """
    kept = unpack(entry.payload)
    return Request(
        kept.get("url", entry.url),
        callback=getattr(spider, "parse", None),
        errback=getattr(spider, "failed", None),
        method=kept.get("method", "GET"),
        headers=kept.get("headers"),
        body=kept.get("body"),
        meta={
            **kept.get("meta", {}),
            "frontier_id": entry.id,
            "iteration": entry.iteration,
            "depth": entry.depth,
            "link_score": entry.score,
            "referrer": entry.referrer,
            # The host under which the frontier has it; after a redirect it is the new one.
            "download_slot": entry.host,
        },
    )


def candidate_of(request: Request) -> Candidate:
    """The link that a request from `Spider.start` or a callback stands for."""
    meta = request.meta
    return Candidate(
        request.url,
        score=float(meta.get("link_score", 1.0)),
        depth=int(meta.get("depth", 0)),
        referrer=meta.get("referrer", ""),
        source="seed:start" if meta.get("is_start_request") else "link",
        payload=payload_of(request, with_url=False),
    )


def payload_of(request: Request, *, with_url: bool = True) -> str:
    """What the frontier keeps of a request."""
    headers = {
        name.decode("latin-1"): [value.decode("latin-1") for value in values]
        for name, values in request.headers.items()
    }
    return pack(
        url=request.url if with_url else "",
        headers=headers,
        meta=request.meta,
        method=request.method,
        body=request.body,
    )


def fetch_record(request: Request, final_url: str, reason: str) -> dict[str, Any]:
    """The line of fetches.csv for a request of which no page was made."""
    meta = request.meta
    return {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "url": (meta.get("redirect_urls") or [request.url])[0],
        "final_url": final_url,
        "score": round(meta["link_score"], 6),
        "iteration": meta["iteration"],
        "depth": meta["depth"],
        "referrer": meta["referrer"],
        "reason": reason,
    }
