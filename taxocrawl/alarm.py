"""One call at the earliest of the times asked for."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from scrapy.utils.asyncio import call_later

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.utils.asyncio import CallLaterResult


class Alarm:
    """Calls a function later, on Scrapy's event loop.

    Args:
        ring: the function.
    """

    def __init__(self, ring: Callable[[], object]) -> None:
        self._ring = ring
        self._set: tuple[float, CallLaterResult] | None = None

    def set(self, when: float | None) -> None:
        """Ring at a time (`time.monotonic`, seconds), or at the earlier one it is set to.

        None cancels.
        """
        if self._set:
            if when is not None and self._set[0] <= when:
                return
            self._set[1].cancel()
            self._set = None
        if when is not None:
            delay = max(0.0, when - time.monotonic()) + 0.001
            self._set = (when, call_later(delay, self._due))

    def _due(self) -> None:
        self._set = None
        self._ring()
