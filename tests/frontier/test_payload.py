from __future__ import annotations

import json

from taxocrawl.frontier.payload import pack, unpack


def test_there_and_back() -> None:
    meta = {"retry_times": 1, "redirect_urls": ["http://a/"], "redirect_reasons": [302, "refresh"]}
    headers = {"If-None-Match": ["\xe9tag"]}
    packed = pack(url="http://b/", method="POST", body=b"\x00\xff", headers=headers, meta=meta)
    assert unpack(packed) == {
        "url": "http://b/",
        "method": "POST",
        "body": b"\x00\xff",
        "headers": headers,
        "meta": meta,
    }


def test_a_plain_request_needs_nothing() -> None:
    assert pack(headers={"User-Agent": ["x"]}, meta={"depth": 3, "download_slot": "h"}) == ""
    assert unpack("") == {}


def test_secrets_and_objects_stay_out() -> None:
    headers = {"Cookie": ["secret"], "Authorization": ["secret"]}
    packed = pack(url="u", headers=headers, meta={"object": object(), "nan": float("nan"), "n": 1})
    assert json.loads(packed) == {"url": "u", "meta": {"n": 1}}
