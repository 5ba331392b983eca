"""Pace, back-off and error lines of requests to a search service."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from taxocrawl.exceptions import SeedError
from taxocrawl.seeds.base import Answer
from taxocrawl.seeds.polite import (
    DEFAULT_PAUSE,
    PoliteFetch,
    pause_between_requests,
    retry_after,
)
from tests.seeds.service import Service

NOW = 1_780_000_000.0  # Thu, 28 May 2026 20:26:40 GMT
URL = "https://search.example/works"


def polite(service: Service, retries: int = 3) -> PoliteFetch:
    return PoliteFetch(
        service.fetch, "crossref", retries=retries, sleep=service.sleep, clock=service.clock
    )


def get(service: Service, times: int = 1, retries: int = 3) -> list[dict[str, Any]]:
    async def run() -> list[dict[str, Any]]:
        client = polite(service, retries)
        return [await client.get_json(URL) for _ in range(times)]

    return asyncio.run(run())


def limited(status: int, **headers: str) -> Answer:
    return Answer(status, b"", {name.replace("_", "-"): v for name, v in headers.items()})


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 0 "}, 0.0),
        ({"retry-after": "Thu, 28 May 2026 20:27:10 GMT"}, 30.0),
        ({"retry-after": "Thu, 28 May 2026 20:20:00 GMT"}, 0.0),
        (
            {
                "retry-after": "Fri, 01 Jan 2027 00:01:00 GMT",
                "date": "Fri, 01 Jan 2027 00:00:00 GMT",
            },
            60.0,
        ),
        ({}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "9" * 400}, None),
        ({"retry-after": "Thu, 99 May 2026 20:27:10 GMT"}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@pytest.mark.parametrize(
    ("limit", "interval", "seconds"),
    [
        ("50", "1s", 0.02),
        ("5", "1", 0.2),
        ("1", "500ms", 0.5),
        ("30", "1m", 2.0),
        ("0", "1s", None),
        ("many", "1s", None),
        ("50", "a while", None),
        ("50", "", None),
        ("", "1s", None),
    ],
)
def test_pause_between_requests(limit: str, interval: str, seconds: float | None) -> None:
    headers = {"x-rate-limit-limit": limit, "x-rate-limit-interval": interval}
    assert pause_between_requests(headers) == seconds


def test_the_pace_is_the_services_own() -> None:
    slow = Answer(200, b"{}", {"x-rate-limit-limit": "1", "x-rate-limit-interval": "2s"})
    service = Service(slow)
    get(service, times=3)
    assert service.slept == pytest.approx([2.0, 2.0])


def test_a_service_without_a_rate_is_asked_ten_times_a_second_at_most() -> None:
    service = Service({})
    get(service, times=3)
    assert service.slept == pytest.approx([DEFAULT_PAUSE] * 2)


def test_no_pause_when_enough_time_has_passed() -> None:
    service = Service({})

    async def run() -> None:
        client = polite(service)
        await client.get_json(URL)
        service.now += 5
        await client.get_json(URL)
        service.now -= 3600  # the clock is set back
        await client.get_json(URL)

    asyncio.run(run())
    assert service.slept == pytest.approx([DEFAULT_PAUSE])


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_backs_off_and_gives_up(status: int) -> None:
    service = Service(status)
    message = rf"^crossref: HTTP {status}, after 4 request\(s\)$"
    with pytest.raises(SeedError, match=message):
        get(service)
    assert len(service.asked) == 4
    assert [s for s in service.slept if s > DEFAULT_PAUSE] == [1.0, 2.0, 4.0]


def test_waits_as_long_as_it_is_asked_to() -> None:
    service = Service(limited(429, retry_after="17"), {"ok": 1})
    assert get(service) == [{"ok": 1}]
    assert service.slept == [17.0]


def test_a_service_that_asks_for_an_hour_is_left() -> None:
    service = Service(limited(503, retry_after="3600"))
    with pytest.raises(SeedError, match=r"^crossref: HTTP 503 and a wait of 3600 s"):
        get(service)
    assert len(service.asked) == 1
    assert service.slept == []


def test_no_answer_is_tried_again() -> None:
    service = Service(ConnectionRefusedError("connection\nrefused"), {"ok": 1})
    assert get(service) == [{"ok": 1}]
    service = Service(TimeoutError())
    with pytest.raises(SeedError, match=r"no answer \(TimeoutError\), after 3 request"):
        get(service, retries=2)


def test_without_retries_one_request_is_made() -> None:
    service = Service(503)
    with pytest.raises(SeedError, match="after 1 request"):
        get(service, retries=0)
    assert len(service.asked) == 1
    assert service.slept == []


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (
            Answer(400, b'{"status":"failed","message":[{"type":"x","message":"Bad\\n filter"}]}'),
            "HTTP 400: Bad filter; asked",
        ),
        (Answer(404, b"Resource not found."), "HTTP 404; asked"),
        (Answer(403, b"<html>no</html>"), "HTTP 403; asked"),
        (Answer(404, b'{"errCode":404,"errMsg":"No result"}'), "HTTP 404: No result; asked"),
        (Answer(400, b'{"message":{"description":"NullPointer"}}'), "HTTP 400: NullPointer"),
        (Answer(400, b'{"message":[3,{"other":1}]}'), "HTTP 400: 3; {'other': 1}"),
        (Answer(204, b""), "HTTP 204; asked"),
        (b"", "expected a JSON object, got an empty body"),
        (b"\xef\xbb\xbf <!DOCTYPE html>", "expected a JSON object, got HTML or XML"),
        (b'{"message": {"items": [', "got broken or truncated JSON of 23 bytes"),
        (b"[1, 2]", "expected a JSON object, got '[1, 2]'"),
        (b"null", "expected a JSON object, got 'null'"),
        (b"\xff\xfe\x00", "expected a JSON object, got"),
        (b'{"a":' * 100_000, "got broken or truncated JSON"),
    ],
)
def test_other_answers_cost_one_line(answer: Any, line: str) -> None:
    service = Service(answer)
    with pytest.raises(SeedError) as caught:
        get(service)
    message = str(caught.value)
    assert message.startswith("crossref: ")
    assert line in message
    assert "\n" not in message
    assert len(service.asked) == 1


def test_json_with_a_byte_order_mark_is_read() -> None:
    assert get(Service(b'\xef\xbb\xbf{"a": 1}')) == [{"a": 1}]
