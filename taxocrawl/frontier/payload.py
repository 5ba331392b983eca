"""What the frontier keeps of a request beyond its URL, as JSON: enough to ask again as before.

A retry that forgot how often it was tried asks a dead page for ever; a redirect that forgot how
far it had come never meets the limit.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Set anew for each request by those who own them; cookies and credentials stay out of the file.
_VOLATILE_HEADERS = frozenset(
    ("cookie", "authorization", "proxy-authorization", "user-agent", "accept-encoding")
)
_VOLATILE_META = frozenset(
    (
        "download_slot",
        "download_latency",
        "frontier_id",
        "iteration",
        "depth",
        "link_score",
        "referrer",
        "is_start_request",
    )
)


def pack(
    *,
    url: str = "",
    headers: Mapping[str, Sequence[str]],
    meta: Mapping[str, Any],
    method: str = "GET",
    body: bytes = b"",
) -> str:
    """A request as JSON, '' when it is a plain one. Header values are text of Latin-1; meta values
    that JSON does not know are left out; `url` is needed when it is not the entry's own."""
    kept: dict[str, Any] = {"url": url} if url else {}
    if method != "GET":
        kept["method"] = method
    if body:
        kept["body"] = base64.b64encode(body).decode("ascii")
    if kept_headers := {
        name: list(values)
        for name, values in headers.items()
        if name.lower() not in _VOLATILE_HEADERS
    }:
        kept["headers"] = kept_headers
    if kept_meta := {
        name: value
        for name, value in meta.items()
        if name not in _VOLATILE_META and _is_json(value)
    }:
        kept["meta"] = kept_meta
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":")) if kept else ""


def unpack(payload: str) -> dict[str, Any]:
    """The arguments of a request: some of url, method, body, headers, meta; {} for ''."""
    kept: dict[str, Any] = json.loads(payload) if payload else {}
    if "body" in kept:
        kept["body"] = base64.b64decode(kept["body"])
    return kept


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True
