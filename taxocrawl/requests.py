"""Between Scrapy's requests and the frontier's entries."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scrapy import Request

from taxocrawl.frontier.base import Candidate
from taxocrawl.frontier.payload import pack, unpack

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from scrapy.spiders import Spider

    from taxocrawl.frontier.base import Entry
    from taxocrawl.frontier.hostload import HostLoad


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


def is_conditional(request: Request) -> bool:
    """Whether a page is asked for only if it is not what it was."""
    return "If-None-Match" in request.headers or "If-Modified-Since" in request.headers


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
        "status": None,
        "kind": None,
        "category": None,
        "confidence": None,
        "score": round(meta["link_score"], 6),
        "iteration": meta["iteration"],
        "depth": meta["depth"],
        "referrer": meta["referrer"],
        "reason": reason,
    }


class RequestsUnderWay:
    """The frontier's requests that the engine has in hand.

    Args:
        hosts: told of each that is handed out and that leaves the downloader.
    """

    def __init__(self, hosts: HostLoad) -> None:
        self._hosts = hosts
        # Requests that the engine has not let go; entries in flight, each with the request that
        # stands for it (a retried entry may have two live ones); requests in the downloader.
        self._live: dict[Request, int] = {}
        self._unsettled: dict[int, Request] = {}
        self._downloading: dict[Request, str] = {}

    @property
    def live(self) -> int:
        """Requests that the engine still works on."""
        return len(self._live)

    @property
    def unsettled(self) -> int:
        """Those whose entry is in flight."""
        return len(self._unsettled)

    def begin(self, request: Request, entry: Entry) -> None:
        """A request is handed out."""
        self._live[request] = entry.id
        self._unsettled[entry.id] = request
        self._downloading[request] = entry.host
        self._hosts.begin(entry.host)

    def has(self, entry_id: int | None) -> bool:
        """Whether an entry is in flight."""
        return entry_id in self._unsettled

    def take_back(self, entry_id: int) -> Request:
        """The entry is to be asked again: the request that stood for it so far."""
        request = self._unsettled.pop(entry_id)
        self.left_downloader(request)
        return request

    def settled(self, entry_id: int) -> None:
        """The entry is settled; its request stays live until the engine lets it go."""
        self._unsettled.pop(entry_id, None)

    def left_downloader(self, request: Request) -> None:
        """The request does not keep its host busy any more."""
        if (host := self._downloading.pop(request, None)) is not None:
            self._hosts.end(host)

    def lost(self, engine_has: Collection[Request]) -> Iterator[tuple[int, Request]]:
        """Forget what the engine has let go; give what was not settled by then."""
        for request in [request for request in self._live if request not in engine_has]:
            entry_id = self._live.pop(request)
            self.left_downloader(request)
            if self._unsettled.get(entry_id) is request:
                yield entry_id, request
