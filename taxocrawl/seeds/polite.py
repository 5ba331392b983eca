"""Requests to a search service at the pace it asks for.

The pace is the service's own: `x-rate-limit-limit` requests in each `x-rate-limit-interval`
(Crossref), `Retry-After` after 429 and 503. Limits change (Crossref cut its own on 2025-12-01), so
none is built in beyond a floor for services that name none.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from taxocrawl.exceptions import SeedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from taxocrawl.seeds.base import Answer, Fetch, Sleep

RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
DEFAULT_PAUSE = 0.1
"""Seconds between two requests to a service that names no rate (10 a second is customary)."""
MAX_WAIT = 120.0
"""Seconds a service may ask us to wait; beyond that it counts as down."""

_INTERVAL = re.compile(r"\s*(\d{1,9}(?:\.\d{1,9})?)\s*(ms|s|m|h)?\s*", re.IGNORECASE)
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds to wait, from 0, by a Retry-After header in either of its forms (RFC 9110, 10.2.3).

    `now` is the time in seconds since the epoch, used when the answer has no Date of its own.
    None when the header is absent or is neither a number nor a date.
    """
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", value):
        return float(value)
    until = _http_date(value)
    if until is None:
        return None
    sent = _http_date(headers.get("date", ""))
    return max(0.0, until - (now if sent is None else sent))


def pause_between_requests(headers: Mapping[str, str]) -> float | None:
    """Seconds between two requests by the x-rate-limit headers; None when they name no rate."""
    interval = _INTERVAL.fullmatch(headers.get("x-rate-limit-interval", ""))
    limit = headers.get("x-rate-limit-limit", "").strip()
    if interval is None or not re.fullmatch(r"\d{1,9}", limit) or int(limit) == 0:
        return None
    unit = (interval[2] or "s").lower()
    return float(interval[1]) * _SECONDS[unit] / int(limit)


def one_line(text: object, length: int = 200) -> str:
    """`text` on one line of at most `length` characters."""
    line = " ".join(str(text).split())
    return line if len(line) <= length else line[: length - 1] + "…"


class PoliteFetch:
    """Fetches from one service: keeps its pace, backs off, and gives up after `retries`.

    `pause` is the time in seconds between two requests until the service names a rate. `sleep` and
    `clock` (seconds since the epoch) are injected so that tests need not wait.
    """

    def __init__(
        self,
        fetch: Fetch,
        provider: str,
        *,
        retries: int = 3,
        pause: float = DEFAULT_PAUSE,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.requests = 0
        self._fetch = fetch
        self._provider = provider
        self._retries = retries
        self._sleep = sleep
        self._clock = clock
        self._pause = pause
        self._free_at: float | None = None

    async def get_json(self, url: str) -> dict[str, Any]:
        """The JSON object at `url`.

        Raises SeedError, one line that starts with the provider's name, when there is no answer,
        an error status, or a body that is no JSON object.
        """
        answer = await self.get(url)
        if answer.status != 200:
            raise SeedError(
                f"{self._provider}: HTTP {answer.status}{_complaint(answer.body)}; "
                f"asked {one_line(url)}"
            )
        data = _load(answer.body)
        if not isinstance(data, dict):
            raise SeedError(
                f"{self._provider}: expected a JSON object, got {_looks_like(answer.body)}; "
                f"asked {one_line(url)}"
            )
        return data

    async def get(self, url: str) -> Answer:
        """The first answer that is no request to come back later; raises SeedError without one."""
        failure = ""
        for attempt in range(self._retries + 1):
            await self._keep_pace()
            self.requests += 1
            wait = None
            try:
                answer = await self._fetch(url)
            except OSError as error:
                failure = f"no answer ({one_line(error) or type(error).__name__})"
            else:
                self._learn_pace(answer.headers)
                if answer.status not in RETRIED_STATUSES:
                    return answer
                failure = f"HTTP {answer.status}"
                wait = retry_after(answer.headers, self._clock())
            if wait is not None and wait > MAX_WAIT:
                failure += (
                    f" and a wait of {wait:.0f} s asked for (at most {MAX_WAIT:.0f} s is waited)"
                )
                raise SeedError(f"{self._provider}: {failure}")
            if attempt < self._retries:
                await self._sleep(min(2.0**attempt, MAX_WAIT) if wait is None else wait)
        raise SeedError(f"{self._provider}: {failure}, after {self._retries + 1} request(s)")

    async def _keep_pace(self) -> None:
        now = self._clock()
        if self._free_at is not None:
            # The clock may have been set back meanwhile: never wait longer than one pause.
            wait = min(self._free_at - now, self._pause)
            if wait > 0:
                await self._sleep(wait)
                now += wait
        self._free_at = now + self._pause

    def _learn_pace(self, headers: Mapping[str, str]) -> None:
        pause = pause_between_requests(headers)
        if pause is not None and self._free_at is not None:
            pause = min(pause, MAX_WAIT)
            self._free_at += pause - self._pause
            self._pause = pause


def _http_date(value: str) -> float | None:
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    try:
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (OverflowError, OSError):
        return None


def _load(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _looks_like(body: bytes) -> str:
    text = body.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not text:
        return "an empty body"
    if text.startswith(b"<"):
        return "HTML or XML"
    if text.startswith(b"{"):
        return f"broken or truncated JSON of {len(body)} bytes"
    return f"{one_line(text[:60].decode('utf-8', 'replace'), 60)!r}"


def _complaint(body: bytes) -> str:
    """The service's own words about an error, as ': words', or ''."""
    data = _load(body)
    if not isinstance(data, dict):
        return ""
    words = data.get("message") or data.get("errMsg") or data.get("error") or ""
    if isinstance(words, list):
        texts = [w["message"] if isinstance(w, dict) and "message" in w else w for w in words]
        words = "; ".join(str(text) for text in texts)
    elif isinstance(words, dict):
        words = words.get("description") or words.get("message") or words.get("name") or ""
    return f": {one_line(words)}" if words else ""
