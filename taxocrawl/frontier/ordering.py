"""The order of discovery: which of two URLs counts as found first, whatever answer came first.

Within an iteration several pages are under way at once, and which answer comes first is a matter of
chance. So a URL's *place* tells not when it was found but where: in which iteration, on which of
its pages by the order in which these were selected, and at which place on the page. The same pages
give the same places for any number of requests at a time, and after a crash.

What a store does with it:

- a URL that is pushed has the place of its iteration and `NO_PAGE`; one that a settled page links
  to that of the page's iteration and rank and of the link's position in the outcome, from 0;
- found again in the iteration of its discovery at a smaller place, a URL that is still known takes
  that place, with the URL, source and payload that stood there;
- a URL selected gets `page_rank` of the number selected for its iteration before it (the meta value
  ``iteration taken``), in the order in which the policy chose;
- a URL that is redirected, and a known one that is selected because of a redirect, gets
  `redirected_rank` of the canonical URL that the redirect led to.
"""

from __future__ import annotations

from hashlib import blake2b

_RANK_BITS, _POSITION_BITS = 27, 16
_BY_ADDRESS = 1 << (_RANK_BITS - 1)
NO_PAGE = 0
"""The rank of what no page of the iteration has found, such as seeds: before all pages."""


def page_rank(number: int) -> int:
    """The rank of the page that was selected as the `number`-th of its iteration, from 0."""
    return 1 + min(number, _BY_ADDRESS - 2)


def redirected_rank(key: str) -> int:
    """The rank of a page that was reached by a redirect: after all others, by its address.

    Of several URLs that lead to one page it depends on chance which one is followed, but not which
    page that is.

    Args:
        key: the canonical URL that the redirect led to.
    """
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return _BY_ADDRESS | int.from_bytes(digest, "big") >> (64 - _RANK_BITS + 1)


def place_of(iteration: int, rank: int = NO_PAGE, position: int = 0) -> int:
    """The place of a URL: the smaller one counts as found first; equal ones go by their ids.

    Args:
        iteration: in which it was found, from -1.
        rank: of the page that links to it.
        position: of the link on that page, from 0.
    """
    position = min(position, (1 << _POSITION_BITS) - 1)
    return ((iteration + 1) << _RANK_BITS | rank) << _POSITION_BITS | position


def found_in(place: int) -> int:
    """The iteration of a place."""
    return (place >> (_RANK_BITS + _POSITION_BITS)) - 1
