"""Links as the arguments of the scripts that add them."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from taxocrawl.frontier.ordering import page_rank
from taxocrawl.frontier.redis.client import encoded
from taxocrawl.frontier.rows import to_json
from taxocrawl.frontier.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from taxocrawl.frontier.base import Candidate
    from taxocrawl.frontier.discovery import Offer
    from taxocrawl.frontier.redis.commands import Argument

PLACE_BYTES = 8
LAST_RANK = page_rank(2**62)
"""The rank of all pages beyond so many of an iteration."""


def digest(key: str) -> bytes:
    """16 bytes that stand for a canonical URL: no two of 10^9 share them but by 1 in 10^20."""
    return blake2b(encoded(key), digest_size=16).digest()


def score_text(score: float) -> str:
    """A score that Redis and Python read alike; never ``-0.0``."""
    return repr(float(score) + 0.0)


def evidence_text(candidate: Candidate) -> str:
    """The candidate's evidence as JSON, '' for none."""
    return to_json(candidate.evidence) if candidate.evidence else ""


def link_arguments(offers: Mapping[str, Offer]) -> list[Argument]:
    """For `add_links` of common.lua; `offers` by canonical URL (`discovery.offers_of`)."""
    flat: list[Argument] = [len(offers)]
    for key, (offer, place) in offers.items():
        own_key = "" if key == offer.url else key
        flat += (
            digest(key),
            f"{offer.url}\n{own_key}\n{_line(offer.source)}\n",
            _line(offer.referrer),
            evidence_text(offer),
            score_text(offer.score),
            offer.depth,
            host_of(key),
            offer.payload,
            place.to_bytes(PLACE_BYTES, "big"),
        )
    return flat


def _line(text: str) -> str:
    return text.replace("\n", " ")
