"""A time budget that ends work between steps, and Python code in the middle of one."""

from __future__ import annotations

import signal
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


class TimeUp(BaseException):
    """Raised inside `Deadline.enforced`.

    No Exception, so that a parser's own recovery from damaged input cannot swallow it.
    """


class Deadline:
    """A number of seconds from now, by the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds left, 0 at least."""
        return max(0.0, self._end - time.monotonic())

    def expired(self) -> bool:
        return self.left == 0.0

    @contextmanager
    def enforced(self, seconds: float | None = None) -> Iterator[None]:
        """Raise TimeUp in the block at the deadline, or after `seconds` if that is earlier.

        Works in a process's main thread and for Python code; a call into C ends first. In other
        threads the block runs to its end.
        """
        budget = min(self.left, self.left if seconds is None else seconds)
        if (
            threading.current_thread() is not threading.main_thread()
            or budget > threading.TIMEOUT_MAX
        ):
            yield
            return
        previous = signal.signal(signal.SIGALRM, _raise_time_up)
        # Repeats, should the first one fall into a destructor, where exceptions are lost.
        signal.setitimer(signal.ITIMER_REAL, max(budget, 0.001), 0.05)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)


def _raise_time_up(_number: int, _frame: FrameType | None) -> None:
    raise TimeUp
